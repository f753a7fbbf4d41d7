#include "spec/ops/data_flow/tensor_list_shapes.h"

#include <algorithm>

namespace plumb::topics {

PartialShape ElementShape(const ShapeContext& c, int i) {
  if (const Tensor* const known = c.constant(i); known != nullptr && known->rank() == 0) {
    const int64_t dim = ConstantInts(c, i)->front();
    Require(dim == -1, InputName(c, i), " is no shape: a scalar must be -1, not ", dim);
  }
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
