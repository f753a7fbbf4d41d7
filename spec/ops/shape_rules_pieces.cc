#include <algorithm>

#include "spec/ops/shape_helpers.h"
#include "spec/ops/shape_rules.h"

namespace plumb::shape_rules {
namespace {

// The rank that all of the first `count` inputs share; -1 where none is known.
int CommonRank(const ShapeContext& c, int count) {
  int rank = -1;
  for (int i = 0; i < count; ++i) {
    if (!c.input(i).has_rank()) continue;
    if (rank < 0) rank = c.input(i).rank();
    WithRank(c, i, rank);
  }
  return rank;
}

}  // namespace

Shapes ConcatV2(const ShapeContext& c) {
  const int count = c.num_inputs() - 1;
  RequireScalar(c, count);
  for (int i = 0; i < count; ++i) WithRankAtLeast(c, i, 1);
  const int rank = CommonRank(c, count);
  const auto axis = ConstantInt(c, count);
  if (rank < 0) return {PartialShape::Unknown()};
  if (!axis) return {PartialShape::OfRank(rank)};
  const int at = CanonicalAxis(c, *axis, rank);
  std::vector<int64_t> dims(rank, -1);
  dims[at] = 0;
  for (int i = 0; i < count; ++i) {
    for (int d = 0; d < rank; ++d) {
      const int64_t size = c.input(i).dim(d);
      dims[d] = d == at ? AddSizes(dims[d], size) : MergeDims(c, dims[d], size);
    }
  }
  return {PartialShape(std::move(dims))};
}

Shapes Pack(const ShapeContext& c) {
  PartialShape part = c.input(0);
  for (int i = 1; i < c.num_inputs(); ++i) part = MergeShapes(c, part, c.input(i));
  if (!part.has_rank()) return {part};
  const int at = CanonicalAxis(c, c.attr<int64_t>("axis"), part.rank() + 1);
  return {Join(Join(Part(part, 0, at), PartialShape{c.num_inputs()}), Part(part, at))};
}

Shapes Unpack(const ShapeContext& c) {
  const int64_t count = c.attr<int64_t>("num");
  const PartialShape& value = WithRankAtLeast(c, 0, 1);
  PartialShape part;
  if (value.has_rank()) {
    const int at = CanonicalAxis(c, c.attr<int64_t>("axis"), value.rank());
    MergeDims(c, value.dim(at), count);
    part = Join(Part(value, 0, at), Part(value, at + 1));
  }
  return Shapes(static_cast<size_t>(count), part);
}

Shapes Split(const ShapeContext& c) {
  RequireScalar(c, 0);
  const PartialShape& value = WithRankAtLeast(c, 1, 1);
  const int64_t count = c.attr<int64_t>("num_split");
  const auto axis = ConstantInt(c, 0);
  PartialShape part;
  if (value.has_rank() && !axis) part = count == 1 ? value : PartialShape::OfRank(value.rank());
  if (value.has_rank() && axis) {
    const int at = CanonicalAxis(c, *axis, value.rank());
    const int64_t size = value.dim(at);
    Require(size < 0 || size % count == 0, "Split: the dimension ", at, " of size ", size, " is no multiple of ",
            count);
    part = WithDim(value, at, size < 0 ? -1 : size / count);
  }
  return Shapes(static_cast<size_t>(count), part);
}

namespace {

// The sizes of SplitV's pieces; one of them may be -1: the rest of `total` (itself -1 when unknown).
std::vector<int64_t> PieceSizes(std::vector<int64_t> sizes, int64_t total) {
  int64_t sum = 0;
  int64_t* rest = nullptr;
  for (int64_t& size : sizes) {
    Require(size >= -1, "SplitV: a piece of the size ", size);
    if (size >= 0) {
      sum = AddSizes(sum, size);
      continue;
    }
    Require(rest == nullptr, "SplitV: only one size may be -1");
    rest = &size;
  }
  if (total < 0) return sizes;
  Require(rest != nullptr ? sum <= total : sum == total, "SplitV: pieces of ", sum, " in all do not make up ", total);
  if (rest != nullptr) *rest = total - sum;
  return sizes;
}

}  // namespace

Shapes SplitV(const ShapeContext& c) {
  RequireScalar(c, 2);
  const int64_t count = c.attr<int64_t>("num_split");
  const PartialShape lengths = WithRank(c, 1, 1);
  Require(lengths.dim(0) < 0 || lengths.dim(0) == count, "SplitV: ", lengths.dim(0), " sizes for ", count, " pieces");
  const PartialShape& value = c.input(0);
  const auto axis = ConstantInt(c, 2);
  if (!value.has_rank()) return Shapes(static_cast<size_t>(count));
  if (!axis) return Shapes(static_cast<size_t>(count), PartialShape::OfRank(value.rank()));
  const int at = CanonicalAxis(c, *axis, value.rank());
  const auto sizes = ConstantInts(c, 1);
  if (!sizes) return Shapes(static_cast<size_t>(count), WithDim(value, at, count == 1 ? value.dim(at) : -1));
  Require(static_cast<int64_t>(sizes->size()) == count, "SplitV: ", sizes->size(), " sizes for ", count, " pieces");
  Shapes pieces;
  for (const int64_t size : PieceSizes(*sizes, value.dim(at))) pieces.push_back(WithDim(value, at, size));
  return pieces;
}

Shapes Pad(const ShapeContext& c) {
  const PartialShape paddings = WithRank(c, 1, 2);
  MergeDims(c, paddings.dim(1), 2);
  const PartialShape& input = c.input(0);
  if (input.has_rank()) MergeDims(c, paddings.dim(0), input.rank());
  const auto amounts = ConstantInts(c, 1);
  if (!amounts) {
    const int64_t rank = input.has_rank() ? input.rank() : paddings.dim(0);
    if (rank < 0) return {PartialShape::Unknown()};
    Require(rank <= kMaxRank, "Pad: ", rank, " dimensions are too many");
    return {PartialShape::OfRank(static_cast<int>(rank))};
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i + 1 < amounts->size(); i += 2) {
    const int64_t before = (*amounts)[i];
    const int64_t after = (*amounts)[i + 1];
    Require(before >= 0 && after >= 0, "Pad: paddings must not be negative: ", before, ", ", after);
    const int64_t size = input.has_rank() ? input.dim(static_cast<int>(i / 2)) : -1;
    dims.push_back(AddSizes(size, AddSizes(before, after)));
  }
  return {PartialShape(std::move(dims))};
}

Shapes Tile(const ShapeContext& c) {
  WithRank(c, 1, 1);
  const PartialShape multiples = ConstantShape(c, 1);
  const PartialShape& input = c.input(0);
  if (!multiples.has_rank()) return {input.has_rank() ? PartialShape::OfRank(input.rank()) : input};
  if (!input.has_rank()) return {PartialShape::OfRank(multiples.rank())};
  WithRank(c, 0, multiples.rank());
  std::vector<int64_t> dims;
  dims.reserve(input.rank());
  for (int axis = 0; axis < input.rank(); ++axis) {
    dims.push_back(MultiplySizes(c, input.dim(axis), multiples.dim(axis)));
  }
  return {PartialShape(std::move(dims))};
}

Shapes GatherV2(const ShapeContext& c) {
  const PartialShape& params = WithRankAtLeast(c, 0, 1);
  const PartialShape& indices = c.input(1);
  RequireScalar(c, 2);
  int64_t batch_dims = c.attr<int64_t>("batch_dims");
  const auto axis = ConstantInt(c, 2);
  if (axis)
    WithRankAtLeast(c, 0,
                    *axis < 0 ? -std::max<int64_t>(*axis, -kMaxRank - 1) : std::min<int64_t>(*axis, kMaxRank) + 1);
  if (!params.has_rank() || !indices.has_rank()) return {PartialShape::Unknown()};
  Require(batch_dims >= -indices.rank() && batch_dims <= indices.rank(), "GatherV2: batch_dims ", batch_dims,
          " is outside the rank ", indices.rank(), " of the indices");
  if (batch_dims < 0) batch_dims += indices.rank();
  Require(batch_dims < params.rank(), "GatherV2: batch_dims ", batch_dims, " is not below the rank ", params.rank());
  if (!axis) return {PartialShape::OfRank(static_cast<int>(params.rank() + indices.rank() - 1 - batch_dims))};
  const int at = CanonicalAxis(c, *axis, params.rank());
  Require(batch_dims <= at, "GatherV2: batch_dims ", batch_dims, " is above the axis ", at);
  PartialShape outer = Part(params, 0, at);
  for (int d = 0; d < batch_dims; ++d) outer = WithDim(outer, d, MergeDims(c, outer.dim(d), indices.dim(d)));
  return {Join(Join(outer, Part(indices, static_cast<int>(batch_dims))), Part(params, at + 1))};
}

namespace {

// What remains of input `whole` behind the dimensions of input `prefix`, with which it must begin.
PartialShape Behind(const ShapeContext& c, int whole, int prefix) {
  if (!c.input(prefix).has_rank()) return PartialShape::Unknown();
  const PartialShape& shape = WithRankAtLeast(c, whole, c.input(prefix).rank());
  if (!shape.has_rank()) return shape;
  for (int axis = 0; axis < c.input(prefix).rank(); ++axis) MergeDims(c, shape.dim(axis), c.input(prefix).dim(axis));
  return Part(shape, c.input(prefix).rank());
}

}  // namespace

Shapes DynamicPartition(const ShapeContext& c) {
  const PartialShape part = Join(PartialShape{-1}, Behind(c, 0, 1));
  return Shapes(static_cast<size_t>(c.attr<int64_t>("num_partitions")), part);
}

Shapes DynamicStitch(const ShapeContext& c) {
  const int count = static_cast<int>(c.attr<int64_t>("N"));
  PartialShape row;
  int64_t rows = 0;  // one more than the largest index; -1: unknown
  for (int i = 0; i < count; ++i) {
    row = MergeShapes(c, row, Behind(c, count + i, i));
    const auto indices = ConstantInts(c, i);
    if (!indices) rows = -1;
    if (!indices || rows < 0) continue;
    for (const int64_t index : *indices) rows = std::max(rows, index + 1);
  }
  return {Join(PartialShape{rows}, row)};
}

}  // namespace plumb::shape_rules
