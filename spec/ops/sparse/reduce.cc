#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The shape of the tensor, without the named axes or with them as ones.
PartialShape ReducedShape(const ShapeContext& c) {
  const PartialShape input = ConstantShape(c, 2);
  const auto axes = ConstantInts(c, 3);
  const bool keep = c.attr<bool>("keep_dims");
  if (!input.has_rank()) return PartialShape::Unknown();
  if (!axes) return keep ? PartialShape::OfRank(input.rank()) : PartialShape::Unknown();
  std::vector<bool> reduced(static_cast<size_t>(input.rank()), false);
  for (const int64_t axis : *axes) reduced[static_cast<size_t>(CanonicalAxis(c, axis, input.rank()))] = true;
  std::vector<int64_t> dims;
  for (int axis = 0; axis < input.rank(); ++axis) {
    const bool is_reduced = reduced[static_cast<size_t>(axis)];
    if (!is_reduced || keep) dims.push_back(is_reduced ? 1 : input.dim(axis));
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
