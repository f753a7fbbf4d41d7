// What a reference kernel sees of the world: its node, its inputs, its state.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/numbers/value.h"
#include "reference/state/resources.h"
#include "reference/state/variable.h"
#include "spec/graph/graph.h"
#include "spec/ops/op_def.h"

namespace plumb::reference {

// What a live token carries: a value, or a reference to a variable (a ref edge, rule R30).
struct Item {
  Value value;
  std::shared_ptr<Variable> ref;  // set: this is a ref, and `value` is its alias if the variable is initialised
  bool IsSet() const { return ref != nullptr || value.tensor.IsSet(); }
};

// State of one stateful node, kept for the session by node name (rule S6): the stream of a random op, say.
class KernelState {
 public:
  virtual ~KernelState() = default;
  // As Resource::Clone.
  virtual std::unique_ptr<KernelState> Clone(Copies& copies) const = 0;
  // As Resource::Save and Resource::Restore.
  virtual void Save(const StateWriter& writer) const;
  virtual void Restore(const StateReader& reader);
};

// What a saved session's node kept, until its kernel asks for it (StateOf).
class SavedKernelState : public KernelState {
 public:
  explicit SavedKernelState(SavedState state) : state_(std::move(state)) {}
  const SavedState& state() const { return state_; }
  std::unique_ptr<KernelState> Clone(Copies&) const override { return std::make_unique<SavedKernelState>(state_); }
  void Save(const StateWriter& writer) const override {
    for (const auto& [name, value] : state_) writer.Put(name, value);
  }

 private:
  SavedState state_;
};

struct OpContext {
  const Node& node;
  std::vector<Item> inputs;   // dereferenced where the signature asks for a value
  std::vector<Item> outputs;  // one per output; the kernel fills them
  std::vector<bool> dead;     // outputs that the kernel leaves dead (Switch only)
  ResourceStore& resources;   // of the session
  ResourceStore& step;        // of this step (rule R6)
  std::unique_ptr<KernelState>& state;
  int64_t execution = 0;   // unique number of this kernel execution within the session; the ticket of its attempt
  bool cancelled = false;  // rule X21
  bool resumed = false;    // the execution has parked before: inputs and number are what they were then
  std::shared_ptr<Waitable> parked_at = nullptr;  // set by Park

  // Sets this execution aside (rule E2); the kernel then returns, without outputs. It runs again when `object` has
  // served its attempt, or perhaps before: then it parks again. When the step ends first, the object is told to drop
  // the attempt.
  void Park(std::shared_ptr<Waitable> object) { parked_at = std::move(object); }

  int num_inputs() const { return static_cast<int>(inputs.size()); }
  const Value& input(int i) const { return inputs[i].value; }
  const Tensor& tensor(int i) const { return inputs[i].value.tensor; }
  // The variable behind a ref input; T4 was checked by the interpreter.
  Variable& ref(int i) const { return *inputs[i].ref; }
  void Output(int i, Value value) { outputs[i].value = std::move(value); }
  void Output(int i, Tensor tensor) { outputs[i].value = Value(std::move(tensor)); }
  DType output_type(int i) const { return Base(node.output_types[i]); }
  template <class T>
  const T& attr(std::string_view name) const {
    return GetAttr<T>(node.attrs, name);
  }
};

// The state of a node's kernel, a T: what it has, or what `make` gives when it runs for the first time, which takes up
// what was saved.
template <class T, class Make>
T& StateOf(OpContext& c, const Make& make) {
  const auto* const saved = dynamic_cast<const SavedKernelState*>(c.state.get());
  if (c.state == nullptr || saved != nullptr) {
    std::unique_ptr<T> made = make();
    if (saved != nullptr) made->Restore(StateReader(saved->state()));
    c.state = std::move(made);
  }
  return static_cast<T&>(*c.state);
}

// Computes the outputs of one node from its inputs. Throws Error with TensorFlow's code on bad input.
using Kernel = void (*)(OpContext&);
// Finds the kernel of an op; null when it has none.
using KernelFinder = Kernel (*)(std::string_view op);
// Checks the attributes of a node when its kernel is created, before any kernel of the step runs.
using NodeCheck = void (*)(const Node&);
struct KernelRow {
  std::string_view op;
  Kernel kernel;
  NodeCheck check = nullptr;
};

// The kernel of an op, or null.
Kernel FindKernel(std::string_view op);
// The row's check, or null.
NodeCheck FindCheck(std::string_view op);

}  // namespace plumb::reference
