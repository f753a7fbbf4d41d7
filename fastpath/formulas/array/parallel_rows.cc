#include "fastpath/formulas/array/parallel_rows.h"

#include <vector>

namespace plumb::fast {

ParallelRows::ParallelRows(const Node& node) {
  const auto& shape = GetAttr<PartialShape>(node.attrs, "shape");
  Require(shape.IsFullyDefined() && shape.rank() > 0, "the shape ", shape.ToString(),
          " must be fully known, and have a dimension");
  whole = shape.ToShape();
  std::vector<int64_t> dims = whole.ToVector();
  dims[0] = 1;
  row = Shape(dims);
  Require(static_cast<int64_t>(node.input_types.size()) <= whole[0], node.input_types.size(),
          " values are more rows than ", whole.ToString(), " has");
}

void ParallelRows::RequireRow(int i, const Shape& value) const {
  Require(value == row, "value ", i, " must have the shape ", row.ToString(), ", not ", value.ToString());
}

}  // namespace plumb::fast
