// Joining tensors along an axis.
#include "fastpath/formulas/array/joined_shape.h"
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The axis is the last input of ConcatV2, and the first of Concat.
class Concat final : public GpuKernel {
 public:
  explicit Concat(const Node& node) : axis_first_(node.op->inputs[0].number_attr.empty()) {}
  void Run(GpuContext& context) override {
    const int count = context.num_inputs() - 1, values = axis_first_ ? 1 : 0;
    const int rank = context.input(values).rank();
    const Tensor& given = context.input(axis_first_ ? 0 : count);
    Require(given.rank() <= 1, "the axis must be a scalar or a vector of one number, not of shape ",
            given.shape().ToString());
    const int axis = AxisOf(NumberIn(given), rank, "axis");
    // The axis may be given by a tensor of shape [1], which the row's shape rule refuses.
    const auto shape_of = [&](int i) -> const Shape& { return context.input(i).shape(); };
    const Shape shape = JoinedShape(values, values + count - 1, axis, shape_of);
    Tensor out = context.AllocateOutput(0, shape);
    const int64_t rows = ElementsIn(shape, 0, axis), row = ElementsIn(shape, axis, shape.rank());
    int64_t offset = 0;
    for (int i = values; i < values + count; ++i) {
      const Tensor& input = context.input(i);
      const int64_t run = ElementsIn(input.shape(), axis, shape.rank());
      CopyRows(context, {rows, run, run, row}, input, 0, out, offset);
      offset += run;
    }
  }

 private:
  const bool axis_first_;
};

constexpr GpuKernelRow kRows[] = {
    {"Concat", Make<Concat>},
    {"ConcatV2", Make<Concat>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayConcat() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
