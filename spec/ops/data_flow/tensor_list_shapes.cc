#include "spec/ops/data_flow/tensor_list_shapes.h"

#include <algorithm>

#include "spec/ops/scalar_shape.h"

namespace plumb::topics {

PartialShape ElementShape(const ShapeContext& c, int i) {
  RequireShapeOrUnknown(c, i);
  const std::vector<int64_t> known = ConstantInts(c, i).value_or(std::vector<int64_t>());
  for (const int64_t dim : known) Require(dim >= -1, InputName(c, i), " holds the dimension ", dim);
  return ElementShapeIfValid(c, i);
}

PartialShape ElementShapeIfValid(const ShapeContext& c, int i) {
  if (const auto dims = ConstantInts(c, i)) {
    const PartialShape& shape = c.input(i);
    if (!shape.has_rank() || shape.rank() != 1) return PartialShape::Unknown();
    const bool valid = std::all_of(dims->begin(), dims->end(), [](int64_t dim) { return dim >= -1; });
    return valid ? PartialShape(*dims) : PartialShape::Unknown();
  }
  const PartialShape& shape = c.input(i);
  if (!shape.has_rank() || shape.rank() != 1 || shape.dim(0) < 0 || shape.dim(0) > kMaxRank) {
    return PartialShape::Unknown();
  }
  return PartialShape::OfRank(static_cast<int>(shape.dim(0)));
}

}  // namespace plumb::topics
