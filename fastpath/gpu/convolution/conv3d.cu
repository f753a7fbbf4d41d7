// Convolutions of volumes and their gradients: filters are [planes, rows, columns, in, out].
#include "fastpath/formulas/convolution/window_rules.h"
#include "fastpath/gpu/convolution/engines.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class VolumeConvolution : public GpuKernel {
 public:
  explicit VolumeConvolution(const Node& node) : node_(node), windows_(node, 3) { CheckVolumeConvolution(node); }

 protected:
  PatchGrid GridOf(const Shape& volumes, const Shape& filter) const {
    PatchGrid grid;
    grid.from = windows_.BatchOf(volumes);
    CheckVolumeFilter(grid.from.depth, filter);
    grid.depth = grid.from.depth;
    grid.planes = windows_.Place(windows_.planes(), grid.from.planes, filter[0]);
    grid.rows = windows_.Place(windows_.rows(), grid.from.rows, filter[1]);
    grid.columns = windows_.Place(windows_.columns(), grid.from.columns, filter[2]);
    grid.to = grid.from.Resized(grid.planes.output, grid.rows.output, grid.columns.output, filter[4]);
    return grid;
  }
  PatchGrid GradientGridOf(const Shape& volumes, const Shape& filter, const Tensor& gradient) const {
    const PatchGrid grid = GridOf(volumes, filter);
    RequireShape(gradient, grid.to.shape(), "out_backprop");
    CheckGradientWeights(volumes, filter, {grid.planes.output, grid.rows.output, grid.columns.output});
    return grid;
  }

 private:
  const Node node_;
  const Windows windows_;
};

class Conv3D final : public VolumeConvolution {
 public:
  using VolumeConvolution::VolumeConvolution;
  void Run(GpuContext& context) override {
    const Tensor &volumes = context.input(0), &filter = context.input(1);
    const PatchGrid grid = GridOf(volumes.shape(), filter.shape());
    CheckHasWeights(filter.shape());
    Tensor out = context.AllocateOutput(0, grid.to.shape());
    if (out.elements() == 0 || volumes.elements() == 0) return context.Clear(out);
    Convolve(context, grid, volumes, filter, out);
  }
};

class InputGradient final : public VolumeConvolution {
 public:
  using VolumeConvolution::VolumeConvolution;
  void Run(GpuContext& context) override {
    const Tensor &filter = context.input(1), &gradient = context.input(2);
    const Shape shape = context.OutputShape(0);
    const PatchGrid grid = GradientGridOf(shape, filter.shape(), gradient);
    Tensor out = context.AllocateOutput(0, shape);
    if (out.elements() == 0 || filter.elements() == 0 || gradient.elements() == 0) return context.Clear(out);
    ConvolveToImages(context, grid, filter, gradient, out);
  }
};

class FilterGradient final : public VolumeConvolution {
 public:
  using VolumeConvolution::VolumeConvolution;
  void Run(GpuContext& context) override {
    const Tensor &volumes = context.input(0), &gradient = context.input(2);
    const Shape shape = context.OutputShape(0);
    const PatchGrid grid = GradientGridOf(volumes.shape(), shape, gradient);
    Tensor out = context.AllocateOutput(0, shape);
    if (out.elements() == 0 || volumes.elements() == 0 || gradient.elements() == 0) return context.Clear(out);
    ConvolveToFilter(context, grid, volumes, gradient, out);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Conv3D", Make<Conv3D>},
    {"Conv3DBackpropInput", Make<InputGradient>},
    {"Conv3DBackpropInputV2", Make<InputGradient>},
    {"Conv3DBackpropFilter", Make<FilterGradient>},
    {"Conv3DBackpropFilterV2", Make<FilterGradient>},
};

}  // namespace

std::span<const GpuKernelRow> ConvolutionConv3d() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
