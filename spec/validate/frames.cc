#include <deque>
#include <unordered_map>

#include "spec/ops/op_def.h"
#include "spec/validate/control_flow.h"

namespace plumb {
namespace {

// Walks forward from the sources and gives every node the frame of the token that reaches it first; later tokens must
// agree (X11).
class FrameWalk {
 public:
  FrameWalk(const Graph& graph, const std::vector<bool>& live, const std::set<Endpoint>& fed)
      : graph_(graph), live_(live), fed_(fed), out_edges_(OutEdges(graph)) {
    map_.names = {""};
    map_.parents = {-1};
    map_.of_node.assign(graph.size(), -1);
    map_.loop_conds.resize(1);
  }

  FrameMap Walk() {
    for (const Node& node : graph_.nodes()) {
      if (live_[Index(node.id)] && node.inputs.empty() && node.control_inputs.empty()) Reach(node, 0);
    }
    for (const Endpoint& endpoint : fed_) ReachConsumers(endpoint.node, endpoint.output, 0);
    while (!ready_.empty()) {
      const NodeId id = ready_.front();
      ready_.pop_front();
      const int frame = FrameOfOutputs(graph_.node(id));
      for (const Edge& edge : out_edges_[Index(id)]) {
        const bool cut = edge.output >= 0 && fed_.contains({id, edge.output});
        if (!cut && live_[Index(edge.consumer)]) Reach(graph_.node(edge.consumer), frame);
      }
    }
    return std::move(map_);
  }

 private:
  void ReachConsumers(NodeId id, int output, int frame) {
    for (const Edge& edge : out_edges_[Index(id)]) {
      if (edge.output == output && live_[Index(edge.consumer)]) Reach(graph_.node(edge.consumer), frame);
    }
  }

  int FrameOfOutputs(const Node& node) const {
    const int frame = map_.of_node[Index(node.id)];
    if (!IsExit(node)) return frame;
    Require(frame != 0, "node '", node.name, "' (", node.op->name, ") leaves a frame, but no Enter leads to it");
    return map_.parents[frame];
  }

  // A token from frame `from` reaches `node`.
  void Reach(const Node& node, int from) {
    int& frame = map_.of_node[Index(node.id)];
    const bool first = frame < 0;
    if (IsEnter(node)) {
      if (first) frame = EnteredFrame(node, from);
      CheckSame(node, map_.parents[frame], from);
    } else {
      if (first) frame = from;
      CheckSame(node, frame, from);
    }
    if (!first) return;
    if (node.op->kind == OpKind::kLoopCond) AddLoopCond(node, frame);
    ready_.push_back(node.id);
  }

  void CheckSame(const Node& node, int expected, int from) const {
    Require(expected == from, "node '", node.name, "' (", node.op->name, ") has inputs from different frames: '",
            map_.names[expected], "' and '", map_.names[from], "'");
  }

  // X12: a frame name has one parent; ER8: another one is INTERNAL.
  int EnteredFrame(const Node& node, int parent) {
    const auto& name = GetAttr<std::string>(node.attrs, "frame_name");
    Require(!name.empty(), "the Enter node '", node.name, "' must have a frame name");
    const auto [found, is_new] = by_name_.emplace(name, static_cast<int>(map_.names.size()));
    if (is_new) {
      map_.names.push_back(name);
      map_.parents.push_back(parent);
      map_.loop_conds.emplace_back();
    }
    if (map_.parents[found->second] != parent) {
      throw Internal("node '", node.name, "': the frame '", name, "' is entered from two parent frames, '",
                     map_.names[map_.parents[found->second]], "' and '", map_.names[parent], "'");
    }
    return found->second;
  }

  // X12: one LoopCond per frame, counters of gradients aside.
  void AddLoopCond(const Node& node, int frame) {
    const auto is_counter = [](const Node& n) { return n.name.find("LoopCounter") != std::string::npos; };
    for (const NodeId other : map_.loop_conds[frame]) {
      Require(is_counter(node) || is_counter(graph_.node(other)), "the frame '", map_.names[frame],
              "' has two loop conditions, '", graph_.node(other).name, "' and '", node.name, "'");
    }
    map_.loop_conds[frame].push_back(node.id);
  }

  const Graph& graph_;
  const std::vector<bool>& live_;
  const std::set<Endpoint>& fed_;
  std::vector<std::vector<Edge>> out_edges_;
  std::unordered_map<std::string, int> by_name_;
  std::deque<NodeId> ready_;
  FrameMap map_;
};

}  // namespace

FrameMap CheckFrames(const Graph& graph, const std::vector<bool>& live, const std::set<Endpoint>& fed) {
  return FrameWalk(graph, live, fed).Walk();
}

}  // namespace plumb
