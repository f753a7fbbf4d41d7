#include "fastpath/formulas/array/scatter_slices.h"

#include "spec/core/status.h"

namespace plumb::fast {

int CoordinatesOfSlices(const Shape& target, const Shape& indices, const Shape& updates) {
  Require(indices.rank() >= 1, "indices must have at least one dimension");
  const bool none = indices.elements() == 0 && updates.elements() == 0;
  Require(none || (target.elements() > 0 && indices.elements() > 0 && updates.elements() > 0), "indices of shape ",
          indices.ToString(), " and updates of shape ", updates.ToString(), " do not go into the shape ",
          target.ToString());
  const int batch = indices.rank() > 1 ? indices.rank() - 1 : 1;
  const int64_t coordinates = indices.rank() > 1 ? indices[batch] : 1;
  Require(coordinates <= target.rank(), "an index of ", coordinates, " coordinates does not fit the shape ",
          target.ToString());
  Require(target.elements() == 0 || coordinates >= 1, "an index must have at least one coordinate");
  const int depth = static_cast<int>(coordinates);
  bool fits = updates.rank() == batch + target.rank() - depth;
  for (int axis = 0; fits && axis < updates.rank(); ++axis) {
    fits = updates[axis] == (axis < batch ? indices[axis] : target[axis - batch + depth]);
  }
  Require(fits, "updates of shape ", updates.ToString(), " are not slices of the shape ", target.ToString(),
          " for indices of shape ", indices.ToString());
  return depth;
}

void RequireMatrixOfCoordinates(const Shape& target, const Shape& indices, const Shape& updates) {
  Require(indices.rank() != 1 || (indices.elements() == 0 && updates == target),
          "the indices must be a matrix of coordinates, not a vector");
}

}  // namespace plumb::fast
