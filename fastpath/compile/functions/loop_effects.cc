#include "fastpath/compile/functions/loop_effects.h"

#include <algorithm>

#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"

namespace plumb::fast {
namespace {

// Gives each loop with effects one more variable: it goes to the next turn, or out, when the effects of its turn have
// run, or are dead.
class LoopEffects {
 public:
  LoopEffects(CallNodes& nodes, const Node& call, const std::string& label, const FunctionBody& body,
              const std::vector<NodeId>& ids)
      : nodes_(nodes),
        call_(call),
        label_(label),
        body_(body),
        ids_(ids),
        frames_(CheckFrames(body.graph, body.Needed())),
        effects_(frames_.names.size()) {}

  std::vector<NodeId> Run() {
    for (const NodeId effect : body_.effects) {
      const int frame = std::max(frames_.of_node[Index(effect)], 0);
      effects_[static_cast<size_t>(frame)].push_back(ids_[Index(effect)]);
    }
    // Parents come before the frames in them.
    for (size_t frame = effects_.size() - 1; frame > 0; --frame) {
      if (effects_[frame].empty()) continue;
      effects_[static_cast<size_t>(frames_.parents[frame])].push_back(Watch(frame));
    }
    return effects_[0];
  }

 private:
  NodeId Watch(size_t frame) {
    Require(!frames_.loop_conds[frame].empty(), "the loop '", frames_.names[frame], "' in the function '", body_.name,
            "' has effects, but no condition that tells when they have all run");
    const NodeId condition = ids_[Index(frames_.loop_conds[frame][0])];
    const StepNode like = nodes_.graph()[EnterOf(frame)];
    const DType type = Base(nodes_.graph().TypeOf(like.inputs[0]));
    const AttrMap of_type = {{"T", type}};
    AttrMap enters = of_type;
    for (const char* attr : {"frame_name", "parallel_iterations"}) {
      enters.emplace(attr, like.op->attrs.find(attr)->second);
    }
    const NodeId enter = Add(frame, "enter", "Enter", enters, {like.inputs[0]}, like.controls);
    const NodeId merge = Add(frame, "merge", "Merge", {{"T", type}, {"N", 2}}, {{enter, 0}, {enter, 0}});
    const NodeId all = Add(frame, "all", "ControlTrigger", {}, {}, effects_[frame]);
    const NodeId held = Add(frame, "held", "Identity", of_type, {{merge, 0}}, {all});
    const NodeId turn = Add(frame, "switch", "Switch", of_type, {{held, 0}, {condition, 0}});
    const NodeId next = Add(frame, "next", "NextIteration", of_type, {{turn, 1}});
    nodes_.graph()[merge].inputs[1] = {next, 0};
    return Add(frame, "exit", "Exit", of_type, {{turn, 0}});
  }

  NodeId Add(size_t frame, const char* role, const char* op, AttrMap attrs, std::vector<Endpoint> inputs,
             std::vector<NodeId> controls = {}) {
    return nodes_.Helper(call_, Str(label_, ":effects", frame, ":", role), op, std::move(attrs), std::move(inputs),
                         std::move(controls));
  }

  NodeId EnterOf(size_t frame) const {
    for (const Node& node : body_.graph.nodes()) {
      const bool enters = IsEnter(node) && frames_.of_node[Index(node.id)] == static_cast<int>(frame);
      if (enters) return ids_[Index(node.id)];
    }
    throw Internal("no node enters the frame '", frames_.names[frame], "'");
  }

  CallNodes& nodes_;
  const Node& call_;
  const std::string& label_;
  const FunctionBody& body_;
  const std::vector<NodeId>& ids_;
  const FrameMap frames_;
  std::vector<std::vector<NodeId>> effects_;  // by frame
};

}  // namespace

std::vector<NodeId> EffectsOutsideLoops(CallNodes& nodes, const Node& call, const std::string& label,
                                        const FunctionBody& body, const std::vector<NodeId>& ids) {
  const auto body_nodes = body.graph.nodes();
  if (std::any_of(body_nodes.begin(), body_nodes.end(), IsEnter)) {
    return LoopEffects(nodes, call, label, body, ids).Run();
  }
  std::vector<NodeId> effects;
  for (const NodeId effect : body.effects) effects.push_back(ids[Index(effect)]);
  return effects;
}

}  // namespace plumb::fast
