// Conv2D and its two gradients: sizes are checked here, ../lib/image/convolution.h says who computes.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class ConvolutionKernel : public Kernel {
 public:
  // `code`: that of steps over batch or depth, which TensorFlow's kernels do not agree about.
  ConvolutionKernel(const Node& node, int data_input, Code code)
      : windows_(Checked(node, code)), dtype_(InputType(node, data_input)) {}

 protected:
  // Steps are looked at before paddings are.
  static WindowAttrs Checked(const Node& node, Code code) {
    const auto strides = FourInts(node, "strides"), dilations = FourInts(node, "dilations");
    const int depth = GetAttr<std::string>(node.attrs, "data_format") == "NCHW" ? 1 : 3;
    for (const int axis : {0, depth}) {
      if (strides[axis] == 1 && dilations[axis] == 1) continue;
      throw Error(code, Str("strides and dilations over batch and depth must be 1"));
    }
    return WindowAttrs(node);
  }

  // The sizes for an input and a filter of these shapes, in however many groups.
  ConvolutionSize SizeOf(const Shape& input_shape, const Shape& filter) const {
    const Shape input = ToNhwc(input_shape, windows_.nchw);
    Require(filter.rank() == 4, "a filter has 4 dimensions, not the shape ", Printed(filter));
    const int64_t depth = input[3], filter_depth = filter[2];
    Require(filter_depth > 0 && depth % filter_depth == 0, "the input depth ", depth,
            " is no multiple of the filter's ", filter_depth);
    ConvolutionSize size;
    size.batch = input[0];
    size.in_depth = depth;
    size.out_depth = filter[3];
    size.rows = windows_.Place(windows_.rows(), input[1], filter[0]);
    size.columns = windows_.Place(windows_.columns(), input[2], filter[1]);
    return size;
  }

  void RequireGroups(int64_t groups, int64_t out_depth) const {
    Require(groups > 0 && out_depth % groups == 0, "the output depth ", out_depth, " cannot be divided into ", groups,
            " groups");
  }
  // The same for a gradient. That by an empty filter, or to one, is zeros or nothing.
  ConvolutionSize GradientSizeOf(const Shape& input, const Shape& filter, const Shape& gradient) const {
    const ConvolutionSize size = SizeOf(input, filter);
    RequireGroups(size.in_depth / filter[2], size.out_depth);
    Require(size.in_depth == filter[2], "the gradient of a grouped convolution: input depth ", size.in_depth,
            ", filter depth ", filter[2]);
    RequireGradientShape(gradient, FromNhwc(size.output(), windows_.nchw));
    return size;
  }

  // Calls compute(tag, a, b, c) on NHWC values in the type that is computed in, and lays c down as output 0. `a_image`:
  // whether a is an image and not a filter; likewise for b and c.
  template <class F>
  void Compute(KernelContext& context, const Tensor& a, bool a_image, const Tensor& b, bool b_image, const Shape& shape,
               bool c_image, const F& compute) const {
    ThreadPool& pool = context.pool();
    const auto wide = [&](const Tensor& x, bool is_image) {
      return AsFloat(pool, ToNhwc(pool, x, is_image && windows_.nchw));
    };
    const Tensor x = wide(a, a_image), y = wide(b, b_image);
    Tensor z = Allocate(ComputeType(dtype_), shape);
    const auto run = [&](auto tag) {
      using T = typename decltype(tag)::Type;
      compute(x.data<T>().data(), y.data<T>().data(), z.mutable_data<T>().data());
    };
    if (dtype_ == DType::kInt32) {
      run(TypeTag<int32_t>());
    } else {
      VisitComputeType(dtype_, run);
    }
    const Tensor rounded = RoundedTo(pool, dtype_, std::move(z));
    context.SetOutput(0, FromNhwc(pool, rounded, c_image && windows_.nchw));
  }

  // Output 0 is all zeros: a sum over nothing.
  void SetZeros(KernelContext& context, const Shape& shape) const {
    context.SetOutput(0, AllocateZeros(context.pool(), dtype_, shape));
  }

  const WindowAttrs windows_;
  const DType dtype_;
};

class ForwardKernel : public ConvolutionKernel {
 public:
  explicit ForwardKernel(const Node& node) : ConvolutionKernel(node, 0, Code::kUnimplemented) {}

  void Run(KernelContext& context) override {
    const Tensor &input = context.input(0), &filter = context.input(1);
    const ConvolutionSize size = SizeOf(input.shape(), filter.shape());
    if (size.output().elements() == 0 || input.elements() == 0) {
      return SetZeros(context, FromNhwc(size.output(), windows_.nchw));
    }
    Require(filter.elements() > 0, "the filter is empty: ", Printed(filter.shape()));
    const int64_t groups = size.in_depth / filter.dim(2);
    RequireGroups(groups, size.out_depth);
    ThreadPool& pool = context.pool();
    Compute(context, input, true, filter, false, size.output(), true, [&]<class T>(const T* x, const T* w, T* y) {
      if (groups == 1) return Convolve(pool, size, x, w, y);
      ConvolveGroups(pool, size, groups, x, w, y);
    });
  }

 private:
  template <class T>
  static void Convolve(ThreadPool& pool, const ConvolutionSize& size, const T* x, const T* w, T* y) {
    if constexpr (std::is_same_v<T, float>) {
      LibraryConvolution(pool, size, x, w, y);
    } else {
      PlainConvolution(pool, size, x, w, y);
    }
  }

  // One group after the other, each a convolution of its own channels.
  template <class T>
  static void ConvolveGroups(ThreadPool& pool, const ConvolutionSize& size, int64_t groups, const T* x, const T* w,
                             T* y) {
    ConvolutionSize part = size;
    part.in_depth /= groups;
    part.out_depth /= groups;
    const auto buffer = [](const Shape& shape) { return Allocate(DTypeOf<T>, shape); };
    Tensor input = buffer(part.input()), filter = buffer(part.filter()), output = buffer(part.output());
    T *const part_x = input.mutable_data<T>().data(), *const part_w = filter.mutable_data<T>().data();
    T* const part_y = output.mutable_data<T>().data();
    for (int64_t g = 0; g < groups; ++g) {
      CopyColumns(pool, input.elements() / part.in_depth, part.in_depth, x + g * part.in_depth, size.in_depth, part_x,
                  part.in_depth);
      CopyColumns(pool, filter.elements() / part.out_depth, part.out_depth, w + g * part.out_depth, size.out_depth,
                  part_w, part.out_depth);
      Convolve(pool, part, part_x, part_w, part_y);
      CopyColumns(pool, output.elements() / part.out_depth, part.out_depth, part_y, part.out_depth,
                  y + g * part.out_depth, size.out_depth);
    }
  }

  // The first `columns` columns of a matrix, between rows of different lengths.
  template <class T>
  static void CopyColumns(ThreadPool& pool, int64_t rows, int64_t columns, const T* from, int64_t from_length, T* to,
                          int64_t to_length) {
    pool.ParallelFor(rows, GrainFor(columns), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) std::copy_n(from + row * from_length, columns, to + row * to_length);
    });
  }
};

class InputGradientKernel : public ConvolutionKernel {
 public:
  explicit InputGradientKernel(const Node& node)
      : ConvolutionKernel(node, 1, WindowAttrs(node).nchw ? Code::kInvalidArgument : Code::kUnimplemented) {}

  void Run(KernelContext& context) override {
    const Tensor &filter = context.input(1), &gradient = context.input(2);
    const Shape input = InputShape(context.input(0), filter.shape(), gradient.shape());
    const ConvolutionSize size = GradientSizeOf(input, filter.shape(), gradient.shape());
    if (input.elements() == 0 || filter.elements() == 0 || gradient.elements() == 0) return SetZeros(context, input);
    ThreadPool& pool = context.pool();
    Compute(context, filter, false, gradient, true, size.input(), true, [&]<class T>(const T* w, const T* dy, T* dx) {
      if constexpr (std::is_same_v<T, float>) {
        LibraryConvolutionInputGradient(pool, size, w, dy, dx);
      } else {
        PlainConvolutionInputGradient(pool, size, w, dy, dx);
      }
    });
  }

 private:
  // input_sizes: all four dimensions, or height and width alone.
  Shape InputShape(const Tensor& sizes, const Shape& filter, const Shape& gradient) const {
    Require(sizes.rank() == 1 && (sizes.elements() == 4 || sizes.elements() == 2),
            "input_sizes must be a vector of 4 or 2 entries, not of shape ", Printed(sizes.shape()));
    const std::vector<int64_t> dims = ToInt64s(sizes);
    if (dims.size() == 4) return Shape(dims);
    Require(gradient.rank() == 4 && filter.rank() == 4, "filter and out_backprop have 4 dimensions");
    return FromNhwc(Shape{gradient[0], dims[0], dims[1], filter[2]}, windows_.nchw);
  }
};

class FilterGradientKernel : public ConvolutionKernel {
 public:
  explicit FilterGradientKernel(const Node& node) : ConvolutionKernel(node, 0, Code::kInvalidArgument) {}

  void Run(KernelContext& context) override {
    const Tensor &input = context.input(0), &sizes = context.input(1), &gradient = context.input(2);
    const Shape filter = ListedShape("filter_sizes", sizes, 4);
    const ConvolutionSize size = GradientSizeOf(input.shape(), filter, gradient.shape());
    if (filter.elements() == 0 || input.elements() == 0 || gradient.elements() == 0) return SetZeros(context, filter);
    ThreadPool& pool = context.pool();
    Compute(context, input, true, gradient, true, filter, false, [&]<class T>(const T* x, const T* dy, T* dw) {
      if constexpr (std::is_same_v<T, float>) {
        LibraryConvolutionFilterGradient(pool, size, x, dy, dw);
      } else {
        PlainConvolutionFilterGradient(pool, size, x, dy, dw);
      }
    });
  }
};

constexpr KernelRow kRows[] = {
    {"Conv2D", Make<ForwardKernel>},
    {"Conv2DBackpropInput", Make<InputGradientKernel>},
    {"Conv2DBackpropFilter", Make<FilterGradientKernel>},
};

}  // namespace

std::span<const KernelRow> ConvolutionConv2d() { return kRows; }

}  // namespace plumb::fast::cpu
