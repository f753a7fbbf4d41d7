#include "spec/graph/function_frames.h"

#include <algorithm>
#include <map>

#include "spec/graph/function_body.h"
#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"
#include "spec/validate/signatures.h"

namespace plumb {
namespace {

// No function of a library has such a name.
constexpr char kCondition[] = "frame:condition";
constexpr char kBody[] = "frame:body";

// A frame taken apart: variables in the order of their Merges, then invariants.
struct FrameLoop {
  std::string name;
  std::vector<NodeId> merges;
  std::vector<NodeId> enters;      // of the variables, then of the invariants
  std::map<NodeId, size_t> turns;  // Switches: the variable that each sends into the next turn or out
  NodeId condition = NodeId::kNone;

  size_t variables() const { return merges.size(); }
};

class FrameReader {
 public:
  FrameReader(const FunctionBody& body, const FrameMap& frames, int frame)
      : body_(body), graph_(body.graph), frames_(frames), frame_(frame) {}

  FrameLoop Read() {
    loop_.name = frames_.names[static_cast<size_t>(frame_)];
    const auto& conditions = frames_.loop_conds[static_cast<size_t>(frame_)];
    Check(conditions.size() == 1, "it has no condition of its own");
    loop_.condition = conditions[0];
    std::vector<NodeId> invariants;
    ForEach([&](const Node& node) {
      if (IsEnter(node) && GetAttr<bool>(node.attrs, "is_constant")) invariants.push_back(node.id);
      if (IsMerge(node) && IsVariable(node)) AddVariable(node);
    });
    loop_.enters.insert(loop_.enters.end(), invariants.begin(), invariants.end());
    ForEach([&](const Node& node) {
      if (IsSwitch(node) && node.inputs[1].node == loop_.condition) AddSwitch(node);
      const bool is_known = !IsEnter(node) || std::count(loop_.enters.begin(), loop_.enters.end(), node.id) > 0;
      Check(is_known, Str("'", node.name, "' enters it as no variable"));
    });
    return std::move(loop_);
  }

 private:
  template <class Visit>
  void ForEach(Visit visit) const {
    for (const Node& node : graph_.nodes()) {
      if (frames_.of_node[Index(node.id)] == frame_) visit(node);
    }
  }

  void Check(bool holds, const std::string& what) const {
    if (holds) return;
    throw Unimplemented("the function '", body_.name, "' has the loop '", frames_.names[static_cast<size_t>(frame_)],
                        "', which cannot be differentiated: ", what);
  }

  bool IsVariable(const Node& merge) const {
    return std::any_of(merge.inputs.begin(), merge.inputs.end(),
                       [&](Endpoint input) { return IsNextIteration(graph_.node(input.node)); });
  }

  void AddVariable(const Node& merge) {
    const bool is_plain = merge.inputs.size() == 2 && IsEnter(graph_.node(merge.inputs[0].node)) &&
                          IsNextIteration(graph_.node(merge.inputs[1].node));
    Check(is_plain, Str("the inputs of '", merge.name, "' are not an Enter and a NextIteration"));
    loop_.merges.push_back(merge.id);
    loop_.enters.push_back(merge.inputs[0].node);
  }

  void AddSwitch(const Node& node) {
    const auto at = std::find(loop_.merges.begin(), loop_.merges.end(), node.inputs[0].node);
    Check(at != loop_.merges.end(), Str("'", node.name, "' sends no variable to the next turn"));
    loop_.turns.emplace(node.id, static_cast<size_t>(at - loop_.merges.begin()));
  }

  const FunctionBody& body_;
  const Graph& graph_;
  const FrameMap& frames_;
  const int frame_;
  FrameLoop loop_;
};

// A graph in which some values, and nodes that others wait for, are replaced by those of nodes that join it.
class Rewriting {
 public:
  explicit Rewriting(const FunctionBody& body) : name_(body.name), graph_(body.graph) {}

  Graph& graph() { return graph_; }
  NodeId Append(NodeDef def, std::vector<Endpoint> inputs, std::vector<NodeId> before) {
    while (graph_.Find(def.name)) def.name += "_";
    Node node = ResolveNode(def);
    node.inputs = std::move(inputs);
    node.control_inputs = std::move(before);
    return graph_.Append(std::move(node));
  }
  NodeId AppendArg(DType type) {
    const auto index = static_cast<int64_t>(args_.size());
    args_.push_back(Append({.name = Str("variable_", index),
                            .op = "_Arg",
                            .inputs = {},
                            .device = {},
                            .attrs = {{"T", type}, {"index", index}},
                            .debug_info = {}},
                           {}, {}));
    return args_.back();
  }
  void KeepArgs(const std::vector<NodeId>& args) { args_ = args; }
  void Replace(Endpoint value, Endpoint by) { values_.emplace(value, by); }
  // kNone: whoever waits for the node need not.
  void ReplaceNode(NodeId node, NodeId by) { nodes_.emplace(node, by); }

  std::vector<bool> NeededBy(const std::vector<Endpoint>& results, const std::vector<NodeId>& effects) const {
    std::vector<bool> needed(static_cast<size_t>(graph_.size()));
    std::vector<NodeId> open = effects;
    for (const Endpoint result : results) open.push_back(Now(result).node);
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (needed[Index(id)]) continue;
      needed[Index(id)] = true;
      for (const Endpoint input : graph_.node(id).inputs) open.push_back(Now(input).node);
      for (const NodeId before : BeforeNow(graph_.node(id))) open.push_back(before);
    }
    return needed;
  }

  // What is needed, as a body.
  FunctionBody Finish(const std::vector<Endpoint>& results, const std::vector<NodeId>& effects) const {
    std::vector<bool> kept = NeededBy(results, effects);
    for (const NodeId arg : args_) kept[Index(arg)] = true;
    FunctionBody body;
    body.name = name_;
    std::vector<NodeId> now(kept.size(), NodeId::kNone);
    for (const Node& node : graph_.nodes()) {
      if (kept[Index(node.id)]) now[Index(node.id)] = body.graph.Append(node);
    }
    const auto moved = [&](Endpoint value) { return Endpoint{now[Index(Now(value).node)], Now(value).output}; };
    for (const Node& node : graph_.nodes()) {
      if (!kept[Index(node.id)]) continue;
      Node& copy = body.graph.Edit(now[Index(node.id)]);
      for (Endpoint& input : copy.inputs) input = moved(input);
      copy.control_inputs = BeforeNow(node);
      for (NodeId& before : copy.control_inputs) before = now[Index(before)];
    }
    for (const NodeId arg : args_) body.args.push_back(now[Index(arg)]);
    for (const Endpoint result : results) body.results.push_back(moved(result));
    for (const NodeId effect : effects) body.effects.push_back(now[Index(effect)]);
    return body;
  }

 private:
  Endpoint Now(Endpoint value) const {
    const auto found = values_.find(value);
    if (found != values_.end()) return found->second;
    if (nodes_.contains(value.node)) {
      throw Unimplemented("the function '", name_, "' has a loop, which cannot be differentiated: '",
                          graph_.NameOf(value), "' is used where it is no variable");
    }
    return value;
  }
  std::vector<NodeId> BeforeNow(const Node& node) const {
    std::vector<NodeId> result;
    for (const NodeId before : node.control_inputs) {
      const auto found = nodes_.find(before);
      const NodeId now = found == nodes_.end() ? before : found->second;
      if (now != NodeId::kNone && std::count(result.begin(), result.end(), now) == 0) result.push_back(now);
    }
    return result;
  }

  const std::string name_;
  Graph graph_;
  std::vector<NodeId> args_;
  std::map<Endpoint, Endpoint> values_;
  std::map<NodeId, NodeId> nodes_;
};

bool IsInside(const FrameMap& frames, int frame, int of) {
  while (frame > 0 && frame != of) frame = frames.parents[static_cast<size_t>(frame)];
  return frame == of;
}

// What stands in the turn for what comes from outside of it: each Merge, the live side of its Switch, each invariant.
Rewriting OneTurn(const FunctionBody& body, const FrameLoop& loop) {
  Rewriting turn(body);
  const Graph& graph = body.graph;
  for (size_t i = 0; i < loop.enters.size(); ++i) {
    const NodeId arg = turn.AppendArg(Base(graph.TypeOf({loop.enters[i], 0})));
    const NodeId source = i < loop.variables() ? loop.merges[i] : loop.enters[i];
    turn.Replace({source, 0}, {arg, 0});
    turn.ReplaceNode(source, arg);
    for (const auto& [node, variable] : loop.turns) {
      if (variable != i) continue;
      turn.Replace({node, 1}, {arg, 0});
      turn.ReplaceNode(node, arg);
    }
  }
  for (size_t i = 0; i < loop.variables(); ++i) turn.ReplaceNode(loop.enters[i], NodeId::kNone);
  turn.ReplaceNode(loop.condition, NodeId::kNone);
  return turn;
}

FunctionBody TurnOf(const FunctionBody& body, const FrameMap& frames, int frame, bool condition) {
  const FrameLoop loop = FrameReader(body, frames, frame).Read();
  const Rewriting turn = OneTurn(body, loop);
  const std::vector<Endpoint> decides = {body.graph.node(loop.condition).inputs[0]};
  if (condition) return turn.Finish(decides, {});
  std::vector<Endpoint> results;
  for (const NodeId merge : loop.merges) {
    results.push_back(body.graph.node(body.graph.node(merge).inputs[1].node).inputs[0]);
  }
  for (size_t i = loop.variables(); i < loop.enters.size(); ++i) results.push_back({loop.enters[i], 0});
  const std::vector<bool> in_condition = turn.NeededBy(decides, {});
  std::vector<NodeId> effects;
  for (const NodeId node : StatefulNodes(body.graph)) {
    if (IsInside(frames, frames.of_node[Index(node)], frame) && !in_condition[Index(node)]) effects.push_back(node);
  }
  return turn.Finish(results, effects);
}

FrameMap FramesOf(const FunctionBody& body) { return CheckFrames(body.graph, body.Needed()); }

// The loop as a node; returns it.
NodeId AppendLoop(Rewriting& outside, const FunctionBody& body, const FrameLoop& loop, const FunctionRef& function) {
  const auto attrs = std::make_shared<const AttrMap>(AttrMap{{"f", function}, {"frame", loop.name}});
  std::vector<DType> types;
  std::vector<Endpoint> inputs;
  std::vector<NodeId> before;
  for (const NodeId enter : loop.enters) {
    const Node& node = body.graph.node(enter);
    types.push_back(Base(node.output_types[0]));
    inputs.push_back(node.inputs[0]);
    before.insert(before.end(), node.control_inputs.begin(), node.control_inputs.end());
  }
  NodeDef def;
  def.name = "while";
  def.op = "While";
  def.attrs = {{"T", types}, {"cond", FunctionRef{kCondition, attrs}}, {"body", FunctionRef{kBody, attrs}}};
  return outside.Append(std::move(def), std::move(inputs), std::move(before));
}

}  // namespace

bool HasFrames(const FunctionBody& body) {
  const std::vector<bool> needed = body.Needed();
  return std::any_of(body.graph.nodes().begin(), body.graph.nodes().end(),
                     [&](const Node& node) { return needed[Index(node.id)] && IsEnter(node); });
}

FunctionBody WithoutFrames(const FunctionBody& body, const FunctionRef& function) {
  const FrameMap frames = FramesOf(body);
  Rewriting outside(body);
  outside.KeepArgs(body.args);
  std::vector<NodeId> effects;
  for (const NodeId effect : body.effects) {
    if (frames.of_node[Index(effect)] <= 0) effects.push_back(effect);
  }
  for (int frame = 1; frame < static_cast<int>(frames.names.size()); ++frame) {
    if (frames.parents[static_cast<size_t>(frame)] != 0) continue;
    const FrameLoop loop = FrameReader(body, frames, frame).Read();
    const NodeId node = AppendLoop(outside, body, loop, function);
    for (const Node& exit : body.graph.nodes()) {
      if (!IsExit(exit) || frames.of_node[Index(exit.id)] != frame) continue;
      const auto variable = loop.turns.find(exit.inputs[0].node);
      if (variable == loop.turns.end() || exit.inputs[0].output != 0) {
        throw Unimplemented("the function '", body.name, "' has the loop '", loop.name,
                            "', which cannot be differentiated: '", exit.name, "' leaves it with no variable");
      }
      outside.Replace({exit.id, 0}, {node, static_cast<int32_t>(variable->second)});
      outside.ReplaceNode(exit.id, node);
    }
    effects.push_back(node);
  }
  return outside.Finish(body.results, effects);
}

bool IsFrameFunction(const FunctionRef& function) { return function.name.starts_with("frame:"); }

FunctionBody MakeFrameFunction(const FunctionLibrary& library, const FunctionRef& function) {
  Require(function.attrs != nullptr, "a reference to '", function.name, "' does not say of which loop");
  const bool condition = function.name == kCondition;
  if (!condition && function.name != kBody) {
    throw NotFound("the function '", function.name, "' is not in the graph's library");
  }
  const FunctionBody& body = library.Body(GetAttr<FunctionRef>(*function.attrs, "f"));
  const auto& name = GetAttr<std::string>(*function.attrs, "frame");
  const FrameMap frames = FramesOf(body);
  const auto at = std::find(frames.names.begin() + 1, frames.names.end(), name);
  Require(at != frames.names.end(), "the function '", body.name, "' has no loop '", name, "'");
  return TurnOf(body, frames, static_cast<int>(at - frames.names.begin()), condition);
}

}  // namespace plumb
