#include "client/clip.h"

#include <limits>

namespace plumb {
namespace {

Output Number(Output like, double value) {
  return {like.builder, like.builder->Constant(ScalarTensor(value, like.dtype()))};
}

Output Clipped(Scope& scope, Output value, double norm, Output axes) {
  const AttrMap keep = {{"keep_dims", true}};
  const Output squares = scope.Call("Sum", {value * value, axes}, keep);
  // The square root of zero has an infinite derivative: zeros take another path.
  const Output positive = squares > 0.0;
  const Output ones = scope.Call("OnesLike", {squares});
  const Output safe = scope.Call("Select", {positive, squares, ones});
  const Output length = scope.Call("Select", {positive, scope.Call("Sqrt", {safe}), squares});
  return value * norm / scope.Call("Maximum", {length, Number(value, norm)});
}

}  // namespace

Output ClipByValue(Scope& scope, Output value, double low, double high) {
  const Output below = scope.Call("Minimum", {value, Number(value, high)});
  return scope.Call("Maximum", {below, Number(value, low)});
}

Output ClipByNorm(Scope& scope, Output value, double norm) {
  const Output rank = scope.Call("Rank", {value});
  return Clipped(scope, value, norm, scope.Call("Range", {Constant(scope, 0), rank, Constant(scope, 1)}));
}

Output ClipByNorm(Scope& scope, Output value, double norm, const std::vector<int32_t>& axes) {
  const Tensor numbers = MakeTensor<int32_t>({static_cast<int64_t>(axes.size())}, std::span(axes));
  return Clipped(scope, value, norm, Constant(scope, numbers));
}

Output GlobalNorm(Scope& scope, std::span<const GradientValue> values) {
  GraphBuilder& b = scope.builder();
  std::vector<Endpoint> halves;  // ½·|v|² each
  for (const GradientValue& value : values) {
    if (!value.IsNone()) halves.push_back(b.Call("L2Loss", {value.values}));
  }
  Require(!halves.empty(), "a global norm needs at least one value");
  const Output all = {&b, b.Call("Pack", halves)};
  const Output half = scope.Call("Sum", {all, Constant(scope, {0})});
  return scope.Call("Sqrt", {half * 2.0});
}

std::vector<GradientValue> ClipByGlobalNorm(Scope& scope, std::span<const GradientValue> values, double norm) {
  Require(norm > 0, "the norm to clip to must be positive, not ", norm);
  const Output actual = GlobalNorm(scope, values);
  const Output limit = Number(actual, 1.0 / norm);
  const Output finite = scope.Call("IsFinite", {actual});
  const Output factor = norm * Output(scope.Call("Minimum", {1.0 / actual, limit}));
  const Output nan = Number(actual, std::numeric_limits<double>::quiet_NaN());
  const Output scale = scope.Call("Select", {finite, factor, nan});
  std::vector<GradientValue> clipped;
  for (GradientValue value : values) {
    if (!value.IsNone()) value.values = scope.builder().Call("Mul", {value.values, scale});
    clipped.push_back(value);
  }
  return clipped;
}

}  // namespace plumb
