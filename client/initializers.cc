#include "client/initializers.h"

#include <cmath>

namespace plumb {
namespace {

// How many inputs and outputs a weight of this shape connects.
std::pair<double, double> Fans(const Shape& shape) {
  const auto elements = static_cast<double>(shape.elements());
  if (shape.rank() < 2) return {elements, elements};
  double receptive = 1;
  for (int axis = 0; axis < shape.rank() - 2; ++axis) receptive *= static_cast<double>(shape.dim(axis));
  return {receptive * static_cast<double>(shape.dim(shape.rank() - 2)),
          receptive * static_cast<double>(shape.dim(shape.rank() - 1))};
}

Output ShapeConstant(Scope& scope, const Shape& shape) {
  Tensor dims(DType::kInt32, {shape.rank()});
  for (int axis = 0; axis < shape.rank(); ++axis) {
    Require(shape.dim(axis) <= INT32_MAX, "a dimension of ", shape.dim(axis), " does not fit into int32");
    dims.mutable_data<int32_t>()[axis] = static_cast<int32_t>(shape.dim(axis));
  }
  return Constant(scope, dims);
}

}  // namespace

Output Filled(Scope& scope, DType dtype, const Shape& shape, double value) {
  return scope.Call("Fill", {ShapeConstant(scope, shape), Constant(scope, ScalarTensor(value, dtype))});
}

Output GlorotUniform(Scope& scope, DType dtype, const Shape& shape, int64_t seed) {
  const auto [fan_in, fan_out] = Fans(shape);
  const double limit = std::sqrt(6 / (fan_in + fan_out));
  const Output uniform = scope.Call("RandomUniform", {ShapeConstant(scope, shape)},
                                    {{"dtype", dtype}, {"seed", seed}, {"seed2", int64_t{1}}});
  return uniform * (2 * limit) - limit;
}

}  // namespace plumb
