// The same elements in another order, repeated, or among zeros.
#include "reference/index.h"
#include "reference/numbers_io.h"
#include "reference/ops/array.h"

namespace plumb::reference {

void Transpose(OpContext& context) {
  const Value& x = context.input(0);
  const Shape& shape = x.tensor.shape();
  const auto perm = IntegersOf(context.tensor(1), "perm");
  Require(context.tensor(1).rank() == 1 && static_cast<int>(perm.size()) == shape.rank(), "perm must be a vector of ",
          shape.rank(), " axes, not of shape ", context.tensor(1).shape().ToString());
  const auto own = Strides(shape);
  std::vector<int64_t> dims, strides;
  std::vector<bool> seen(shape.rank(), false);
  for (const int64_t entry : perm) {
    Require(0 <= entry && entry < shape.rank(), "perm names ", entry, ", which is not in [0, ", shape.rank(), ")");
    const int axis = static_cast<int>(entry);
    Require(!seen[axis], "perm names the axis ", axis, " twice");
    seen[axis] = true;
    dims.push_back(shape.dim(axis));
    strides.push_back(own[axis]);
  }
  const Shape result(dims);
  context.Output(0, Gathered(x, result, Positions(result, strides)));
}

namespace {

std::vector<int64_t> MultiplesOf(OpContext& context) {
  const int rank = context.tensor(0).rank();
  auto multiples = IntegersOf(context.tensor(1), "multiples");
  Require(context.tensor(1).rank() == 1 && static_cast<int>(multiples.size()) == rank,
          "multiples must be a vector of length ", rank, ", not of shape ", context.tensor(1).shape().ToString());
  return multiples;
}

// A tile of shape d repeated m times along each axis has the axes m₀ d₀ m₁ d₁ …; the former leave the position alone.
std::vector<int64_t> TilePositions(const Shape& tile, const std::vector<int64_t>& multiples) {
  const auto own = Strides(tile);
  std::vector<int64_t> dims, strides;
  for (int axis = 0; axis < tile.rank(); ++axis) {
    dims.insert(dims.end(), {multiples[axis], tile.dim(axis)});
    strides.insert(strides.end(), {0, own[axis]});
  }
  return Positions(Shape(dims), strides);
}

}  // namespace

void Tile(OpContext& context) {
  const Shape& shape = context.tensor(0).shape();
  const auto multiples = MultiplesOf(context);
  std::vector<int64_t> dims;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    Require(multiples[axis] >= 0, "multiples[", axis, "] must not be negative: ", multiples[axis]);
    const auto dim = CheckedMultiply(shape.dim(axis), multiples[axis]);
    Require(dim.has_value(), "dimension ", axis, " of the result is too large");
    dims.push_back(*dim);
  }
  const Shape result(dims);
  CheckResultSize(result);
  context.Output(0, Gathered(context.input(0), result, TilePositions(shape, multiples)));
}

// The sum of all the tiles.
void TileGrad(OpContext& context) {
  const Tensor& x = context.tensor(0);
  const auto multiples = MultiplesOf(context);
  std::vector<int64_t> dims;
  for (int axis = 0; axis < x.rank(); ++axis) {
    Require(multiples[axis] > 0 && x.dim(axis) % multiples[axis] == 0, "dimension ", axis, " of size ", x.dim(axis),
            " does not consist of ", multiples[axis], " tiles");
    dims.push_back(x.dim(axis) / multiples[axis]);
  }
  const Shape tile(dims);
  const auto positions = TilePositions(tile, multiples);
  if (x.dtype() == DType::kBool)
    throw NoKernel(Code::kInvalidArgument, "no kernel is registered that adds elements of type bool");
  ForNumber(x.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto tiles = Load<N>(context.input(0));
    std::vector<SumOf<N>> sums(tile.elements());
    for (size_t i = 0; i < positions.size(); ++i) sums[positions[i]].Add(tiles.at[i]);
    auto result = MakeArray<N>(x.dtype(), tile);
    for (int64_t i = 0; i < tile.elements(); ++i) result[i] = sums[i].Result();
    context.Output(0, Store(result));
  });
}

void Pad(OpContext& context) {
  const Value& value = context.input(0);
  const Shape& shape = value.tensor.shape();
  const Tensor& table = context.tensor(1);
  Require(table.rank() == 2 && table.dim(0) == shape.rank() && table.dim(1) == 2, "paddings must have the shape [",
          shape.rank(), ",2], not ", table.shape().ToString());
  const auto paddings = IntegersOf(table.Reshaped({table.elements()}), "paddings");
  std::vector<int64_t> dims;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int64_t before = paddings[2 * axis], after = paddings[2 * axis + 1];
    Require(before >= 0 && after >= 0, "paddings must not be negative: ", before, " ", after);
    const Integer dim = Integer(before) + shape.dim(axis) + after;
    Require(Wrap(dim, DType::kInt64) == dim, "dimension ", axis, " of the result is too large");
    dims.push_back(static_cast<int64_t>(dim));
  }
  const Shape result(dims);
  CheckResultSize(result);
  const auto strides = Strides(result);
  int64_t base = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) base += paddings[2 * axis] * strides[axis];
  context.Output(0, Scattered(value, result, Positions(shape, strides, base)));
}

// Where nothing can move, the axes are not looked at.
void Reverse(OpContext& context) {
  const Shape& shape = context.tensor(0).shape();
  if (shape.rank() == 0 || shape.elements() == 0) return context.Output(0, context.input(0));
  Require(context.tensor(1).rank() == 1, "axis must be a vector, not of shape ", context.tensor(1).shape().ToString());
  auto strides = Strides(shape);
  std::vector<bool> reversed(shape.rank(), false);
  int64_t base = 0;
  for (const int64_t entry : IntegersOf(context.tensor(1), "axis")) {
    const int axis = ResolveAxis(entry, shape.rank(), "axis");
    Require(!reversed[axis], "axis ", axis, " is named twice");
    reversed[axis] = true;
    base += (shape.dim(axis) - 1) * strides[axis];
    strides[axis] = -strides[axis];
  }
  context.Output(0, Gathered(context.input(0), shape, Positions(shape, strides, base)));
}

// Of each batch entry, the first seq_lengths elements along seq_dim are reversed.
void ReverseSequence(OpContext& context) {
  const Value& value = context.input(0);
  const Shape& shape = value.tensor.shape();
  const auto lengths = IntegersOf(context.tensor(1), "seq_lengths");
  const auto axis_attr = [&](std::string_view name) {
    const int64_t axis = context.attr<int64_t>(name);
    Require(0 <= axis && axis < shape.rank(), name, " must be below the rank ", shape.rank(), ", not ", axis);
    return static_cast<int>(axis);
  };
  const int sequence = axis_attr("seq_dim"), batch = axis_attr("batch_dim");
  Require(sequence != batch, "seq_dim and batch_dim must differ: ", sequence);
  Require(context.tensor(1).rank() == 1 && static_cast<int64_t>(lengths.size()) == shape.dim(batch),
          "seq_lengths must be a vector of length ", shape.dim(batch), ", not ", lengths.size());
  for (const int64_t length : lengths) {
    Require(0 <= length && length <= shape.dim(sequence), "a sequence length must be in [0, ", shape.dim(sequence),
            "], not ", length);
  }
  const auto strides = Strides(shape);
  auto positions = Positions(shape, strides);
  for (int64_t& position : positions) {
    const int64_t step = position / strides[sequence] % shape.dim(sequence);
    const int64_t length = lengths[position / strides[batch] % shape.dim(batch)];
    if (step < length) position += (length - 1 - 2 * step) * strides[sequence];
  }
  context.Output(0, Gathered(value, shape, positions));
}

}  // namespace plumb::reference
