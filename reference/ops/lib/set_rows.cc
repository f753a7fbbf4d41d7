#include "reference/ops/lib/set_rows.h"

#include <algorithm>

namespace plumb::reference {

SetRuns::SetRuns(const OpContext& c, int first, bool validate) : tensor_(SparseInput(c, first)) {
  const Shape shape = tensor_.dense_shape();
  Require(shape.rank() >= 2, "sets are the rows of a tensor of rank 2 at least, not of shape ", shape.ToString());
  if (validate) tensor_.CheckOrder();
  for (int64_t i = 0; i < tensor_.at.count; ++i) {
    const auto coordinates = tensor_.at.row(i);
    const std::vector<int64_t> row(coordinates.begin(), coordinates.end() - 1);
    if (runs_.empty() || runs_.back().row != row) runs_.push_back({row, i, i});
    runs_.back().end = i + 1;
  }
}

void SetRuns::CheckRun(const SetRun& run) const {
  for (int64_t i = run.begin; i < run.end; ++i) {
    for (int axis = 0; axis < tensor_.at.rank; ++axis) {
      if (tensor_.at(i, axis) >= shape()[static_cast<size_t>(axis)]) {
        throw Internal("coordinate ", axis, " of the element number ", i, " is beyond the shape ",
                       tensor_.dense_shape().ToString());
      }
    }
  }
}

}  // namespace plumb::reference
