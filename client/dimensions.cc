#include "client/dimensions.h"

#include <numeric>
#include <utility>

namespace plumb {

Output DimensionOf(Scope& scope, Output value, int axis) {
  const PartialShape& shape = value.shape();
  if (shape.rank() > axis && shape.dim(axis) >= 0 && shape.dim(axis) <= INT32_MAX) {
    return Constant(scope, static_cast<int32_t>(shape.dim(axis)));
  }
  const Output begin = Constant<int32_t>(scope, {axis}), end = Constant<int32_t>(scope, {axis + 1});
  return scope.Call("StridedSlice", {scope.Call("Shape", {value}), begin, end, Constant<int32_t>(scope, {1})},
                    {{"shrink_axis_mask", int64_t{1}}});
}

Output Flat(Scope& scope, Output value) { return scope.Call("Reshape", {value, Constant<int32_t>(scope, {-1})}); }

Output SumOfAll(Scope& scope, Output value) {
  if (!value.shape().has_rank()) {
    const Output rank = scope.Call("Rank", {value});
    return scope.Call("Sum", {value, scope.Call("Range", {Constant(scope, 0), rank, Constant(scope, 1)})});
  }
  Tensor axes(DType::kInt32, {value.shape().rank()});
  std::iota(axes.mutable_data<int32_t>().begin(), axes.mutable_data<int32_t>().end(), 0);
  return scope.Call("Sum", {value, Constant(scope, std::move(axes))});
}

}  // namespace plumb
