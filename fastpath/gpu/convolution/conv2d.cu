// Convolutions of images and their gradients: filters are [rows, columns, in, out].
#include "fastpath/gpu/convolution/engines.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class Convolution : public GpuKernel {
 public:
  // `code`: that of steps over batch or depth, which TensorFlow's kernels do not agree about.
  explicit Convolution(const Node& node, Code code = Code::kUnimplemented) : windows_(node) {
    for (const int axis : {0, windows_.depth()}) {
      if (windows_.stride(axis) == 1 && windows_.dilation(axis) == 1) continue;
      throw Error(code, Str("strides and dilations over batch and depth must be 1"));
    }
  }

 protected:
  PatchGrid GridOf(const Shape& images, const Shape& filter) const {
    PatchGrid grid;
    grid.from = windows_.BatchOf(images);
    Require(filter.rank() == 4, "a filter has 4 dimensions, not the shape ", filter.ToString());
    grid.depth = filter[2];
    Require(grid.depth > 0 && grid.from.depth % grid.depth == 0, "the input depth ", grid.from.depth,
            " is no multiple of the filter's ", grid.depth);
    grid.groups = grid.from.depth / grid.depth;
    grid.rows = windows_.Place(windows_.rows(), grid.from.rows, filter[0]);
    grid.columns = windows_.Place(windows_.columns(), grid.from.columns, filter[1]);
    grid.to = grid.from.Resized(1, grid.rows.output, grid.columns.output, filter[3]);
    return grid;
  }
  static void RequireGroups(const PatchGrid& grid) {
    Require(grid.groups > 0 && grid.to.depth % grid.groups == 0, "the output depth ", grid.to.depth,
            " cannot be divided into ", grid.groups, " groups");
  }
  PatchGrid GradientGridOf(const Shape& images, const Shape& filter, const Tensor& gradient) const {
    const PatchGrid grid = GridOf(images, filter);
    RequireGroups(grid);
    Require(grid.groups == 1, "the gradient of a grouped convolution: input depth ", grid.from.depth, ", filter depth ",
            grid.depth);
    RequireShape(gradient, grid.to.shape(), "out_backprop");
    return grid;
  }

  const Windows windows_;
};

class Conv2D final : public Convolution {
 public:
  using Convolution::Convolution;
  void Run(GpuContext& context) override {
    const Tensor &images = context.input(0), &filter = context.input(1);
    const PatchGrid grid = GridOf(images.shape(), filter.shape());
    Tensor out = context.AllocateOutput(0, grid.to.shape());
    if (out.elements() == 0 || images.elements() == 0) return context.Clear(out);
    Require(filter.elements() > 0, "the filter is empty: ", filter.shape().ToString());
    RequireGroups(grid);
    Convolve(context, grid, images, filter, out);
  }
};

class InputGradient final : public Convolution {
 public:
  // The code goes with the layout, as on the CPU.
  explicit InputGradient(const Node& node)
      : Convolution(node, Windows(node).channels_first() ? Code::kInvalidArgument : Code::kUnimplemented) {}
  void Run(GpuContext& context) override {
    const Tensor &filter = context.input(1), &gradient = context.input(2);
    const Shape shape = context.OutputShape(0);
    const PatchGrid grid = GradientGridOf(shape, filter.shape(), gradient);
    Tensor out = context.AllocateOutput(0, shape);
    if (out.elements() == 0 || filter.elements() == 0 || gradient.elements() == 0) return context.Clear(out);
    ConvolveToImages(context, grid, filter, gradient, out);
  }
};

class FilterGradient final : public Convolution {
 public:
  explicit FilterGradient(const Node& node) : Convolution(node, Code::kInvalidArgument) {}
  void Run(GpuContext& context) override {
    const Tensor &images = context.input(0), &gradient = context.input(2);
    const Shape shape = context.OutputShape(0);
    const PatchGrid grid = GradientGridOf(images.shape(), shape, gradient);
    Tensor out = context.AllocateOutput(0, shape);
    if (out.elements() == 0 || images.elements() == 0 || gradient.elements() == 0) return context.Clear(out);
    ConvolveToFilter(context, grid, images, gradient, out);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Conv2D", Make<Conv2D>},
    {"Conv2DBackpropInput", Make<InputGradient>},
    {"Conv2DBackpropFilter", Make<FilterGradient>},
};

}  // namespace

std::span<const GpuKernelRow> ConvolutionConv2d() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
