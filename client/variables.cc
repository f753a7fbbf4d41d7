#include "client/variables.h"

#include <cmath>

namespace plumb::client {
namespace {

// How many inputs and outputs a weight of this shape connects: [.., in, out], leading axes multiply both.
std::pair<double, double> Fans(const Shape& shape) {
  if (shape.rank() < 2) return {static_cast<double>(shape.elements()), static_cast<double>(shape.elements())};
  double receptive = 1;
  for (int axis = 0; axis < shape.rank() - 2; ++axis) receptive *= static_cast<double>(shape.dim(axis));
  return {receptive * static_cast<double>(shape.dim(shape.rank() - 2)),
          receptive * static_cast<double>(shape.dim(shape.rank() - 1))};
}

Endpoint ShapeConstant(GraphBuilder& builder, const Shape& shape) {
  Tensor dims(DType::kInt32, {shape.rank()});
  for (int axis = 0; axis < shape.rank(); ++axis) {
    dims.mutable_data<int32_t>()[axis] = static_cast<int32_t>(shape.dim(axis));
  }
  return builder.Constant(dims);
}

}  // namespace

Endpoint Scalar(GraphBuilder& builder, double value, DType dtype) {
  Tensor tensor(dtype, Shape());
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
      tensor.mutable_data<T>()[0] = T(static_cast<float>(value));
    } else if constexpr (std::is_arithmetic_v<T>) {
      tensor.mutable_data<T>()[0] = static_cast<T>(value);
    } else {
      throw InvalidArgument("a scalar of type ", DTypeName(dtype), " cannot be made from a number");
    }
  });
  return builder.Constant(tensor);
}

const Variable& Variables::Create(std::string_view name, Endpoint initial, bool trainable) {
  const PartialShape& shape = builder_.shape(initial);
  Require(shape.IsFullyDefined(), "the initial value of the variable '", name, "' has the shape ", shape.ToString(),
          "; it must be known");
  const DType dtype = builder_.dtype(initial);
  GraphBuilder::Options options;
  options.name = std::string(name);
  Variable variable;
  variable.trainable = trainable;
  const NodeId node = builder_.Add("VariableV2", {}, {{"dtype", dtype}, {"shape", shape}}, options);
  variable.ref = {node, 0};
  variable.name = builder_.graph().node(node).name;
  options.name = std::string(name) + "/Assign";
  variable.initializer = builder_.Add("Assign", {variable.ref, initial}, {}, options);
  options.name = std::string(name) + "/read";
  variable.value = {builder_.Add("Identity", {variable.ref}, {}, options), 0};
  variables_.push_back(variable);
  return variables_.back();
}

const Variable& Variables::Filled(std::string_view name, DType dtype, const Shape& shape, double value,
                                  bool trainable) {
  const Endpoint element = Scalar(builder_, value, dtype);
  return Create(name, builder_.Call("Fill", {ShapeConstant(builder_, shape), element}), trainable);
}

const Variable& Variables::Glorot(std::string_view name, DType dtype, const Shape& shape, int64_t seed) {
  const auto [fan_in, fan_out] = Fans(shape);
  const double limit = std::sqrt(6 / (fan_in + fan_out));
  const Endpoint uniform = builder_.Call("RandomUniform", {ShapeConstant(builder_, shape)},
                                         {{"dtype", dtype}, {"seed", seed}, {"seed2", int64_t{1}}});
  const Endpoint scaled = builder_.Call("Mul", {uniform, Scalar(builder_, 2 * limit, dtype)});
  return Create(name, builder_.Call("Sub", {scaled, Scalar(builder_, limit, dtype)}));
}

std::vector<Variable> Variables::trainable() const {
  std::vector<Variable> trained;
  for (const Variable& variable : variables_) {
    if (variable.trainable) trained.push_back(variable);
  }
  return trained;
}

NodeId Variables::Initializer(std::string_view name) {
  GraphBuilder::Options options;
  options.name = std::string(name);
  for (const Variable& variable : variables_) options.control_inputs.push_back(variable.initializer);
  return builder_.Add("NoOp", {}, {}, options);
}

}  // namespace plumb::client
