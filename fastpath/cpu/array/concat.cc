// Joining tensors along an axis.
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/array/joined_shape.h"

namespace plumb::fast::cpu {
namespace {

// The axis is the last input of ConcatV2, and the first of Concat.
class Concat final : public Kernel {
 public:
  explicit Concat(const Node& node) : type_(OutputType(node, 0)), axis_first_(node.op->inputs[0].number_attr.empty()) {}
  void Run(KernelContext& context) override {
    const int count = context.num_inputs() - 1, values = axis_first_ ? 1 : 0;
    const int rank = context.input(values).rank();
    const Tensor& axis_value = context.input(axis_first_ ? 0 : count);
    Require(axis_value.rank() <= 1, "the axis must be a scalar or a vector of one number, not of shape ",
            axis_value.shape().ToString());
    const int axis = NormalizeAxis(ScalarInt(axis_value, "the axis"), rank);
    const auto shape_of = [&](int i) -> const Shape& { return context.input(i).shape(); };
    const Shape shape = JoinedShape(values, values + count - 1, axis, shape_of);
    Tensor& output = context.AllocateOutput(0, type_, shape);
    const int64_t rows = ElementsIn(shape, 0, axis), row = ElementsIn(shape, axis, rank);
    int64_t offset = 0;
    for (int i = 0; i < count; ++i) {
      const Tensor& input = context.input(values + i);
      const int64_t run = ElementsIn(input.shape(), axis, rank);
      CopyRows(context.pool(), type_, {rows, run}, input.raw(), run, At(output.mutable_raw(), type_, offset), row);
      offset += run;
    }
  }

 private:
  DType type_;
  bool axis_first_;
};

// Where each of the shapes begins when they are concatenated.
class ConcatOffset final : public Kernel {
 public:
  explicit ConcatOffset(const Node&) {}
  void Run(KernelContext& context) override {
    const Tensor& first = context.input(1);
    Require(context.input(0).rank() == 0, "the concatenation dimension must be a scalar");
    Require(first.rank() == 1, "a shape must be a vector, not of shape ", first.shape().ToString());
    const int rank = static_cast<int>(std::min<int64_t>(first.elements(), kMaxRank));
    const int concat = NormalizeAxis(IntAt(context.input(0), 0), rank, "the concatenation dimension");
    int64_t offset = 0;
    for (int i = 1; i < context.num_inputs(); ++i) {
      const Tensor& shape = context.input(i);
      Require(shape.shape() == first.shape(), "shape ", i - 1, " has ", shape.elements(), " dimensions, the first has ",
              first.elements());
      for (int64_t axis = 0; axis < first.elements(); ++axis) {
        Require(axis == concat || IntAt(shape, axis) == IntAt(first, axis), "shape ", i - 1,
                " differs from the first in dimension ", axis);
      }
      std::vector<int64_t> offsets(static_cast<size_t>(first.elements()), 0);
      offsets[static_cast<size_t>(concat)] = offset;
      SetIntVector(context, i - 1, DType::kInt32, offsets);
      offset += IntAt(shape, concat);
    }
  }
};

constexpr KernelRow kRows[] = {
    {"Concat", Make<Concat>},
    {"ConcatV2", Make<Concat>},
    {"ConcatOffset", Make<ConcatOffset>},
};

}  // namespace

std::span<const KernelRow> ArrayConcat() { return kRows; }

}  // namespace plumb::fast::cpu
