#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// The condition has the shape of the alternatives, or is a scalar, or a vector that chooses whole rows.
void Select(OpContext& context) {
  const Tensor& condition = context.tensor(0);
  const Value &then = context.input(1), &otherwise = context.input(2);
  const Shape& shape = then.tensor.shape();
  Require(shape == otherwise.tensor.shape(), "'t' and 'e' must have the same shape: ", shape.ToString(), " and ",
          otherwise.tensor.shape().ToString());
  const bool fits = condition.shape() == shape || condition.rank() == 0 ||
                    (condition.rank() == 1 && shape.rank() >= 1 && condition.dim(0) == shape.dim(0));
  Require(fits, "the condition's shape ", condition.shape().ToString(), " fits neither the shape ", shape.ToString(),
          " nor its first dimension");
  const auto choice = condition.data<bool>();
  if (condition.rank() == 0) return context.Output(0, choice[0] ? then : otherwise);  // R31
  const int64_t row = choice.empty() ? 0 : shape.elements() / condition.elements();
  Assembly result(then.tensor.dtype(), shape);
  for (int64_t i = 0; i < condition.elements(); ++i) result.Copy(i * row, choice[i] ? then : otherwise, i * row, row);
  context.Output(0, result.Take());
}

constexpr KernelRow kRows[] = {
    {"Select", Select},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathSelect() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
