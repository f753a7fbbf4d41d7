#include <algorithm>

#include "reference/ops/lib/sparse_tensor.h"
#include "reference/ops/ragged/splits.h"

namespace plumb::reference {
namespace {

int64_t Longest(const std::vector<int64_t>& splits) {
  int64_t longest = 0;
  for (size_t row = 1; row < splits.size(); ++row) longest = std::max(longest, splits[row] - splits[row - 1]);
  return longest;
}

// Puts down the coordinates of all values in row `row` of ragged axis `axis`, whose own coordinates are `prefix`.
void Walk(const std::vector<std::vector<int64_t>>& nested, size_t axis, int64_t row, std::vector<int64_t>& prefix,
          const std::vector<std::vector<int64_t>>& suffixes, Coordinates& at) {
  if (axis == nested.size()) {
    for (const auto& suffix : suffixes) {
      std::vector<int64_t> coordinates = prefix;
      coordinates.insert(coordinates.end(), suffix.begin(), suffix.end());
      at.Append(coordinates);
    }
    return;
  }
  const std::vector<int64_t>& splits = nested[axis];
  for (int64_t inner = splits[row]; inner < splits[row + 1]; ++inner) {
    prefix.push_back(inner - splits[row]);
    Walk(nested, axis + 1, inner, prefix, suffixes, at);
    prefix.pop_back();
  }
}

void RaggedToSparse(OpContext& c) {
  const auto ragged_rank = static_cast<int>(c.attr<int64_t>("RAGGED_RANK"));
  const Tensor& values = c.tensor(ragged_rank);
  std::vector<std::vector<int64_t>> nested;
  for (int i = 0; i < ragged_rank; ++i) nested.push_back(SplitsOf(c, i));
  for (int i = 0; i < ragged_rank; ++i) {
    const auto& splits = nested[static_cast<size_t>(i)];
    const int64_t inner = i + 1 < ragged_rank ? RowsIn(nested[static_cast<size_t>(i) + 1]) : RowsOfValues(values);
    Require(splits.front() == 0 && splits.back() == inner, "splits must go from 0 to the ", inner,
            " rows inside, not from ", splits.front(), " to ", splits.back());
  }
  const Shape row_shape = Subshape(values.shape(), 1, values.rank());
  std::vector<std::vector<int64_t>> suffixes;
  for (int64_t i = 0; values.elements() > 0 && i < row_shape.elements(); ++i) {
    suffixes.push_back(CoordinatesAt(row_shape.ToVector(), i));
  }
  Coordinates at{0, ragged_rank + values.rank(), {}};
  CheckResultSize({values.elements(), at.rank});
  for (int64_t row = 0; values.elements() > 0 && row < RowsIn(nested[0]); ++row) {
    std::vector<int64_t> prefix = {row};
    Walk(nested, 0, row, prefix, suffixes, at);
  }
  // The rows of the sparse tensor are counted by the first dimension of the outer splits.
  std::vector<int64_t> shape = {c.tensor(0).dim(0) - 1};
  for (const auto& splits : nested) shape.push_back(Longest(splits));
  for (const int64_t dim : row_shape.dims()) shape.push_back(dim);
  SparseOutput(c, 0, at, Reshaped(c.input(ragged_rank), {values.elements()}), shape);
}

constexpr KernelRow kRows[] = {
    {"RaggedTensorToSparse", RaggedToSparse},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RaggedToSparse() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
