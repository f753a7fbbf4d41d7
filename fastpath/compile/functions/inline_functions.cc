#include "fastpath/compile/functions/inline_functions.h"

#include <algorithm>
#include <map>

#include "fastpath/compile/functions/call_nodes.h"
#include "fastpath/compile/functions/inline_body.h"
#include "fastpath/compile/functions/loop_nodes.h"
#include "fastpath/compile/graph/frames.h"
#include "spec/graph/function_calls.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

// Beyond these, calls are compiled when they run.
constexpr int kDeepest = 48;
constexpr int kMostNodes = 200'000;
// Of a loop that does not say how many of its turns may run at once: what loops say by default.
constexpr int64_t kTurnsAtOnce = 10;

// Where a call lies.
struct Surroundings {
  int depth = 0;           // calls around it
  bool is_inside = false;  // of a frame or a branch: whatever has no inputs needs a pivot to belong there
  std::vector<const FunctionBody*> bodies;
};

// What stands in the place of a call.
struct Replacement {
  std::vector<Endpoint> outputs;
  NodeId done = NodeId::kNone;  // runs when all of the call has run; dead where the call is
};

class Inliner {
 public:
  Inliner(StepGraph& graph, int depth, const CallKernelFactory& call_kernel, const std::vector<std::string>& devices)
      : graph_(graph),
        nodes_(graph),
        functions_(graph.source->functions().get()),
        depth_(depth),
        call_kernel_(call_kernel),
        devices_(devices) {}

  void Run() {
    FindCalls();
    if (calls_.empty()) return;
    for (size_t i = 0; i < calls_.size(); ++i) {  // grows
      const auto [id, around] = calls_[i];
      Expand(id, around);
    }
    Redirect();
    RemoveUnreachable(graph_);
  }

 private:
  void FindCalls() {
    for (int i = 0; i < graph_.size(); ++i) {
      const StepNode& node = graph_.nodes[i];
      may_be_dead_ |= node.kind == NodeKind::kSwitch;
      if (!IsCallNode(node)) continue;
      calls_.push_back({NodeId(i), {}});
      CheckCalls(functions_, *node.op, [&](const FunctionBody& body) {
        for (const Node& each : body.graph.nodes()) may_be_dead_ |= each.op->kind == OpKind::kSwitch;
      });
    }
    if (calls_.empty()) return;
    const FrameMap frames = AnalyzeFrames(graph_);
    for (auto& [id, around] : calls_) {
      around.depth = depth_;
      around.is_inside = frames.of_node[Index(id)] != 0;
    }
  }

  // ---- Effects ------------------------------------------------------------------------------------------------------

  // Runs when all of these have run, and is live wherever they are dead.
  std::vector<NodeId> After(const Node& call, const std::string& role, std::vector<NodeId> effects) {
    if (effects.empty()) return {};
    if (!may_be_dead_ && call.op->kind == OpKind::kCall) return effects;
    return {nodes_.Helper(call, role, "ControlTrigger", {}, {}, std::move(effects))};
  }

  // ---- Bodies -------------------------------------------------------------------------------------------------------

  InlinedBody Inline(const Node& call, const CalledFunction& called, const std::vector<Endpoint>& args, NodeId pivot,
                     bool pivot_for_all, const Surroundings& around) {
    const FunctionBody& body = functions_->Body(called.function);
    Surroundings inside = around;
    ++inside.depth;
    inside.bodies.push_back(&body);
    InlinedBody inlined = InlineBody(nodes_, call, called.label, body, args, pivot, pivot_for_all);
    for (const NodeId inner : inlined.calls) calls_.push_back({inner, inside});
    return inlined;
  }

  // ---- Calls --------------------------------------------------------------------------------------------------------

  // FN5: what a call waits for before anything of it runs.
  struct Entry {
    std::vector<Endpoint> args;
    NodeId pivot = NodeId::kNone;  // dead where the call is; none where nothing depends on it
  };

  bool HasEffects(const Node& call) const {
    const std::vector<CalledFunction> functions = FunctionsCalledBy(call);
    return std::any_of(functions.begin(), functions.end(), [&](const CalledFunction& called) {
      return !functions_->Body(called.function).effects.empty();
    });
  }

  Entry Enter(const Node& call, const StepNode& node, const Surroundings& around) {
    Entry entry;
    std::vector<NodeId> waits = node.controls;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      entry.args.push_back(nodes_.Identity(call, Str("input", i), node.inputs[i]));
      waits.push_back(entry.args.back().node);
    }
    if (waits.empty()) return entry;
    const bool is_strict = may_be_dead_ || HasEffects(call) || !node.controls.empty();
    if (!is_strict && !around.is_inside) return entry;
    if (waits.size() == 1) {
      entry.pivot = waits[0];
      return entry;
    }
    entry.pivot = is_strict ? nodes_.Helper(call, "start", "NoOp", {}, {}, waits) : waits[0];
    if (!is_strict) return entry;
    for (size_t i = 0; i < entry.args.size(); ++i) {
      entry.args[i] = nodes_.Identity(call, Str("arg", i), entry.args[i], {entry.pivot});
    }
    return entry;
  }

  void Expand(NodeId id, const Surroundings& around) {
    const StepNode node = graph_[id];  // a copy: the graph grows
    const Node& call = *node.op;
    if (MustWait(call, around)) {
      SetCallKernel(graph_[id], call, around.depth, call_kernel_);
      graph_[id].op = nullptr;
      return;
    }
    const Entry entry = Enter(call, node, around);
    Replacement& made = replaced_[id];
    switch (call.op->kind) {
      case OpKind::kIf:
      case OpKind::kCase:
        made = Choice(call, entry, around);
        break;
      case OpKind::kWhile:
        made = CountsTurns(*call.op) ? CountedLoop(call, entry, around) : Loop(call, entry, around);
        break;
      default:
        made = PlainCall(call, entry, around);
    }
    graph_[made.done].is_root = node.is_root;
    graph_[id].is_root = false;
  }

  // A call that will fail does so when it runs, where it does.
  bool MustWait(const Node& call, const Surroundings& around) const {
    if (!HasExecutor(call)) return true;
    if (around.depth >= kMaxCallDepth || around.depth - depth_ >= kDeepest || graph_.size() > kMostNodes) return true;
    const std::vector<CalledFunction> functions = FunctionsCalledBy(call);
    return std::any_of(functions.begin(), functions.end(), [&](const CalledFunction& called) {
      const auto& bodies = around.bodies;
      return std::find(bodies.begin(), bodies.end(), &functions_->Body(called.function)) != bodies.end();
    });
  }

  // The outputs come when all effects are there; whoever waits for the call waits for all of it.
  Replacement Leave(const Node& call, const std::vector<Endpoint>& results, std::vector<NodeId> effects, NodeId pivot,
                    const Surroundings& around) {
    Replacement made;
    std::vector<NodeId> waits = After(call, "effects", std::move(effects));
    const bool follows_pivot = pivot != NodeId::kNone && (may_be_dead_ || around.is_inside);
    if (follows_pivot) waits.push_back(pivot);
    for (size_t i = 0; i < results.size(); ++i) {
      made.outputs.push_back(nodes_.Identity(call, Str("output", i), results[i], waits));
    }
    std::vector<NodeId> all;
    for (const Endpoint output : made.outputs) all.push_back(output.node);
    if (may_be_dead_ && !all.empty()) all = {nodes_.Helper(call, "results", "ControlTrigger", {}, {}, std::move(all))};
    all.insert(all.end(), waits.begin(), waits.end());
    if (pivot != NodeId::kNone && !follows_pivot) all.push_back(pivot);
    made.done = nodes_.Helper(call, "end", "NoOp", {}, {}, std::move(all));
    return made;
  }

  // FN5: nothing of the body runs before the device is known to be there.
  void CheckTarget(const Node& call, Entry& entry) {
    StepNode check;
    SetTargetKernel(check, call, devices_);
    check.inputs = {entry.args[0]};
    if (entry.pivot != NodeId::kNone) check.controls = {entry.pivot};
    entry.pivot = graph_.Add(std::move(check));
    entry.args.erase(entry.args.begin());
    for (size_t i = 0; i < entry.args.size(); ++i) {
      entry.args[i] = nodes_.Identity(call, Str("checked", i), entry.args[i], {entry.pivot});
    }
  }

  // FN11: nothing of the body runs before the rows are known to fit.
  void PadRows(const Node& call, Entry& entry) {
    StepNode pad;
    SetPadKernel(pad, call);
    const size_t rows = pad.input_types.size();
    pad.inputs.assign(entry.args.begin(), entry.args.begin() + static_cast<std::ptrdiff_t>(rows));
    if (entry.pivot != NodeId::kNone) pad.controls = {entry.pivot};
    entry.pivot = graph_.Add(std::move(pad));
    for (size_t i = 0; i < entry.args.size(); ++i) {
      entry.args[i] = i < rows ? Endpoint{entry.pivot, static_cast<int32_t>(i)}
                               : nodes_.Identity(call, Str("captured", i), entry.args[i], {entry.pivot});
    }
  }

  void CutRows(const Node& call, Endpoint given, Endpoint padded, std::vector<Endpoint>& results) {
    for (size_t i = 0; i < results.size(); ++i) {
      StepNode cut;
      SetCutKernel(cut, call, i);
      cut.inputs = {given, padded, results[i]};
      results[i] = {graph_.Add(std::move(cut)), 0};
    }
  }

  Replacement PlainCall(const Node& call, Entry entry, const Surroundings& around) {
    if (NamesTarget(*call.op)) CheckTarget(call, entry);
    const std::vector<Endpoint> given = entry.args;
    if (Batches(*call.op)) PadRows(call, entry);
    const bool has_check = NamesTarget(*call.op) || Batches(*call.op);
    const bool pivot_for_all = may_be_dead_ || around.is_inside || has_check;
    InlinedBody body = Inline(call, FunctionsCalledBy(call)[0], entry.args, entry.pivot, pivot_for_all, around);
    if (Batches(*call.op)) CutRows(call, given[0], entry.args[0], body.results);
    return Leave(call, body.results, body.effects, entry.pivot, around);
  }

  // FN7: each branch has its inputs through Switches, and one of each set of results is live.
  Replacement Choice(const Node& call, const Entry& entry, const Surroundings& around) {
    const std::vector<CalledFunction> functions = FunctionsCalledBy(call);
    const size_t branches = functions.size();
    StepNode chooser;
    chooser.name = Str(call.name, "::branch");
    SetBranchKernel(chooser, call, branches);
    chooser.inputs = {entry.args[0]};
    chooser.input_types = {Base(call.input_types[0])};
    chooser.output_types.assign(branches, DType::kBool);
    const NodeId chosen = graph_.Add(std::move(chooser));
    std::vector<std::vector<Endpoint>> results;
    std::vector<NodeId> effects;
    for (size_t b = 0; b < branches; ++b) {
      const Endpoint predicate = {chosen, static_cast<int32_t>(b)};
      const auto taken = [&](const std::string& role, Endpoint value) {
        return Endpoint{nodes_.Switch(call, Str(functions[b].label, ":", role), value, predicate).node, 1};
      };
      std::vector<Endpoint> args;
      for (size_t i = 1; i < entry.args.size(); ++i) args.push_back(taken(Str("switch", i - 1), entry.args[i]));
      const NodeId pivot = nodes_.Identity(call, functions[b].label + ":start", taken("taken", predicate)).node;
      const InlinedBody body = Inline(call, functions[b], args, pivot, /*pivot_for_all=*/true, Inside(around));
      results.push_back(body.results);
      effects.insert(effects.end(), body.effects.begin(), body.effects.end());
    }
    std::vector<Endpoint> merged;
    for (size_t i = 0; i < call.output_types.size(); ++i) {
      std::vector<Endpoint> all;
      for (const auto& each : results) all.push_back(each[i]);
      const AttrMap attrs = {{"T", call.output_types[i]}, {"N", static_cast<int64_t>(branches)}};
      merged.push_back({nodes_.Helper(call, Str("merge", i), "Merge", attrs, std::move(all)), 0});
    }
    return Leave(call, merged, std::move(effects), chosen, around);
  }

  // FN7: a frame. The next turn begins when all effects of this one are there.
  Replacement Loop(const Node& call, Entry entry, const Surroundings& around) {
    const std::vector<CalledFunction> functions = FunctionsCalledBy(call);
    const auto variables = static_cast<int>(entry.args.size());
    if (entry.args.empty()) AddTurn(call, entry);
    const auto turns_at_once = GetAttr<int64_t>(call.attrs, "parallel_iterations");
    LoopNodes loop(nodes_, call, entry.args, std::min<int64_t>(turns_at_once, INT32_MAX));
    std::vector<Endpoint> now, args, exits;
    for (int i = 0; i < variables; ++i) now.push_back(loop.now(i));
    const InlinedBody condition = Inline(call, functions[0], now, loop.now(0).node, true, Inside(around));
    loop.Decide(condition.results[0], After(call, "condition_effects", condition.effects));
    for (int i = 0; i < variables; ++i) args.push_back(loop.in_turn(i));
    InlinedBody body = Inline(call, functions[1], args, loop.in_turn(0).node, true, Inside(around));
    body.results.resize(entry.args.size(), loop.in_turn(0));
    const std::vector<NodeId> waits = After(call, "body_effects", body.effects);
    for (int i = 0; i < loop.variables(); ++i) loop.Next(i, body.results[static_cast<size_t>(i)], waits);
    for (int i = 0; i < variables; ++i) exits.push_back(loop.exit(i));
    return Leave(call, exits, {}, loop.exit(0).node, around);
  }

  // FN7: a loop that counts. Three variables of its own: where it is, how many turns are left, and how far a turn goes.
  Replacement CountedLoop(const Node& call, const Entry& entry, const Surroundings& around) {
    const Endpoint start = entry.args[0], delta = entry.args[2];
    StepNode turns;
    SetTurnsKernel(turns, call);
    turns.inputs = {start, entry.args[1], delta};
    const NodeId turns_left = graph_.Add(std::move(turns));
    const FunctionBody& function = functions_->Body(FunctionsCalledBy(call)[0].function);
    // A body without results and effects changes nothing, however often it is run.
    if (function.results.empty() && function.effects.empty()) return Leave(call, {}, {}, turns_left, around);
    std::vector<Endpoint> initial = {start, {turns_left, 0}, delta};
    initial.insert(initial.end(), entry.args.begin() + FirstArgument(*call.op), entry.args.end());
    LoopNodes loop(nodes_, call, initial, kTurnsAtOnce);
    loop.Decide(loop.now(1), {});
    StepNode next;
    SetNextTurnKernel(next, call);
    next.inputs = {loop.in_turn(0), loop.in_turn(1), loop.in_turn(2)};
    const NodeId counted = graph_.Add(std::move(next));
    std::vector<Endpoint> args = {loop.in_turn(0)}, exits;
    for (int i = 3; i < loop.variables(); ++i) args.push_back(loop.in_turn(i));
    const InlinedBody body = Inline(call, FunctionsCalledBy(call)[0], args, loop.in_turn(0).node, true, Inside(around));
    const std::vector<NodeId> waits = After(call, "body_effects", body.effects);
    loop.Next(0, {counted, 0}, waits);
    loop.Next(1, {counted, 1}, waits);
    loop.Next(2, loop.in_turn(2), waits);
    for (int i = 3; i < loop.variables(); ++i) {
      loop.Next(i, body.results[static_cast<size_t>(i - 3)], waits);
      exits.push_back(loop.exit(i));
    }
    return Leave(call, exits, {}, loop.exit(0).node, around);
  }

  static Surroundings Inside(Surroundings around) {
    around.is_inside = true;
    return around;
  }

  // A loop without variables goes by one of its own.
  void AddTurn(const Node& call, Entry& entry) {
    std::vector<NodeId> controls;
    if (entry.pivot != NodeId::kNone) controls.push_back(entry.pivot);
    const AttrMap attrs = {{"value", MakeScalar(false)}, {"dtype", DType::kBool}};
    entry.args.push_back({nodes_.Helper(call, "turn", "Const", attrs, {}, std::move(controls)), 0});
  }

  // ---- The end ------------------------------------------------------------------------------------------------------

  void Redirect() {
    for (StepNode& node : graph_.nodes) {
      for (Endpoint& input : node.inputs) {
        for (auto at = replaced_.find(input.node); at != replaced_.end(); at = replaced_.find(input.node)) {
          input = at->second.outputs[static_cast<size_t>(input.output)];
        }
      }
      for (NodeId& control : node.controls) {
        for (auto at = replaced_.find(control); at != replaced_.end(); at = replaced_.find(control)) {
          control = at->second.done;
        }
      }
    }
  }

  StepGraph& graph_;
  CallNodes nodes_;
  const FunctionLibrary* functions_;
  const int depth_;
  const CallKernelFactory& call_kernel_;
  const std::vector<std::string>& devices_;
  bool may_be_dead_ = false;  // whether anything in the graph or in a body may be dead
  std::vector<std::pair<NodeId, Surroundings>> calls_;
  std::map<NodeId, Replacement> replaced_;
};

}  // namespace

void InlineFunctions(StepGraph& graph, int depth, const CallKernelFactory& call_kernel,
                     const std::vector<std::string>& devices) {
  Inliner(graph, depth, call_kernel, devices).Run();
}

}  // namespace plumb::fast
