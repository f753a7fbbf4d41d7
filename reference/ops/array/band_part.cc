// The band around the main diagonals of matrices.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

void MatrixBandPart(OpContext& context) {
  const Value& x = context.input(0);
  const Shape& shape = x.tensor.shape();
  Require(shape.rank() >= 2, "the input must have two dimensions at least, not the shape ", shape.ToString());
  const int64_t rows = shape.dim(shape.rank() - 2), columns = shape.dim(shape.rank() - 1);
  const int64_t lower = ScalarOf(context.tensor(1), "num_lower"), upper = ScalarOf(context.tensor(2), "num_upper");
  Require(lower <= rows, "num_lower must be negative or at most the number of rows, ", rows, ", not ", lower);
  Require(upper <= columns, "num_upper must be negative or at most the number of columns, ", columns, ", not ", upper);
  if ((lower < 0 || lower == rows) && (upper < 0 || upper == columns)) return context.Output(0, x);  // R31
  Assembly band(x.tensor.dtype(), shape);
  for (int64_t i = 0; i < shape.elements(); ++i) {
    const int64_t row = i / columns % rows, column = i % columns;
    if ((lower < 0 || row - column <= lower) && (upper < 0 || column - row <= upper)) band.Copy(i, x, i);
  }
  context.Output(0, band.Take());
}

constexpr KernelRow kRows[] = {
    {"MatrixBandPart", MatrixBandPart},
    {"BatchMatrixBandPart", MatrixBandPart},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayBandPart() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
