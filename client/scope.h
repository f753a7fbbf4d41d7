// Scope: a graph under construction, as a program writes it. Typed op functions (client/ops.h, generated from the
// catalogue) take one as their first argument.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/output.h"
#include "spec/graph/meta_graph.h"

namespace plumb {

class Variable;

class Scope {
 public:
  // A new, empty graph.
  Scope();
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  GraphBuilder& builder() { return builder_; }
  GraphDef ToGraphDef() const { return builder_.ToGraphDef(); }

  // What is built while the returned guard lives is named "name/…", runs after `before`, asks for `device`:
  //   auto layer = scope.Sub("layer1");
  [[nodiscard]] GraphBuilder::NameScope Sub(std::string_view name) { return {builder_, name}; }
  [[nodiscard]] GraphBuilder::ControlScope After(std::vector<NodeId> before) { return {builder_, std::move(before)}; }
  [[nodiscard]] GraphBuilder::DeviceScope On(const std::string& device) { return {builder_, device}; }

  // Any op, untyped.
  NodeId Add(std::string_view op, const std::vector<Output>& inputs, AttrMap attrs = {}, std::string name = "");
  Output Call(std::string_view op, const std::vector<Output>& inputs, AttrMap attrs = {}, std::string name = "");

  // A node that does nothing but run after all of `before`.
  NodeId Group(const std::vector<NodeId>& before, std::string name = "group_deps");

  // All variables in the order of their making.
  std::vector<Variable>& variables() { return variables_; }
  // Those that belong to this run of the program alone, such as a metric's counts: initialised by InitializeLocal, and
  // no part of a checkpoint.
  std::vector<Variable>& local_variables() { return local_variables_; }
  // What keeps the queues of input pipelines filled (client/training/queue_runner.h starts it).
  std::vector<QueueRunnerNodes>& queue_runners() { return queue_runners_; }
  // The device that a new variable is to lie on, by its type and shape; "": where the scope asks. Slots of optimizers
  // lie with their variable (client/training/replica_devices.h spreads variables over parameter servers).
  using VariableDevice = std::function<std::string(DType dtype, const PartialShape& shape)>;
  void set_variable_device(VariableDevice device) { variable_device_ = std::move(device); }
  const VariableDevice& variable_device() const { return variable_device_; }
  std::string NameOf(NodeId node) const { return builder_.graph().node(node).name; }

 private:
  GraphBuilder builder_;
  std::vector<Variable> variables_;
  std::vector<Variable> local_variables_;
  std::vector<QueueRunnerNodes> queue_runners_;
  VariableDevice variable_device_;
};

// Constants: of a tensor, of one number (the C++ type decides: 1.0f is a float32), or of a list of them (a vector).
Output Constant(Scope& scope, Tensor value, std::string name = "");
template <class T>
requires(DTypeOf<T> != DType::kInvalid) Output Constant(Scope& scope, T value, std::string name = "") {
  return Constant(scope, MakeScalar<T>(std::move(value)), std::move(name));
}
template <class T>
requires(DTypeOf<T> != DType::kInvalid) Output
    Constant(Scope& scope, std::initializer_list<T> values, std::string name = "") {
  return Constant(scope, MakeVector<T>(values), std::move(name));
}

}  // namespace plumb
