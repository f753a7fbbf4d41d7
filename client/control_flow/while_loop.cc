#include "client/control_flow/while_loop.h"

#include "client/control_flow/context.h"

namespace plumb {
namespace {

// Whether everything that `general` promises of a shape also holds for `special`.
bool Covers(const PartialShape& general, const PartialShape& special) {
  if (!general.has_rank()) return true;
  if (!special.has_rank() || special.rank() != general.rank()) return false;
  for (int axis = 0; axis < general.rank(); ++axis) {
    if (general.dim(axis) >= 0 && general.dim(axis) != special.dim(axis)) return false;
  }
  return true;
}

class LoopBuilder {
 public:
  LoopBuilder(Scope& scope, const WhileOptions& options) : b_(scope.builder()), options_(options) {
    WhileContext::Options context;
    context.frame = b_.UniqueName("while_context");
    context.parallel_iterations = options.parallel_iterations;
    context.back_prop = options.back_prop;
    context.swap_memory = options.swap_memory;
    context_ = b_.Own(std::make_unique<WhileContext>(CurrentContext(b_), std::move(context)));
  }

  LoopVars Build(const LoopVars& initial, const std::function<Output(const LoopVars&)>& condition,
                 const std::function<LoopVars(const LoopVars&)>& body) {
    const std::vector<Endpoint> merges = EnterVariables(initial);
    const auto switches = BuildCondition(merges, condition);
    CloseLoop(merges, BuildBody(switches, body));
    LoopVars results;
    for (const NodeId loop_switch : switches) results.push_back({&b_, context_->Leave(b_, {loop_switch, 0}, "")});
    return results;
  }

 private:
  std::vector<Endpoint> EnterVariables(const LoopVars& initial) {
    std::vector<Endpoint> imported;
    for (const Output& value : initial) {
      imported.push_back(b_.context() == nullptr ? value.endpoint : b_.context()->Import(b_, value));
    }
    std::vector<Endpoint> merges;
    for (size_t i = 0; i < imported.size(); ++i) {
      const PartialShape* invariant = nullptr;
      if (!options_.shape_invariants.empty()) {
        invariant = &options_.shape_invariants[i];
        Require(Covers(*invariant, b_.shape(imported[i])), "the initial value of loop variable ", i, " has shape ",
                b_.shape(imported[i]).ToString(), ", not covered by its shape invariant ", invariant->ToString());
      }
      merges.push_back(context_->EnterVariable(b_, imported[i], "", invariant).merge);
    }
    return merges;
  }

  std::vector<NodeId> BuildCondition(const std::vector<Endpoint>& merges,
                                     const std::function<Output(const LoopVars&)>& condition) {
    GraphBuilder::ContextScope inside(b_, context_);
    const Output holds = condition(ToOutputs(b_, merges));
    Require(holds.dtype() == DType::kBool, "the condition of the loop '", b_.scope(), "' must be bool, not ",
            DTypeName(holds.dtype()));
    context_->SetCondition(b_, holds, "");
    std::vector<NodeId> switches;
    switches.reserve(merges.size());
    for (const Endpoint& merge : merges) switches.push_back(context_->Branch(b_, merge));
    return switches;
  }

  LoopVars BuildBody(const std::vector<NodeId>& switches, const std::function<LoopVars(const LoopVars&)>& body) {
    GraphBuilder::ContextScope inside(b_, context_);
    LoopVars variables;
    {
      GraphBuilder::NoControlScope unordered(b_);
      for (const NodeId loop_switch : switches) {
        const Endpoint value = {loop_switch, 1};
        variables.push_back({&b_, b_.Call(IsRef(b_.graph().TypeOf(value)) ? "RefIdentity" : "Identity", {value})});
        if (variables.size() == 1) context_->set_body_pivot(variables[0].node());
      }
    }
    return body(variables);
  }

  void CloseLoop(const std::vector<Endpoint>& merges, const LoopVars& next) {
    Require(next.size() == merges.size(), "the body of the loop '", b_.scope(), "' gives ", next.size(), " values for ",
            merges.size(), " loop variables");
    for (size_t i = 0; i < merges.size(); ++i) {
      Require(b_.dtype(merges[i]) == next[i].dtype(), "loop variable ", i, " of '", b_.scope(), "' starts as ",
              DTypeName(b_.dtype(merges[i])), ", but the body gives ", DTypeName(next[i].dtype()));
      Require(Covers(b_.shape(merges[i]), next[i].shape()), "loop variable ", i, " of '", b_.scope(), "' has shape ",
              b_.shape(merges[i]).ToString(), " before and ", next[i].shape().ToString(),
              " after an iteration; say by shape_invariants what stays the same");
      context_->CloseLoop(b_, merges[i], next[i]);
    }
  }

  GraphBuilder& b_;
  const WhileOptions& options_;
  WhileContext* context_;
};

}  // namespace

// X42.
LoopVars WhileLoop(Scope& scope, const LoopVars& initial, const std::function<Output(const LoopVars&)>& condition,
                   const std::function<LoopVars(const LoopVars&)>& body, const WhileOptions& options) {
  Require(!initial.empty(), "a loop needs at least one variable");
  Require(options.parallel_iterations >= 1, "parallel_iterations must be at least 1");
  Require(options.shape_invariants.empty() || options.shape_invariants.size() == initial.size(),
          "a loop with shape invariants needs one for each of its ", initial.size(), " variables");
  GraphBuilder::NameScope named(scope.builder(), options.name);
  return LoopBuilder(scope, options).Build(initial, condition, body);
}

}  // namespace plumb
