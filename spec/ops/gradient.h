// Gradient rules of ops (rules D1–D38): functions that build the graph of the derivative with a GraphBuilder.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "spec/graph/builder.h"

namespace plumb {

// The gradient with respect to one tensor: nothing, a dense tensor, or slices of it (IndexedSlices, rule D4).
struct GradientValue {
  enum class Kind { kNone, kDense, kSparse };
  Kind kind = Kind::kNone;
  Endpoint values;       // the dense tensor, or the slices [n, row...]
  Endpoint indices;      // kSparse: int32 or int64 [n]
  Endpoint dense_shape;  // kSparse: shape of the tensor the slices belong to

  GradientValue() = default;
  GradientValue(Endpoint dense) : kind(Kind::kDense), values(dense) {}  // NOLINT: rules return Endpoints
  static GradientValue None() { return {}; }
  static GradientValue Sparse(Endpoint values, Endpoint indices, Endpoint dense_shape) {
    GradientValue value;
    value.kind = Kind::kSparse;
    value.values = values;
    value.indices = indices;
    value.dense_shape = dense_shape;
    return value;
  }
  bool IsNone() const { return kind == Kind::kNone; }
};

// What a rule sees of the op it differentiates, and the builder it answers with.
class Gradient {
 public:
  Gradient(GraphBuilder& builder, NodeId node, std::vector<GradientValue> dys)
      : builder_(builder), node_(node), dys_(std::move(dys)) {}

  GraphBuilder& builder() { return builder_; }
  NodeId node() const { return node_; }
  const Node& op() const { return builder_.graph().node(node_); }
  int num_inputs() const { return static_cast<int>(op().inputs.size()); }
  int num_outputs() const { return static_cast<int>(op().output_types.size()); }
  Endpoint x(int input = 0) const { return op().inputs[input]; }
  Endpoint y(int output = 0) const { return {node_, output}; }
  // The incoming gradient as a dense tensor; zeros where there is none (rule D5).
  Endpoint dy(int output = 0);
  const GradientValue& raw_dy(int output = 0) const { return dys_[output]; }
  bool has_dy(int output = 0) const { return !dys_[output].IsNone(); }

  template <class T>
  const T& attr(std::string_view name) const {
    return GetAttr<T>(op().attrs, name);
  }
  DType dtype(Endpoint value) const { return builder_.dtype(value); }
  const PartialShape& shape(Endpoint value) const { return builder_.shape(value); }

  // Builders, all in the current scope.
  Endpoint Call(std::string_view op, const std::vector<Endpoint>& inputs, AttrMap attrs = {}) {
    return builder_.Call(op, inputs, std::move(attrs));
  }
  NodeId Add(std::string_view op, const std::vector<Endpoint>& inputs, AttrMap attrs = {}) {
    return builder_.Add(op, inputs, std::move(attrs));
  }
  Endpoint Scalar(double value, DType dtype);
  Endpoint Int32s(const std::vector<int32_t>& values);  // vector constant
  Endpoint ZerosLike(Endpoint value);
  Endpoint ShapeOf(Endpoint value);  // int32
  // `gradient` summed over the axes along which `x` was broadcast, in x's shape (rule D11).
  Endpoint SumToShapeOf(Endpoint gradient, Endpoint x, Endpoint other);
  // Conj(value) for complex types, `value` itself for real ones.
  Endpoint Conjugate(Endpoint value);

 private:
  GraphBuilder& builder_;
  NodeId node_;
  std::vector<GradientValue> dys_;
};

// IndexedSlices as a dense tensor: UnsortedSegmentSum of the slices.
Endpoint Densify(GraphBuilder& builder, const GradientValue& value);

// Returns one gradient per data input of the op.
using GradientFn = std::vector<GradientValue> (*)(Gradient&);

// Whether and how an op can be differentiated (rules D5, D7).
struct Differentiation {
  enum class Kind {
    kNotRegistered,  // asking for it is an error (LookupError in Python)
    kBlocks,         // known to have none: inputs get no gradient
    kControlFlow,    // Switch, Merge and the frame ops: the client's own affair (rules D20–D38)
    kRule,
  };
  Kind kind = Kind::kNotRegistered;
  GradientFn rule = nullptr;

  constexpr Differentiation() = default;
  constexpr Differentiation(Kind kind, GradientFn rule) : kind(kind), rule(rule) {}
  constexpr Differentiation(GradientFn rule) : kind(Kind::kRule), rule(rule) {}  // NOLINT: rows name a function
};
constexpr Differentiation NoGradientRegistered() { return {}; }
constexpr Differentiation BlocksGradient() { return {Differentiation::Kind::kBlocks, nullptr}; }
constexpr Differentiation ControlFlowGradient() { return {Differentiation::Kind::kControlFlow, nullptr}; }

}  // namespace plumb
