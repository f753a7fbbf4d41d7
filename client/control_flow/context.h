// The contexts in which conditional branches and loop bodies are built (rules X40–X43): what makes values from outside
// usable inside, and ties ops without inputs to the branch or the iteration.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "spec/graph/builder.h"

namespace plumb {

class CondContext;
class WhileContext;
class GradLoop;

class Context : public ControlFlowContext {
 public:
  virtual CondContext* AsCond() { return nullptr; }
  virtual WhileContext* AsWhile() { return nullptr; }
  Context* outer() const { return static_cast<Context*>(ControlFlowContext::outer()); }

 protected:
  explicit Context(Context* outer) : ControlFlowContext(outer) {}
  // Drops control inputs from outside the innermost loop (rule X43) and returns them.
  std::vector<NodeId> RemoveExternalControl(GraphBuilder& builder, NodeId node);

  std::map<Endpoint, Endpoint> imported_;
};

// Every context that a GraphBuilder of this library holds is a Context.
inline Context* CurrentContext(const GraphBuilder& builder) { return static_cast<Context*>(builder.context()); }
inline Context* ContextOf(const GraphBuilder& builder, NodeId node) {
  return static_cast<Context*>(builder.context_of(node));
}
// Where the outputs of a node live: those of an Exit are outside of its loop.
Context* OutputContext(const GraphBuilder& builder, NodeId node);
// `context` itself or the nearest loop around it; null when there is none.
WhileContext* EnclosingWhile(Context* context);
// Whether `context` is `container` or lies in it.
bool IsWithin(const Context* context, const Context* container);

// While it lives, nodes are built in `context` and no control scope applies.
struct InContext {
  InContext(GraphBuilder& builder, ControlFlowContext* context) : context_(builder, context), control_(builder) {}
  GraphBuilder::ContextScope context_;
  GraphBuilder::NoControlScope control_;
};

// Ops that have a form for references: the form that `value`'s type asks for.
std::string_view SwitchOp(const GraphBuilder& builder, Endpoint value);
// The live side of a Switch: output 0 when the predicate is false, 1 when it is true.
Endpoint SwitchTo(GraphBuilder& builder, Endpoint value, Endpoint predicate, int branch, std::string name = "");
Endpoint NamedCall(GraphBuilder& builder, std::string_view op, const std::vector<Endpoint>& inputs, AttrMap attrs,
                   std::string name);

// One branch of a conditional (rule X40).
class CondContext : public Context {
 public:
  // `pivot` is live exactly when the branch is taken: branch 1 when `predicate` is true, 0 when false.
  CondContext(GraphBuilder& builder, Context* outer, Endpoint predicate, Endpoint pivot, int branch);

  CondContext* AsCond() override { return this; }
  Endpoint Import(GraphBuilder& builder, Endpoint value) override;
  NodeId Pivot() const override { return pivot_.node; }
  void Added(GraphBuilder& builder, NodeId node) override;

  Endpoint predicate() const { return predicate_; }
  int branch() const { return branch_; }

 private:
  Endpoint predicate_;
  Endpoint pivot_;
  int branch_;
};

// A loop (rule X42), forward or backward.
class WhileContext : public Context {
 public:
  struct Options {
    std::string frame;  // unique in the graph (rule X14)
    int parallel_iterations = 10;
    bool back_prop = true;
    bool swap_memory = false;
    std::shared_ptr<GradLoop> grad_loop;  // set for the backward loop of a gradient
  };
  WhileContext(Context* outer, Options options) : Context(outer), options_(std::move(options)) {}

  WhileContext* AsWhile() override { return this; }
  ControlFlowContext* ContextFor(GraphBuilder& builder, std::string_view op,
                                 const std::vector<Endpoint>& inputs) override;
  Endpoint Import(GraphBuilder& builder, Endpoint value) override;
  NodeId Pivot() const override { return (body_pivot_ != NodeId::kNone ? body_pivot_ : predicate_pivot_); }
  void Added(GraphBuilder& builder, NodeId node) override;

  // An Enter of `value`, which belongs to the outer context.
  Endpoint Enter(GraphBuilder& builder, Endpoint value, bool is_constant, const std::string& name);
  // A loop variable that starts as `initial` (a value of the outer context), up to its Merge. Its shape is `invariant`
  // where given.
  struct Variable {
    Endpoint enter;
    Endpoint merge;
  };
  Variable EnterVariable(GraphBuilder& builder, Endpoint initial, const std::string& name,
                         const PartialShape* invariant = nullptr);
  Endpoint SetCondition(GraphBuilder& builder, Endpoint condition, const std::string& name);
  // The Switch that sends a variable to the body (output 1) or out of the loop (output 0).
  NodeId Branch(GraphBuilder& builder, Endpoint merge);
  // `value` of the last iteration, outside of the loop.
  Endpoint Leave(GraphBuilder& builder, Endpoint value, const std::string& name);
  // NextIteration of `value` as the Merge's second input. Returns the NextIteration.
  Endpoint CloseLoop(GraphBuilder& builder, Endpoint merge, Endpoint value);

  const Options& options() const { return options_; }
  GradLoop* grad_loop() const { return options_.grad_loop.get(); }
  Endpoint condition() const { return condition_; }
  void set_body_pivot(NodeId node) { body_pivot_ = node; }
  const std::vector<Endpoint>& exits() const { return exits_; }
  const std::vector<Endpoint>& enters() const { return enters_; }
  void AddEnter(Endpoint enter) { enters_.push_back(enter); }

 private:
  bool RunsFreely(const GraphBuilder& builder, NodeId node) const;

  Options options_;
  Endpoint condition_;
  NodeId predicate_pivot_ = NodeId::kNone;
  NodeId body_pivot_ = NodeId::kNone;
  std::vector<Endpoint> enters_;
  std::vector<Endpoint> exits_;
};

// Whether the node is an Enter of a loop invariant.
bool IsConstantEnter(const Node& node);

}  // namespace plumb
