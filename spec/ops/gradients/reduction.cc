// Gradients of reductions.
#include "spec/ops/gradients.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

// The input's shape with the reduced axes set to 1, whatever keep_dims says.
Endpoint KeptShape(Gradient& g, Endpoint input_shape) {
  const Endpoint rank = g.Call("Rank", {g.x(0)});
  const Endpoint zero = g.Scalar(0, DType::kInt32), one = g.Scalar(1, DType::kInt32);
  Endpoint axes = g.x(1);
  if (g.dtype(axes) != DType::kInt32) axes = g.Call("Cast", {axes}, {{"DstT", DType::kInt32}});
  axes = g.Call("Reshape", {axes, g.Int32s({-1})});
  axes = g.Call("FloorMod", {g.Call("Add", {axes, rank}), g.Call("Maximum", {rank, one})});
  const Endpoint all = g.Call("Range", {zero, rank, one});
  const Endpoint ones = g.Call("Fill", {g.ShapeOf(axes), one});
  return g.Call("DynamicStitch", {all, axes, input_shape, ones}, {{"N", 2}});
}

// `value`, shaped like the reduction's result, repeated over the reduced axes.
Endpoint Spread(Gradient& g, Endpoint value, Endpoint input_shape, Endpoint kept) {
  const Endpoint repeats = g.Call("FloorDiv", {input_shape, g.Call("Maximum", {kept, g.Scalar(1, DType::kInt32)})});
  return g.Call("Tile", {g.Call("Reshape", {value, kept}), repeats});
}

Endpoint SpreadGradient(Gradient& g) {
  const Endpoint input_shape = g.ShapeOf(g.x(0));
  return Spread(g, g.dy(), input_shape, KeptShape(g, input_shape));
}

// The gradient is shared evenly by the elements that equal the result.
Values Extremum(Gradient& g) {
  const Endpoint input_shape = g.ShapeOf(g.x(0));
  const Endpoint kept = KeptShape(g, input_shape);
  const DType dtype = g.dtype(g.x(0));
  const Endpoint equal =
      g.Call("Cast", {g.Call("Equal", {Spread(g, g.y(), input_shape, kept), g.x(0)})}, {{"DstT", dtype}});
  const Endpoint count = g.Call("Reshape", {g.Call("Sum", {equal, g.x(1)}), kept});
  const Endpoint share = g.Call("RealDiv", {equal, count});
  return {g.Call("Mul", {share, g.Call("Reshape", {g.dy(), kept})}), GradientValue::None()};
}

}  // namespace

Values SumGradient(Gradient& g) { return {SpreadGradient(g), GradientValue::None()}; }

Values MeanGradient(Gradient& g) {
  const Endpoint inputs = g.Call("Cast", {g.Call("Size", {g.x(0)})}, {{"DstT", g.dtype(g.dy())}});
  const Endpoint outputs = g.Call("Cast", {g.Call("Size", {g.y(0)})}, {{"DstT", g.dtype(g.dy())}});
  const Endpoint one = g.Scalar(1, g.dtype(g.dy()));
  const Endpoint factor = g.Call("RealDiv", {inputs, g.Call("Maximum", {outputs, one})});
  return {g.Call("RealDiv", {SpreadGradient(g), factor}), GradientValue::None()};
}

Values MaxGradient(Gradient& g) { return Extremum(g); }
Values MinGradient(Gradient& g) { return Extremum(g); }

// Every factor's gradient is the product of all others, computed without division so that zeros are right: the axes are
// moved so that the reduced ones form the rows of a matrix, and the products before and after each row are multiplied.
Values ProdGradient(Gradient& g) {
  const Endpoint zero = g.Scalar(0, DType::kInt32), one = g.Scalar(1, DType::kInt32);
  const Endpoint input_shape = g.ShapeOf(g.x(0));
  const Endpoint rank = g.Call("Rank", {g.x(0)});
  Endpoint axes = g.x(1);
  if (g.dtype(axes) != DType::kInt32) axes = g.Call("Cast", {axes}, {{"DstT", DType::kInt32}});
  axes = g.Call("FloorMod",
                {g.Call("Add", {g.Call("Reshape", {axes, g.Int32s({-1})}), rank}), g.Call("Maximum", {rank, one})});
  // Reduced axes first, then the others in order: stable by construction of the mask.
  const Endpoint reduced_mask = g.Call("UnsortedSegmentSum", {g.Call("Fill", {g.ShapeOf(axes), one}), axes, rank});
  const Endpoint kept_axes =
      g.Call("Reshape", {g.Call("Where", {g.Call("Equal", {reduced_mask, zero})}), g.Int32s({-1})});
  const Endpoint reduced_axes =
      g.Call("Reshape", {g.Call("Where", {g.Call("Greater", {reduced_mask, zero})}), g.Int32s({-1})});
  const AttrMap to_int32 = {{"DstT", DType::kInt32}};
  const Endpoint kept = g.Call("Cast", {kept_axes}, to_int32), reduced = g.Call("Cast", {reduced_axes}, to_int32);
  const Endpoint perm = g.Call("ConcatV2", {reduced, kept, zero}, {{"N", 2}});
  const Endpoint rows = g.Call("Prod", {g.Call("GatherV2", {input_shape, reduced, zero}), zero});
  const Endpoint columns = g.Call("Prod", {g.Call("GatherV2", {input_shape, kept, zero}), zero});
  const Endpoint moved = g.Call("Transpose", {g.x(0), perm});
  const Endpoint moved_shape = g.ShapeOf(moved);
  const Endpoint matrix = g.Call("Reshape", {moved, g.Call("Pack", {rows, columns})});
  const Endpoint before = g.Call("Cumprod", {matrix, zero}, {{"exclusive", true}});
  const Endpoint after = g.Call("Cumprod", {matrix, zero}, {{"exclusive", true}, {"reverse", true}});
  const Endpoint others = g.Call("Reshape", {g.Call("Mul", {g.Conjugate(before), g.Conjugate(after)}), moved_shape});
  const Endpoint back = g.Call("Transpose", {others, g.Call("InvertPermutation", {perm})});
  const Endpoint product = g.Call("Mul", {SpreadGradient(g), back});
  return {g.Call("Reshape", {product, input_shape}), GradientValue::None()};
}

Values ArgMaxGradient(Gradient&) { return {GradientValue::None(), GradientValue::None()}; }
Values ArgMinGradient(Gradient&) { return {GradientValue::None(), GradientValue::None()}; }

namespace {
// A running sum in the opposite direction.
Endpoint SumBack(Gradient& g, Endpoint value) {
  return g.Call("Cumsum", {value, g.x(1)},
                {{"exclusive", g.attr<bool>("exclusive")}, {"reverse", !g.attr<bool>("reverse")}});
}
}  // namespace

Values CumsumGradient(Gradient& g) { return {SumBack(g, g.dy()), GradientValue::None()}; }

// The products that an element is part of, each divided by that element; a zero element leaves NaN, as in TensorFlow.
Values CumprodGradient(Gradient& g) {
  const Endpoint sum = SumBack(g, g.Call("Mul", {g.y(), g.dy()}));
  return {g.Call("RealDiv", {sum, g.x(0)}), GradientValue::None()};
}

// Rows whose segment id is negative were dropped, so their gradient is zero.
Values UnsortedSegmentSumGradient(Gradient& g) {
  const Endpoint ids = g.x(1);
  const DType dtype = g.dtype(ids);
  const Endpoint zeros = g.ZerosLike(ids);
  const Endpoint rows = g.Call("GatherV2", {g.dy(), g.Call("Maximum", {ids, zeros}), g.Scalar(0, DType::kInt32)});
  const Endpoint valid =
      g.Call("Cast", {g.Call("GreaterEqual", {ids, g.Scalar(0, dtype)})}, {{"DstT", g.dtype(g.dy())}});
  const Endpoint rank = g.Call("Sub", {g.Call("Rank", {rows}), g.Call("Rank", {ids})});
  const Endpoint trailing =
      g.Call("Fill", {g.Call("ExpandDims", {rank, g.Scalar(0, DType::kInt32)}), g.Scalar(1, DType::kInt32)});
  const Endpoint mask_shape = g.Call("ConcatV2", {g.ShapeOf(ids), trailing, g.Scalar(0, DType::kInt32)}, {{"N", 2}});
  const Endpoint mask = g.Call("Reshape", {valid, mask_shape});
  return {g.Call("Mul", {rows, mask}), GradientValue::None(), GradientValue::None()};
}

}  // namespace plumb
