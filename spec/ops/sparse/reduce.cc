#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The dimensions of a tensor of this shape, -1 for those that are open; nothing where their number is.
std::optional<std::vector<int64_t>> KnownDims(const ShapeContext& c, int i) {
  if (const auto dims = ConstantInts(c, i)) return dims;
  const PartialShape& shape = c.input(i);
  if (!shape.has_rank() || shape.rank() != 1 || shape.dim(0) < 0 || shape.dim(0) > kMaxRank) return std::nullopt;
  return std::vector<int64_t>(static_cast<size_t>(shape.dim(0)), -1);
}

// The shape of the tensor, without the named axes or with them as ones. Shapes and axes that do not fit are the
// kernel's to refuse, but for dimensions that would be negative.
PartialShape ReducedShape(const ShapeContext& c) {
  const auto input = KnownDims(c, 2), axes = ConstantInts(c, 3);
  const bool keep = c.attr<bool>("keep_dims");
  if (!input) return PartialShape::Unknown();
  const auto rank = std::ssize(*input);
  if (!axes) return keep ? PartialShape::OfRank(static_cast<int>(rank)) : PartialShape::Unknown();
  std::vector<bool> reduced(input->size(), false);
  for (const int64_t axis : *axes) {
    if (axis < -rank || axis >= rank) return PartialShape::Unknown();
    reduced[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = true;
  }
  std::vector<int64_t> dims;
  for (size_t axis = 0; axis < input->size(); ++axis) {
    const int64_t dim = reduced[axis] ? 1 : (*input)[axis];
    Require(dim >= -1, InputName(c, 2), " holds the dimension ", dim);
    if (!reduced[axis] || keep) dims.push_back(dim);
  }
  return PartialShape(std::move(dims));
}

Shapes SparseReduceShapes(const ShapeContext& c) { return {ReducedShape(c)}; }
Shapes SparseReduceSparseShapes(const ShapeContext&) {
  return {PartialShape::Unknown(), PartialShape::Unknown(), PartialShape::Unknown()};
}

// Each element has the gradient of the sum that it went into: its coordinates, with zeros along the reduced axes.
Values SparseReduceSumGradient(Gradient& g) {
  const AttrMap to_int64 = {{"DstT", DType::kInt64}};
  const Endpoint shape = g.Call("Cast", {g.x(2)}, {{"DstT", DType::kInt32}});
  const Endpoint rank = g.Call("Size", {shape});
  const Endpoint axes = g.Call("FloorMod", {g.Call("Add", {Flat(g, g.x(3)), rank}), rank});
  const Endpoint named = g.Call("UnsortedSegmentSum", {g.Call("OnesLike", {axes}), axes, rank});
  const Endpoint is_kept = g.Call("Equal", {named, g.ZerosLike(named)});
  const Endpoint kept = g.Call("SelectV2", {is_kept, shape, One(g)});
  const Endpoint dy = g.Call("Reshape", {g.dy(), kept});
  const Endpoint at = g.Call("Mul", {g.x(0), g.Call("Cast", {is_kept}, to_int64)});
  return {GradientValue::None(), g.Call("GatherNd", {dy, at}), GradientValue::None(), GradientValue::None()};
}

std::vector<const char*> SparseReduceSamples() {
  return {"keep_dims=false/true: [9 3] sorted in 0..4 [9] {4, 4, 5} {1}",
          "keep_dims=false/true: [9 3] sorted in 0..4 [9] {4, 4, 4} {0, -1}",
          "[7 2] sorted in 0..5 [7] {5, 5} 0",
          "[7 2] sorted in 0..5 [7] {5, 5} {0, 1}",
          "keep_dims=false/true: [n 2] in 0..5 [n] {5, 5} {1}",
          "[0 2] in 0..1 [0] {3, 3} {1}"};
}

}  // namespace

std::span<const OpRow> SparseReduce() {
  static const OpRow rows[] = {
      {.signature = "SparseReduceSum(input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32) "
                    "-> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]",
       .doc = "The sums of the elements along the named axes, which stay with size 1 if keep_dims, as a dense tensor: "
              "zero where there are none.",
       .cpu = "T in [numbers]",
       .shape_fn = SparseReduceShapes,
       .accuracy = Summation(),
       .gradient = SparseReduceSumGradient,
       .samples = SparseReduceSamples()},
      {.signature = "SparseReduceSumSparse(input_indices: int64, input_values: T, input_shape: int64, reduction_axes: "
                    "int32) -> (output_indices: int64, output_values: T, output_shape: int64)",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]",
       .doc = "As SparseReduceSum, as a sparse tensor.",
       .cpu = "T in [numbers]",
       .shape_fn = SparseReduceSparseShapes,
       .accuracy = Summation(),
       .samples = SparseReduceSamples()},
      {.signature = "SparseReduceMax(input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32) "
                    "-> (output: T<either_zero>)",
       .attrs = "keep_dims: bool = false; T: type in [floats, ints]",
       .doc = "The largest of the elements along the named axes, which stay with size 1 if keep_dims, as a dense "
              "tensor: zero where there are none.",
       .shape_fn = SparseReduceShapes,
       .samples = SparseReduceSamples()},
      {.signature = "SparseReduceMaxSparse(input_indices: int64, input_values: T, input_shape: int64, reduction_axes: "
                    "int32) -> (output_indices: int64, output_values: T<either_zero>, output_shape: int64)",
       .attrs = "keep_dims: bool = false; T: type in [floats, ints]",
       .doc = "As SparseReduceMax, as a sparse tensor.",
       .shape_fn = SparseReduceSparseShapes,
       .samples = SparseReduceSamples()},
  };
  return rows;
}

}  // namespace plumb::topics
