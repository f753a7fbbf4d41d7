#include <limits>

#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

// The elements of one piece, which covers [offset, offset + size) along an axis.
void PutPiece(OpContext& c, int piece, const SparseTensor& tensor, int axis, int64_t offset, int64_t size) {
  const auto pieces = static_cast<int>(c.attr<int64_t>("num_split"));
  Coordinates at{0, tensor.at.rank, {}};
  std::vector<int64_t> from;
  for (int64_t i = 0; i < tensor.at.count; ++i) {
    const int64_t place = tensor.at(i, axis) - offset;
    if (place < 0 || place >= size) continue;
    const auto row = tensor.at.row(i);
    std::vector<int64_t> moved(row.begin(), row.end());
    moved[static_cast<size_t>(axis)] = place;
    at.Append(moved);
    from.push_back(i);
  }
  std::vector<int64_t> shape = tensor.shape;
  shape[static_cast<size_t>(axis)] = size;
  c.Output(piece, TensorOf(at));
  c.Output(pieces + piece, Gathered(tensor.values, {at.count}, from));
  c.Output(2 * pieces + piece, VectorOf(shape));
}

void SparseSplit(OpContext& c) {
  const int64_t wanted = ScalarOf(c.tensor(0), "split_dim"), pieces = c.attr<int64_t>("num_split");
  const SparseTensor tensor = SparseInput(c, 1);
  const Shape shape = tensor.dense_shape();
  const int axis = ResolveAxis(wanted, shape.rank(), "split_dim");
  const int64_t whole = shape.dim(axis);
  Require(pieces <= whole, "a size of ", whole, " cannot be split into ", pieces, " pieces");
  Require(whole <= std::numeric_limits<int32_t>::max(), "a size of ", whole, " is too large to be split");
  for (int64_t i = 0; i < tensor.at.count; ++i) {
    Require(tensor.at(i, axis) >= 0 && tensor.at(i, axis) < whole, "the coordinate ", tensor.at(i, axis),
            " of element ", i, " along the axis is outside of a size of ", whole);
  }
  int64_t offset = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    const int64_t size = whole / pieces + (piece < whole % pieces ? 1 : 0);
    PutPiece(c, piece, tensor, axis, offset, size);
    offset += size;
  }
}

constexpr KernelRow kRows[] = {
    {"SparseSplit", SparseSplit},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseSplit() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
