#include "client/dimensions.h"

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

}  // namespace plumb
