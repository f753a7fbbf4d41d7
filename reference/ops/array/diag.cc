// Tensors on the diagonal of tensors of twice their rank.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

void Diag(OpContext& context) {
  const Value& diagonal = context.input(0);
  const Shape& shape = diagonal.tensor.shape();
  Require(shape.rank() >= 1, "the diagonal must have one dimension at least");
  Assembly result(diagonal.tensor.dtype(), Concatenated(shape, shape));
  for (int64_t i = 0; i < shape.elements(); ++i) result.Copy(i * shape.elements() + i, diagonal, i);
  context.Output(0, result.Take());
}

void DiagPart(OpContext& context) {
  const Value& x = context.input(0);
  const Shape& shape = x.tensor.shape();
  Require(shape.rank() % 2 == 0, "the input must have an even number of dimensions, not the shape ", shape.ToString());
  const int half = shape.rank() / 2;
  const Shape result = Subshape(shape, 0, half);
  Require(Subshape(shape, half, shape.rank()) == result, "the halves of the shape ", shape.ToString(),
          " must be equal");
  Assembly diagonal(x.tensor.dtype(), result);
  for (int64_t i = 0; i < result.elements(); ++i) diagonal.Copy(i, x, i * result.elements() + i);
  context.Output(0, diagonal.Take());
}

constexpr KernelRow kRows[] = {
    {"Diag", Diag},
    {"DiagPart", DiagPart},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayDiag() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
