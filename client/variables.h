// Variables of a model: the slots, how they get their first values, and which of them are trained.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/graph/builder.h"

namespace plumb::client {

struct Variable {
  std::string name;
  Endpoint ref;        // VariableV2's output: what updates take
  Endpoint value;      // Identity of it: what computations take
  NodeId initializer;  // Assign of the initial value
  bool trainable = true;
};

// The variables made so far. Not to be made inside a conditional or a loop.
class Variables {
 public:
  explicit Variables(GraphBuilder& builder) : builder_(builder) {}

  // A VariableV2 that starts as `initial`, whose shape must be known. Throws kInvalidArgument otherwise.
  const Variable& Create(std::string_view name, Endpoint initial, bool trainable = true);
  // Starts with every element equal to `value`.
  const Variable& Filled(std::string_view name, DType dtype, const Shape& shape, double value, bool trainable = true);
  // Starts with uniform random numbers of the variance that keeps signals' size (Glorot): ±√(6 / (fan in + fan out)).
  const Variable& Glorot(std::string_view name, DType dtype, const Shape& shape, int64_t seed);

  const std::vector<Variable>& all() const { return variables_; }
  std::vector<Variable> trainable() const;
  // A NoOp that initialises everything made so far.
  NodeId Initializer(std::string_view name = "init");
  GraphBuilder& builder() { return builder_; }

 private:
  GraphBuilder& builder_;
  std::vector<Variable> variables_;
};

// A scalar constant of a real type.
Endpoint Scalar(GraphBuilder& builder, double value, DType dtype);

}  // namespace plumb::client
