#include "spec/ops/linalg/spectra.h"

namespace plumb::topics {

Endpoint SafeReciprocal(Gradient& g, Endpoint x) {
  constexpr double kBelowEveryDifference = 1e-20;  // TensorFlow's, which float32 holds
  const Endpoint square = g.Call("AddV2", {g.Call("Mul", {x, x}), g.Scalar(kBelowEveryDifference, g.dtype(x))});
  return g.Call("Mul", {x, g.Call("Reciprocal", {square})});
}

Endpoint DiagonalMatrix(Gradient& g, Endpoint diagonal) { return g.Call("MatrixDiag", {diagonal}); }

Endpoint InverseDifferences(Gradient& g, Endpoint x) {
  const auto along = [&](int axis) { return g.Call("ExpandDims", {x, g.Scalar(axis, DType::kInt32)}); };
  return SafeReciprocal(g, g.Call("Sub", {along(-2), along(-1)}));
}

Endpoint Columns(Gradient& g, Endpoint a, int64_t begin, int64_t end) {
  const int mask = end == 0 ? 2 : 0;
  const Endpoint from = g.Int32s({0, static_cast<int32_t>(begin)}), to = g.Int32s({0, static_cast<int32_t>(end)});
  return g.Call("StridedSlice", {a, from, to, g.Int32s({1, 1})}, {{"ellipsis_mask", 1}, {"end_mask", mask}});
}

}  // namespace plumb::topics
