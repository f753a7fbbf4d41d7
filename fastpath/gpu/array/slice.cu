// Slice: a box of a tensor.
#include <vector>

#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class Slice final : public GpuKernel {
 public:
  explicit Slice(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    const std::vector<int64_t> begin = ToInt64s(context.input(1)), size = ToInt64s(context.input(2));
    Require(begin.size() == size.size() && static_cast<int64_t>(begin.size()) == x.rank(),
            "begin and size must be vectors of ", x.rank(), " values, not of shapes ",
            context.input(1).shape().ToString(), " and ", context.input(2).shape().ToString());
    CheckFits(x.shape(), begin, size);
    const Shape shape = context.OutputShape(0);
    if (shape == x.shape()) return context.SetOutput(0, x);  // R31
    if (TakesRows(x.shape(), shape) && SharesSlice(x, begin[0], shape[0])) {
      return context.SetOutput(0, x.Rows(begin[0], shape[0]));
    }
    Tensor out = context.AllocateOutput(0, shape);
    Walk walk;
    int64_t first = 0;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      first += begin[static_cast<size_t>(axis)] * StrideAlong(x.shape(), axis);
      AddAxis(walk, shape[axis], StrideAlong(x.shape(), axis), StrideAlong(shape, axis));
    }
    CopyAlong(context, walk, x, first, out, 0);
  }

 private:
  static void CheckFits(const Shape& shape, const std::vector<int64_t>& begin, const std::vector<int64_t>& size) {
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const int64_t first = begin[static_cast<size_t>(axis)], count = size[static_cast<size_t>(axis)];
      Require(first >= 0 && first <= shape[axis], "begin[", axis, "] = ", first, " is not in [0, ", shape[axis], "]");
      Require(count >= -1 && count <= shape[axis] - first, "size[", axis, "] = ", count, " is not in [0, ",
              shape[axis] - first, "]");
    }
  }
  // Whether the slice is whole along all axes but the first.
  static bool TakesRows(const Shape& whole, const Shape& slice) {
    for (int axis = 1; axis < whole.rank(); ++axis) {
      if (whole[axis] != slice[axis]) return false;
    }
    return whole.rank() > 0;
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Slice", Make<Slice>},
};

}  // namespace

std::span<const GpuKernelRow> ArraySlice() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
