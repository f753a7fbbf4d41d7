#include "reference/ops/lib/slab.h"

#include "reference/numbers/index.h"
#include "reference/state/variable.h"

namespace plumb::reference {

void CopyIn(Assembly& result, const Shape& shape, int axis, int64_t offset, const Value& piece) {
  const AxisView whole = ViewAt(shape, axis), part = ViewAt(piece.tensor.shape(), axis);
  for (int64_t i = 0; i < part.outer; ++i) {
    result.Copy((i * whole.size + offset) * whole.inner, piece, i * part.size * part.inner, part.size * part.inner);
  }
}

Value CopyOut(const Value& value, int axis, int64_t offset, int64_t size) {
  const Shape shape = WithDim(value.tensor.shape(), axis, size);
  const AxisView whole = ViewAt(value.tensor.shape(), axis), part = ViewAt(shape, axis);
  Assembly result(value.tensor.dtype(), shape);
  for (int64_t i = 0; i < part.outer; ++i) {
    result.Copy(i * part.size * part.inner, value, (i * whole.size + offset) * whole.inner, part.size * part.inner);
  }
  return result.Take();
}

Value PieceOf(const Value& value, int axis, int64_t offset, int64_t size) {
  if (axis == 0 && ForwardsRows(value.tensor)) return RowsOf(value, offset, size);
  return CopyOut(value, axis, offset, size);
}

}  // namespace plumb::reference
