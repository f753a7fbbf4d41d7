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
  return Uniform(scope, dtype, shape, -limit, limit, seed);
}

Output Uniform(Scope& scope, DType dtype, const Shape& shape, double low, double high, int64_t seed) {
  const Output uniform = scope.Call("RandomUniform", {ShapeConstant(scope, shape)},
                                    {{"dtype", dtype}, {"seed", seed}, {"seed2", int64_t{1}}});
  return uniform * (high - low) + low;
}

Initializer Filled(double value) {
  return [value](Scope& scope, DType dtype, const Shape& shape) { return Filled(scope, dtype, shape, value); };
}

Initializer GlorotUniform(int64_t seed) {
  return [seed](Scope& scope, DType dtype, const Shape& shape) { return GlorotUniform(scope, dtype, shape, seed); };
}

Initializer Uniform(double low, double high, int64_t seed) {
  return [low, high, seed](Scope& scope, DType dtype, const Shape& shape) {
    return Uniform(scope, dtype, shape, low, high, seed);
  };
}

}  // namespace plumb
