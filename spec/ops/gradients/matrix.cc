// Gradients of matrix products.
#include "spec/ops/gradients.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

struct Product {
  const char* op;
  const char* flag_a;  // "transpose_a" or "adj_x"
  const char* flag_b;
};

// The two gradients of a·b, for each of the four ways in which the operands may be transposed.
std::pair<Endpoint, Endpoint> BothSides(Gradient& g, const Product& product, Endpoint a, Endpoint b) {
  const bool ta = g.attr<bool>(product.flag_a), tb = g.attr<bool>(product.flag_b);
  const auto multiply = [&](Endpoint left, Endpoint right, bool flag_left, bool flag_right) {
    return g.Call(product.op, {left, right}, {{product.flag_a, flag_left}, {product.flag_b, flag_right}});
  };
  const Endpoint dy = g.dy();
  if (!ta && !tb) return {multiply(dy, b, false, true), multiply(a, dy, true, false)};
  if (!ta && tb) return {multiply(dy, b, false, false), multiply(dy, a, true, false)};
  if (ta && !tb) return {multiply(b, dy, false, true), multiply(a, dy, false, false)};
  return {multiply(b, dy, true, true), multiply(dy, a, true, true)};
}

}  // namespace

Values MatMulGradient(Gradient& g) {
  const auto [da, db] =
      BothSides(g, {"MatMul", "transpose_a", "transpose_b"}, g.Conjugate(g.x(0)), g.Conjugate(g.x(1)));
  return {da, db};
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

}  // namespace plumb
