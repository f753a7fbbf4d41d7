// Conv2D and its two gradients: sizes are checked here, lib/convolution.h says who computes.
#include <cstring>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/convolution.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/topics.h"

namespace plumb::fast::cpu {
namespace {

class ConvolutionKernel : public Kernel {
 public:
  ConvolutionKernel(const Node& node, int data_input)
      : node_(node.name), windows_(node), dtype_(InputType(node, data_input)) {
    const bool known = IsHalfWidth(dtype_) || dtype_ == DType::kFloat || dtype_ == DType::kDouble ||
                       (dtype_ == DType::kInt32 && !node.IsOp("Conv2DBackpropFilter"));
    if (!known) ThrowNoKernel(node);
    for (const int axis : {windows_.batch(), windows_.depth()}) {
      if (windows_.strides[axis] != 1) throw Unimplemented("node ", node_, ": strides over batch or depth");
      if (windows_.dilations[axis] != 1) throw Unimplemented("node ", node_, ": dilations over batch or depth");
    }
  }

 protected:
  // The sizes for an input and a filter of these shapes. Gradients by an empty filter, or to one, are zeros or nothing.
  ConvolutionSize SizeOf(const Shape& input_shape, const Shape& filter, bool may_be_empty = false) const {
    const Shape input = ToNhwc(input_shape, windows_.nchw);
    Require(filter.rank() == 4, "node ", node_, ": a filter has 4 dimensions, not the shape ", Printed(filter));
    Require(filter.elements() > 0 || may_be_empty, "node ", node_, ": the filter is empty: ", Printed(filter));
    const int64_t depth = input[3], filter_depth = filter[2];
    Require(depth > 0 && filter_depth > 0 && depth % filter_depth == 0, "node ", node_, ": the input depth ", depth,
            " is no multiple of the filter's ", filter_depth);
    Require(filter[3] % (depth / filter_depth) == 0, "node ", node_, ": the output depth ", filter[3],
            " cannot be divided into ", depth / filter_depth, " groups");
    if (depth != filter_depth) {
      throw Unimplemented("node ", node_, ": grouped convolution: input depth ", depth, ", filter depth ",
                          filter_depth);
    }
    ConvolutionSize size;
    size.batch = input[0];
    size.in_depth = depth;
    size.out_depth = filter[3];
    if (filter.elements() == 0) return size;
    size.rows = windows_.Place(windows_.rows(), input[1], filter[0]);
    size.columns = windows_.Place(windows_.columns(), input[2], filter[1]);
    return size;
  }

  void RequireGradient(const ConvolutionSize& size, const Shape& gradient) const {
    const Shape expected = FromNhwc(size.output(), windows_.nchw);
    Require(gradient == expected, "node ", node_, ": out_backprop has the shape ", Printed(gradient),
            ", the convolution's output ", Printed(expected));
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
    if (dtype_ == DType::kDouble) {
      run(TypeTag<double>());
    } else if (dtype_ == DType::kInt32) {
      run(TypeTag<int32_t>());
    } else {
      run(TypeTag<float>());
    }
    if (IsHalfWidth(dtype_)) {
      Tensor narrow = Allocate(dtype_, shape);
      RoundInto(pool, z, narrow);
      z = std::move(narrow);
    }
    context.SetOutput(0, FromNhwc(pool, z, c_image && windows_.nchw));
  }

  // Output 0 is all zeros: a sum over nothing.
  void SetZeros(KernelContext& context, const Shape& shape) const {
    Tensor& output = context.AllocateOutput(0, dtype_, shape);
    if (output.elements() > 0) std::memset(output.mutable_raw(), 0, output.bytes());
  }

  const std::string node_;
  const WindowAttrs windows_;
  const DType dtype_;
};

class ForwardKernel : public ConvolutionKernel {
 public:
  explicit ForwardKernel(const Node& node) : ConvolutionKernel(node, 0) {}

  void Run(KernelContext& context) override {
    const Tensor &input = context.input(0), &filter = context.input(1);
    const ConvolutionSize size = SizeOf(input.shape(), filter.shape());
    if (size.output().elements() == 0 || input.elements() == 0) {
      return SetZeros(context, FromNhwc(size.output(), windows_.nchw));
    }
    ThreadPool& pool = context.pool();
    Compute(context, input, true, filter, false, size.output(), true, [&]<class T>(const T* x, const T* w, T* y) {
      if constexpr (std::is_same_v<T, float>) {
        LibraryConvolution(pool, size, x, w, y);
      } else {
        PlainConvolution(pool, size, x, w, y);
      }
    });
  }
};

class InputGradientKernel : public ConvolutionKernel {
 public:
  explicit InputGradientKernel(const Node& node) : ConvolutionKernel(node, 1) {}

  void Run(KernelContext& context) override {
    const Tensor &filter = context.input(1), &gradient = context.input(2);
    const Shape input = InputShape(context.input(0), filter.shape(), gradient.shape());
    const ConvolutionSize size = SizeOf(input, filter.shape(), true);
    if (filter.elements() > 0) RequireGradient(size, gradient.shape());
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
    Require(sizes.rank() == 1 && (sizes.elements() == 4 || sizes.elements() == 2), "node ", node_,
            ": input_sizes must be a vector of 4 or 2 entries, not of shape ", Printed(sizes.shape()));
    const std::vector<int64_t> dims = ToInt64s(sizes);
    if (dims.size() == 4) return Shape(dims);
    Require(gradient.rank() == 4 && filter.rank() == 4, "node ", node_, ": filter and out_backprop have 4 dimensions");
    return FromNhwc(Shape{gradient[0], dims[0], dims[1], filter[2]}, windows_.nchw);
  }
};

class FilterGradientKernel : public ConvolutionKernel {
 public:
  explicit FilterGradientKernel(const Node& node) : ConvolutionKernel(node, 0) {}

  void Run(KernelContext& context) override {
    const Tensor &input = context.input(0), &sizes = context.input(1), &gradient = context.input(2);
    Require(sizes.rank() == 1 && sizes.elements() == 4, "node ", node_,
            ": filter_sizes must be a vector of 4 entries, not of shape ", Printed(sizes.shape()));
    const Shape filter(ToInt64s(sizes));
    const ConvolutionSize size = SizeOf(input.shape(), filter, true);
    if (filter.elements() > 0) RequireGradient(size, gradient.shape());
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
