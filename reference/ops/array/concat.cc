// Tensors put side by side along an axis.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/slab.h"

namespace plumb::reference {
namespace {

// The inputs from `begin` on, of which there are all but the axis.
void Join(OpContext& context, int begin, int axis_input) {
  const int end = begin + context.num_inputs() - 1;
  const Shape& first = context.tensor(begin).shape();
  const Tensor& axis_value = context.tensor(axis_input);
  Require(axis_value.rank() <= 1, "axis must be a scalar or a vector of one number, not of shape ",
          axis_value.shape().ToString());
  const int axis = ResolveAxis(IntegerOf(axis_value, "axis"), first.rank(), "axis");
  Integer total = 0;
  for (int i = begin; i < end; ++i) {
    const Shape& shape = context.tensor(i).shape();
    Require(shape.rank() == first.rank(), "the pieces must have one rank: ", first.ToString(), " and ",
            shape.ToString());
    Require(WithDim(shape, axis, 0) == WithDim(first, axis, 0), "the pieces may differ along axis ", axis,
            " only: ", first.ToString(), " and ", shape.ToString());
    total += shape.dim(axis);
  }
  Require(Wrap(total, DType::kInt64) == total, "the concatenation is too long");
  const Shape shape = WithDim(first, axis, static_cast<int64_t>(total));
  Assembly result(context.tensor(begin).dtype(), shape);
  for (int64_t i = begin, offset = 0; i < end; offset += context.tensor(i).dim(axis), ++i) {
    CopyIn(result, shape, axis, offset, context.input(i));
  }
  context.Output(0, result.Take());
}

void Concat(OpContext& context) { Join(context, 1, 0); }

void ConcatV2(OpContext& context) { Join(context, 0, context.num_inputs() - 1); }

// Where each of several tensors starts in their concatenation.
void ConcatOffset(OpContext& context) {
  const Tensor& first = context.tensor(1);
  Require(first.rank() == 1, "the shapes must be vectors, not of shape ", first.shape().ToString());
  const auto axis = ResolveAxis(ScalarOf(context.tensor(0), "concat_dim"), first.dim(0), "concat_dim");
  const auto model = IntegersOf(first, "shape");
  Integer offset = 0;
  for (int i = 1; i < context.num_inputs(); ++i) {
    const auto dims = IntegersOf(context.tensor(i), "shape");
    Require(context.tensor(i).rank() == 1 && dims.size() == model.size(), "input ", i, " has ", dims.size(),
            " dimensions, input 1 ", model.size());
    auto start = MakeArray<Integer>(first.dtype(), first.shape());
    start[axis] = offset;
    for (size_t j = 0; j < dims.size(); ++j) {
      Require(static_cast<int>(j) == axis || dims[j] == model[j], "dimension ", j, " of input ", i, " is ", dims[j],
              ", of input 1 ", model[j]);
    }
    offset += dims[axis];
    context.Output(i - 1, Store(start));
  }
}

constexpr KernelRow kRows[] = {
    {"Concat", Concat},
    {"ConcatV2", ConcatV2},
    {"ConcatOffset", ConcatOffset},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayConcat() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
