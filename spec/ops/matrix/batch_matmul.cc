#include "spec/ops/gradient_helpers.h"
#include "spec/ops/matrix/products.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

PartialShape BatchProductDims(const ShapeContext& c) {
  return ProductDims(c, c.input(0), c.attr<bool>("adj_x"), c.input(1), c.attr<bool>("adj_y"));
}

PartialShape BatchDims(const PartialShape& shape) { return Part(shape, 0, shape.rank() - 2); }

// Both operands have one rank, which either tells.
Shapes BatchMatMulShapes(const ShapeContext& c) {
  PartialShape x = WithRankAtLeast(c, 0, 2), y = WithRankAtLeast(c, 1, 2);
  if (!x.has_rank() && !y.has_rank()) return {PartialShape::Unknown()};
  if (!x.has_rank()) x = PartialShape::OfRank(y.rank());
  if (!y.has_rank()) y = PartialShape::OfRank(x.rank());
  const PartialShape product = ProductDims(c, x, c.attr<bool>("adj_x"), y, c.attr<bool>("adj_y"));
  return {Join(MergeShapes(c, BatchDims(x), BatchDims(y)), product)};
}

Shapes BatchMatMulV2Shapes(const ShapeContext& c) {
  const PartialShape& x = WithRankAtLeast(c, 0, 2);
  const PartialShape& y = WithRankAtLeast(c, 1, 2);
  if (!x.has_rank() || !y.has_rank()) return {PartialShape::Unknown()};
  return {Join(Broadcast(c, BatchDims(x), BatchDims(y)), BatchProductDims(c))};
}

// adj_x and adj_y conjugate by themselves.
Values BatchMatMulGradient(Gradient& g) {
  const auto [dx, dy] = BothSides(g, {"BatchMatMul", "adj_x", "adj_y"}, g.x(0), g.x(1));
  return {dx, dy};
}

// The batch dimensions broadcast, so each side is summed over those that it lacked.
Values BatchMatMulV2Gradient(Gradient& g) {
  const auto [dx, dy] = BothSides(g, {"BatchMatMulV2", "adj_x", "adj_y"}, g.x(0), g.x(1));
  const PartialShape &x_static = g.shape(g.x(0)), &y_static = g.shape(g.x(1));
  if (x_static.rank() == 2 && y_static.rank() == 2) return {dx, dy};
  const Endpoint x_shape = g.ShapeOf(g.x(0)), y_shape = g.ShapeOf(g.x(1));
  const auto batch = [&](Endpoint shape) {
    return g.Call("StridedSlice", {shape, g.Int32s({0}), g.Int32s({-2}), g.Int32s({1})}, {{"begin_mask", 1}});
  };
  const NodeId axes = g.Add("BroadcastGradientArgs", {batch(x_shape), batch(y_shape)});
  return {g.Call("Reshape", {g.Call("Sum", {dx, {axes, 0}}), x_shape}),
          g.Call("Reshape", {g.Call("Sum", {dy, {axes, 1}}), y_shape})};
}

}  // namespace

std::span<const OpRow> MatrixBatchMatmul() {
  static const OpRow rows[] = {
      {.signature = "BatchMatMul(x: T, y: T) -> (output: T)",
       .attrs = "T: type in [floats, complexes, int32, int64]; adj_x: bool = false; adj_y: bool = false",
       .doc = "The matrix products of two batches of matrices with equal batch dimensions; adj_x and adj_y "
              "take the conjugate transpose.",
       .gpu = "T in [floats, complexes]",
       .shape_fn = BatchMatMulShapes,
       .accuracy = Summation(),
       .gradient = BatchMatMulGradient,
       .samples = {"[b... m k] [b... k n]", "adj_x=true: [b k m] [b k n]", "adj_y=true: [b m k] [b n k]",
                   "adj_x=true adj_y=true: [b k m] [b n k]"}},
      {.signature = "BatchMatMulV2(x: T, y: T) -> (output: T)",
       .attrs = "T: type in [floats, complexes, int16, int32, int64, uint8, uint16, uint32, uint64]; adj_x: "
                "bool = false; adj_y: bool = false",
       .doc = "The matrix products of two batches of matrices whose batch dimensions broadcast; adj_x and "
              "adj_y take the conjugate transpose.",
       .cpu = "T in [floats, complexes, int16, int32, int64]",
       .gpu = "T in [floats, complexes]",
       .shape_fn = BatchMatMulV2Shapes,
       .accuracy = Summation(),
       .gradient = BatchMatMulV2Gradient,
       .samples = {"[b... m k] [b... k n]", "[a 1 m k] [b k n]", "[m k] [a b k n]", "adj_x=true: [b k m] [1 k n]",
                   "adj_y=true: [b m k] [n k]", "adj_x=true adj_y=true: [a 1 k m] [b n k]"}},
      {.signature = "BatchMatMulV3(x: Ta, y: Tb) -> (output: Tout)",
       .attrs = "Ta: type in [floats, complexes, uint8, int8, int16, int32, int64]; Tb: type in [floats, complexes, "
                "uint8, int8, int16, int32, int64]; Tout: type in [floats, complexes, int16, int32, int64]; adj_x: "
                "bool = false; adj_y: bool = false",
       .doc = "BatchMatMulV2 of operands of one type; or of bytes, which give int32; or of bytes and bfloat16, which "
              "give bfloat16.",
       .cpu = "Ta in [bfloat16, complexes, float32, float64, int16, int32, int64, int8, uint8]; Tb in [bfloat16, "
              "complexes, float32, float64, int16, int32, int64, int8, uint8]; Tout in [bfloat16, complexes, float32, "
              "float64, int16, int32, int64]",
       .shape_fn = BatchMatMulV2Shapes,
       .accuracy = Summation(),
       .gradient = BatchMatMulV2Gradient,
       .samples = {"Ta in [float32] Tb in [float32] Tout in [float32]: [a 1 m k] [b k n]",
                   "adj_x=true Ta in [float32] Tb in [float32] Tout in [float32]: [b k m] [1 k n]",
                   "adj_y=true Ta in [float32] Tb in [float32] Tout in [float32]: [b m k] [n k]",
                   "Ta in [float64] Tb in [float64] Tout in [float64]: [b... m k] [b... k n]",
                   "adj_x=true Ta in [complex64] Tb in [complex64] Tout in [complex64]: [b k m] [k n]",
                   "adj_y=true Ta in [complex64] Tb in [complex64] Tout in [complex64]: [m k] [b n k]",
                   "Ta in [complex128] Tb in [complex128] Tout in [complex128]: [m k] [b k n]",
                   "Ta in [int16] Tb in [int16] Tout in [int16]: [m k] [b k n]",
                   "Ta in [int32] Tb in [int32] Tout in [int32]: [m k] [b k n]",
                   "Ta in [int64] Tb in [int64] Tout in [int64]: [m k] [b k n]",
                   "Ta in [int8, uint8] Tb in [int8, uint8] Tout in [int32]: [a 1 m k] [b k n]",
                   "Ta in [int8, uint8] Tb in [int8, uint8] Tout in [int32] adj_x=true adj_y=true: [k m] [b n k]",
                   "Ta in [bfloat16] Tb in [bfloat16, int8, uint8] Tout in [bfloat16]: [b m k] [k n]",
                   "Ta in [int8, uint8] Tb in [bfloat16] Tout in [bfloat16]: [m k] [b k n]"}},
  };
  return rows;
}

}  // namespace plumb::topics
