#include "reference/ops/lib/gather_along.h"

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/shape_prefix.h"

namespace plumb::reference {
namespace {

// Element counts of a shape; zero when any is, so that no product of the others can overflow.
int64_t Count(const Shape& shape, int from, int to) {
  return shape.elements() == 0 ? 0 : Subshape(shape, from, to).elements();
}

}  // namespace

Value GatherAlong(const Value& params, const Tensor& indices, int64_t axis_attr, int64_t batch_attr) {
  const Shape& shape = params.tensor.shape();
  const int axis = ResolveAxis(axis_attr, shape.rank(), "axis");
  Require(-indices.rank() <= batch_attr && batch_attr <= indices.rank(), "batch_dims must be in [", -indices.rank(),
          ", ", indices.rank(), "], not ", batch_attr);
  const int batch = static_cast<int>(batch_attr < 0 ? batch_attr + indices.rank() : batch_attr);
  Require(batch <= axis, "batch_dims (", batch, ") must not exceed axis (", axis, ")");
  const Shape batch_shape = Subshape(shape, 0, batch);
  Require(StartsWith(indices.shape(), batch_shape), "the first ", batch,
          " dimensions of params and indices differ: ", shape.ToString(), " and ", indices.shape().ToString());

  const Shape result_shape =
      Concatenated(Concatenated(Subshape(shape, 0, axis), Subshape(indices.shape(), batch, indices.rank())),
                   Subshape(shape, axis + 1, shape.rank()));
  const auto index = Load<Integer>(indices);
  for (const Integer i : index.at) {
    if (result_shape.elements() == 0) break;  // nothing is taken from there
    Require(0 <= i && i < shape.dim(axis), "index ", static_cast<int64_t>(i), " is not in [0, ", shape.dim(axis), ")");
  }
  Assembly result(params.tensor.dtype(), result_shape);
  if (result_shape.elements() > 0) {
    const int64_t outer = Count(shape, batch, axis), rows = Count(indices.shape(), batch, indices.rank());
    const int64_t inner = Count(shape, axis + 1, shape.rank());
    for (int64_t block = 0; block < batch_shape.elements() * outer; ++block) {
      for (int64_t row = 0; row < rows; ++row) {
        const auto from = static_cast<int64_t>(index[block / outer * rows + row]);
        result.Copy((block * rows + row) * inner, params, (block * shape.dim(axis) + from) * inner, inner);
      }
    }
  }
  return result.Take();
}

}  // namespace plumb::reference
