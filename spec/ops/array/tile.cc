#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes TileShapes(const ShapeContext& c) {
  WithRank(c, 1, 1);
  PartialShape multiples = ConstantShape(c, 1), input = c.input(0);
  if (!multiples.has_rank() && !input.has_rank()) return {input};
  if (!multiples.has_rank()) multiples = PartialShape::OfRank(input.rank());
  input = WithRank(c, 0, multiples.rank());
  std::vector<int64_t> dims;
  dims.reserve(input.rank());
  for (int axis = 0; axis < input.rank(); ++axis) {
    dims.push_back(MultiplySizes(c, input.dim(axis), multiples.dim(axis)));
  }
  return {PartialShape(std::move(dims))};
}

// As much of the tile as the multiples say; what they do not fit is for the kernel to refuse.
Shapes TileGradShapes(const ShapeContext& c) {
  const auto multiples = ConstantInts(c, 1);
  const PartialShape& input = c.input(0);
  if (!multiples || !input.has_rank() || static_cast<int>(multiples->size()) != input.rank()) {
    return {PartialShape::Unknown()};
  }
  std::vector<int64_t> dims;
  for (int axis = 0; axis < input.rank(); ++axis) {
    const int64_t times = (*multiples)[static_cast<size_t>(axis)], dim = input.dim(axis);
    dims.push_back(times > 0 && dim >= 0 && dim % times == 0 ? dim / times : -1);
  }
  return {PartialShape(std::move(dims))};
}

// Every copy adds up: the gradient is seen as [multiple, size, multiple, size, …] and summed over the multiples.
Values TileGradient(Gradient& g) {
  const DType index = g.dtype(g.x(1));
  const Endpoint input_shape = g.Call("Shape", {g.x(0)}, {{"out_type", index}});
  const Endpoint interleaved =
      g.Call("Reshape", {g.Call("Pack", {g.x(1), input_shape}, {{"axis", 1}}), g.Int32s({-1})});
  const Endpoint zero = g.Scalar(0, DType::kInt32), two = g.Scalar(2, DType::kInt32);
  const Endpoint axes = g.Call("Range", {zero, g.Call("Size", {interleaved}), two});
  const Endpoint sum = g.Call("Sum", {g.Call("Reshape", {g.dy(), interleaved}), axes});
  return {g.Call("Reshape", {sum, input_shape}), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ArrayTile() {
  static const OpRow rows[] = {
      {.signature = "Tile(input: T, multiples: Tmultiples) -> (output: T) hands_on",
       .attrs = "T: type; Tmultiples: type = int32 in [int32, int64]",
       .doc = "The input repeated multiples[i] times along each dimension i.",
       .gpu = "T in [floats, complexes, bool, int16, int32, int64]",
       .shape_fn = TileShapes,
       .gradient = TileGradient,
       .samples = {"[a b] {2, 3}", "[a] {0}", "[] {}", "[a b c] {2, 3, 1}", "[a b] {1, 1}"}},
      {.signature = "TileGrad(input: T, multiples: int32) -> (output: T)",
       .attrs = "T: type",
       .doc = "The gradient of Tile: the tiles of the input added up.",
       .cpu = "T in [floats, complexes, int16, int32, int64]",
       .gpu = "all",
       .shape_fn = TileGradShapes,
       .accuracy = Summation(),
       .samples = {"[4 6] {2, 3}", "[6] {1}"},
       .deprecated = {3, "TileGrad has been replaced with reduce_sum"}},
  };
  return rows;
}

}  // namespace plumb::topics
