#include "client/gradients.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "client/aggregate.h"
#include "client/control_flow/control_flow_gradient.h"
#include "client/control_flow/loop_gradients.h"
#include "client/gradient_path.h"
#include "client/zeros.h"
#include "spec/graph/function_gradient.h"
#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

// What has arrived for one output: contributions, and their sum once the op has been visited.
struct Slot {
  Values contributions;
  GradientValue sum;
};

// Where gradients are built that belong beside a forward node.
class Where {
 public:
  Where(GraphBuilder& builder, NodeId forward)
      : there_(builder, builder.graph().node(forward).device), with_(builder, Neighbour(builder.graph(), forward)) {}

 private:
  // Whom the node itself is colocated with, and which so names the group ("loc:@", rule W11); or the node.
  static NodeId Neighbour(const Graph& graph, NodeId forward) {
    constexpr std::string_view kPrefix = "loc:@";
    for (const auto& group : GetAttrOr<std::vector<std::string>>(graph.node(forward).attrs, "_class", {})) {
      const auto found = group.starts_with(kPrefix) ? graph.Find(group.substr(kPrefix.size())) : std::nullopt;
      if (found) return *found;
    }
    return forward;
  }

  GraphBuilder::DeviceScope there_;
  GraphBuilder::ColocationScope with_;
};

class Differentiator {
 public:
  Differentiator(GraphBuilder& builder, const std::vector<Endpoint>& ys, const std::vector<Endpoint>& xs,
                 const GradientOptions& options)
      : builder_(builder), ys_(ys), xs_(xs), options_(options), scope_(builder, options.name) {}

  Values Run() {
    const Values initial = InitialGradients();
    path_.emplace(builder_.graph(), ys_, xs_);
    loops_.emplace(builder_, *path_, ys_);
    path_->CountPending(builder_.graph());
    for (size_t i = 0; i < ys_.size(); ++i) Receive(ys_[i], initial[i]);
    EnqueueStarts();
    stops_ = StopOps(builder_.graph(), *path_, xs_, options_.stop_gradients);
    while (!queue_.empty()) {
      const NodeId id = queue_.front();
      queue_.pop_front();
      Visit(id);
      ReleaseInputs(id);
    }
    loops_->Finish();
    return Results();
  }

 private:
  // D3.
  Values InitialGradients() {
    Require(options_.grad_ys.empty() || options_.grad_ys.size() == ys_.size(), "there are ", ys_.size(), " ys but ",
            options_.grad_ys.size(), " gradients of them");
    Values initial;
    for (size_t i = 0; i < ys_.size(); ++i) {
      const DType dtype = builder_.dtype(ys_[i]);
      const bool given = !options_.grad_ys.empty() && !options_.grad_ys[i].IsNone();
      if (given) {
        const DType actual = builder_.dtype(options_.grad_ys[i].values);
        Require(actual == dtype, "the gradient given for '", builder_.graph().NameOf(ys_[i]), "' is ",
                DTypeName(actual), ", not ", DTypeName(dtype));
        initial.push_back(MapParts(options_.grad_ys[i], [&](Endpoint part) {
          return NamedCall(builder_, "Identity", {part}, {}, Str("grad_ys_", i));
        }));
        continue;
      }
      Require(!IsComplex(dtype), "the gradient of the complex '", builder_.graph().NameOf(ys_[i]), "' must be given");
      const Endpoint one = builder_.Constant(ScalarTensor(1, dtype), Str("grad_ys_", i));
      initial.push_back(builder_.Call("Fill", {builder_.Call("Shape", {ys_[i]}), one}));
    }
    return initial;
  }

  std::vector<Slot>& SlotsOf(NodeId id) {
    auto& slots = slots_[id];
    if (slots.empty()) slots.resize(builder_.graph().node(id).output_types.size());
    return slots;
  }
  void Receive(Endpoint output, const GradientValue& gradient) {
    if (!gradient.IsNone()) SlotsOf(output.node)[output.output].contributions.push_back(gradient);
  }
  bool HasGradient(NodeId id) {
    const auto found = slots_.find(id);
    return found != slots_.end() && std::any_of(found->second.begin(), found->second.end(), [](const Slot& slot) {
             return !slot.contributions.empty() || !slot.sum.IsNone();
           });
  }

  // D2: a y that another y depends on waits for it.
  void EnqueueStarts() {
    std::vector<bool> started(builder_.graph().size());
    for (const Endpoint& y : ys_) {
      const size_t node = Index(y.node);
      if (path_->pending[node] != 0 || started[node] || !path_->reached[node]) continue;
      started[node] = true;
      queue_.push_back(y.node);
    }
    for (const Endpoint& exit : loops_->UnusedExits(*path_, started)) {
      Receive(exit, loops_->ZerosForExit(exit));
      queue_.push_back(exit.node);
    }
  }

  void Visit(NodeId id) {
    const bool is_asked = GetAttrOr<bool>(builder_.graph().node(id).attrs, kGradientBeside, false);
    std::optional<Where> where;
    if (options_.colocate_gradients_with_ops || is_asked) where.emplace(builder_, id);
    Values dys = Collect(id);
    const bool some = std::any_of(dys.begin(), dys.end(), [](const GradientValue& dy) { return !dy.IsNone(); });
    if (!some || stops_[Index(id)]) return;
    GradLoop* loop = loops_->LoopOf(id, /*before=*/false);
    GraphBuilder::ContextScope context(builder_, loop == nullptr ? builder_.context() : loop->backward());
    RefuseLoopVariables(id);
    FillMissing(id, dys);
    GraphBuilder::NameScope scope(builder_, builder_.graph().node(id).name + "_grad");
    Values gradients = Differentiate(id, std::move(dys));
    if (options_.gate_gradients) Gate(gradients);
    const std::vector<Endpoint> inputs = builder_.graph().node(id).inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      CheckShape(id, inputs[i], gradients[i]);
      Receive(inputs[i], gradients[i]);
    }
  }

  // The sums of what has arrived. The Switch of a loop is visited twice: a sum stays unless more has arrived.
  Values Collect(NodeId id) {
    GradLoop* loop = loops_->LoopOf(id, /*before=*/true);
    GraphBuilder::ContextScope context(builder_, loop == nullptr ? builder_.context() : loop->backward());
    Values sums;
    for (Slot& slot : SlotsOf(id)) {
      if (!slot.contributions.empty()) {
        slot.sum = Aggregate(builder_, slot.contributions, options_.aggregation);
        slot.contributions.clear();
      }
      sums.push_back(slot.sum);
    }
    return sums;
  }

  // D37.
  void RefuseLoopVariables(NodeId id) {
    const Node& node = builder_.graph().node(id);
    Context* context = ContextOf(builder_, id);
    const bool own_loop = context != nullptr && context->AsWhile() != nullptr && context == builder_.context();
    Require(!IsSwitch(node) || !own_loop, "the gradient inside a loop's body would have to pass '", node.name,
            "' to the loop variable's initial value; it may only be taken within one iteration");
  }

  // D5. Ops outside of loops and conditionals get their zeros from the rule, when it asks for them.
  void FillMissing(NodeId id, Values& dys) {
    const bool in_loop = loops_->LoopOf(id, /*before=*/false) != nullptr;
    if (!in_loop && !IsSwitch(builder_.graph().node(id))) return;
    for (size_t i = 0; i < dys.size(); ++i) {
      const Endpoint output = {id, static_cast<int32_t>(i)};
      if (dys[i].IsNone() && IsTrainable(builder_.dtype(output))) dys[i] = loops_->ZerosFor(output);
    }
  }

  Values Differentiate(NodeId id, Values dys) {
    const OpDef& op = *builder_.graph().node(id).op;
    const std::string name = builder_.graph().node(id).name;
    const size_t inputs = builder_.graph().node(id).inputs.size();
    Values gradients(inputs);
    const Differentiation how = DifferentiationOf(op);
    switch (how.kind) {
      case Differentiation::Kind::kNotRegistered:
        throw Unimplemented("no gradient is defined for the op '", name, "' (", op.name, ")");
      case Differentiation::Kind::kBlocks:
        return gradients;
      case Differentiation::Kind::kControlFlow:
        gradients = ControlFlowGradients(builder_, id, dys);
        break;
      case Differentiation::Kind::kRule: {
        Gradient gradient(builder_, id, std::move(dys));
        gradients = how.rule(gradient);
        break;
      }
    }
    if (gradients.size() != inputs)
      throw Internal("the gradient rule of ", op.name, " gave ", gradients.size(), " gradients for ", inputs,
                     " inputs");
    return gradients;
  }

  // D9: nothing may use one of the gradients before all are computed.
  void Gate(Values& gradients) {
    std::vector<NodeId> all;
    for (const GradientValue& gradient : gradients) {
      MapParts(gradient, [&](Endpoint part) { return all.push_back(part.node), part; });
    }
    if (all.size() < 2) return;
    GraphBuilder::Options options;
    options.name = "group_deps";
    options.control_inputs = all;
    const NodeId gate = builder_.Add("NoOp", {}, {}, std::move(options));
    GraphBuilder::ControlScope after(builder_, {gate});
    for (GradientValue& gradient : gradients) {
      gradient = MapParts(gradient, [&](Endpoint part) { return builder_.Call("Identity", {part}); });
    }
  }

  // D8.
  void CheckShape(NodeId id, Endpoint input, const GradientValue& gradient) {
    if (gradient.kind != GradientValue::Kind::kDense || builder_.dtype(input) == DType::kResource) return;
    const PartialShape& expected = builder_.shape(input);
    const PartialShape& actual = builder_.shape(gradient.values);
    Require(expected.IsCompatibleWith(actual), "the gradient of '", builder_.graph().node(id).name, "' (",
            builder_.graph().node(id).op->name, ") has shape ", actual.ToString(), ", but its input '",
            builder_.graph().NameOf(input), "' has shape ", expected.ToString());
    builder_.set_shape(gradient.values, actual.MergeWith(expected));
  }

  void ReleaseInputs(NodeId id) {
    const std::vector<Endpoint> inputs = builder_.graph().node(id).inputs;
    for (const Endpoint& input : inputs) {
      if (Index(input.node) >= path_->pending.size()) continue;
      int& pending = path_->pending[Index(input.node)];
      --pending;
      if (pending == 0 || (pending > 0 && IsLoopSwitch(input.node))) Enqueue(input);
    }
  }

  bool IsLoopSwitch(NodeId id) {
    Context* context = ContextOf(builder_, id);
    return IsSwitch(builder_.graph().node(id)) && context != nullptr && context->AsWhile() != nullptr;
  }

  void Enqueue(Endpoint ready) {
    if (!IsExit(builder_.graph().node(ready.node)) || ContextOf(builder_, ready.node) == nullptr) {
      queue_.push_back(ready.node);
      return;
    }
    const auto exits = loops_->DeferExit(
        ready, [&](NodeId id) { return HasGradient(id); },
        [&](Endpoint exit) { Receive(exit, loops_->ZerosForExit(exit)); });
    queue_.insert(queue_.end(), exits.begin(), exits.end());
  }

  // D7.
  Values Results() {
    Values results;
    for (const Endpoint& x : xs_) {
      GradientValue result = Collect(x.node)[x.output];
      if (result.IsNone() && options_.zeros_where_unconnected) result = builder_.Call("ZerosLike", {x});
      results.push_back(result);
    }
    return results;
  }

  GraphBuilder& builder_;
  const std::vector<Endpoint>& ys_;
  const std::vector<Endpoint>& xs_;
  const GradientOptions& options_;
  GraphBuilder::NameScope scope_;
  std::optional<GradientPath> path_;
  std::optional<LoopGradients> loops_;
  std::vector<bool> stops_;
  std::deque<NodeId> queue_;
  std::unordered_map<NodeId, std::vector<Slot>> slots_;
};

}  // namespace

std::vector<GradientValue> Gradients(GraphBuilder& builder, const std::vector<Endpoint>& ys,
                                     const std::vector<Endpoint>& xs, const GradientOptions& options) {
  return Differentiator(builder, ys, xs, options).Run();
}

std::vector<Output> DenseGradients(const std::vector<Output>& ys, const std::vector<Output>& xs,
                                   GradientOptions options) {
  Require(!ys.empty(), "there is nothing to differentiate");
  GraphBuilder& builder = *ys[0].builder;
  options.zeros_where_unconnected = true;
  std::vector<Output> gradients;
  for (const GradientValue& gradient : Gradients(builder, ToEndpoints(ys), ToEndpoints(xs), options)) {
    gradients.push_back({&builder, Densify(builder, gradient)});
  }
  return gradients;
}

}  // namespace plumb
