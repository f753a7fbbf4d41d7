// A tensor repeated along its axes, and the sum of the repetitions.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
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

// T11.
bool IsTiled(DType dtype) { return !IsQuantized(dtype) && dtype != DType::kUint16; }

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
  if (result == shape) return context.Output(0, context.input(0));  // R31
  if (const DType dtype = context.tensor(0).dtype(); result.elements() > 0 && !IsTiled(dtype)) {
    throw Unimplemented("tensors of type ", DTypeName(dtype), " are not repeated");
  }
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

constexpr KernelRow kRows[] = {
    {"Tile", Tile},
    {"TileGrad", TileGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayTile() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
