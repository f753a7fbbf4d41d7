#include "fastpath/formulas/array/inplace_rows.h"

#include "spec/core/status.h"

namespace plumb::fast {

void RequireRowsOf(const Shape& x, const Shape& indices, const Shape& v) {
  Require(indices.rank() == 1, "i must be a vector, not of shape ", indices.ToString());
  bool fits = x.rank() == v.rank() && x.rank() >= 1;
  for (int axis = 1; fits && axis < x.rank(); ++axis) fits = x[axis] == v[axis];
  Require(fits, "v of shape ", v.ToString(), " does not hold rows of x, which has the shape ", x.ToString());
  Require(indices[0] == v[0], "there are ", indices[0], " indices for ", v[0], " rows of v");
}

}  // namespace plumb::fast
