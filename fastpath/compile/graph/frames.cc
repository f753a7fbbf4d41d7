#include "fastpath/compile/graph/frames.h"

#include <algorithm>
#include <unordered_map>

namespace plumb::fast {
namespace {

class FrameAnalysis {
 public:
  explicit FrameAnalysis(const StepGraph& graph) : graph_(graph) {
    map_.frames.push_back({});
    map_.of_node.resize(graph.nodes.size(), kUnknown);
    map_.of_output.resize(graph.nodes.size(), kUnknown);
  }

  FrameMap Run() {
    const std::vector<NodeId> order = TopologicalOrder(graph_);
    while (PlaceSome(order)) {
    }
    for (int i = 0; i < graph_.size(); ++i) CheckBackEdges(NodeId(i));
    CheckPredicates();
    return std::move(map_);
  }

 private:
  static constexpr int kUnknown = -1;

  // Places what inputs reach, in order; a Merge that only back edges reach, once one of their frames is known. Returns
  // whether nodes are left.
  bool PlaceSome(const std::vector<NodeId>& order) {
    bool placed = false;
    NodeId left = NodeId::kNone;
    for (const NodeId id : order) {
      if (map_.of_node[Index(id)] != kUnknown) continue;
      const int known = FrameOfBackEdges(id);
      if (IsReached(id) || known != kUnknown) {
        Place(id, known);
        placed = true;
      } else {
        left = id;
      }
    }
    if (left == NodeId::kNone) return false;
    Require(placed, "node '", graph_[left].name, "' is in a loop that nothing enters");
    return true;
  }

  bool IsReached(NodeId id) const {
    const StepNode& node = graph_[id];
    if (node.inputs.empty() && node.controls.empty()) return true;
    const auto is_known = [&](NodeId producer) {
      return IsBackEdge(producer, id) || map_.of_output[Index(producer)] != kUnknown;
    };
    return HasForwardInput(id) &&
           std::all_of(node.inputs.begin(), node.inputs.end(), [&](Endpoint input) { return is_known(input.node); }) &&
           std::all_of(node.controls.begin(), node.controls.end(), is_known);
  }

  bool HasForwardInput(NodeId id) const {
    const StepNode& node = graph_[id];
    const auto is_forward = [&](NodeId producer) { return !IsBackEdge(producer, id); };
    return std::any_of(node.controls.begin(), node.controls.end(), is_forward) ||
           std::any_of(node.inputs.begin(), node.inputs.end(), [&](Endpoint input) { return is_forward(input.node); });
  }

  // Of a Merge without other inputs, as far as it is known.
  int FrameOfBackEdges(NodeId id) const {
    int frame = kUnknown;
    if (HasForwardInput(id)) return frame;
    for (const Endpoint& input : graph_[id].inputs) frame = std::max(frame, map_.of_output[Index(input.node)]);
    for (const NodeId control : graph_[id].controls) frame = std::max(frame, map_.of_output[Index(control)]);
    return frame;
  }

  // X11: all inputs of a node lie in one frame, `frame` if it is known; a node without inputs lies in the root frame.
  void Place(NodeId id, int frame) {
    const StepNode& node = graph_[id];
    const auto join = [&](NodeId producer) {
      if (IsBackEdge(producer, id)) return;
      const int other = map_.of_output[Index(producer)];
      if (frame < 0) frame = other;
      Require(frame == other, "node '", node.name, "' has inputs from different frames: '", graph_[producer].name,
              "' is in the frame '", map_.frames[other].name, "', another input in '", map_.frames[frame].name, "'");
    };
    for (const Endpoint& input : node.inputs) join(input.node);
    for (const NodeId control : node.controls) join(control);
    map_.of_node[Index(id)] = frame = std::max(frame, 0);
    map_.of_output[Index(id)] = FrameOfOutput(node, frame);
  }

  int FrameOfOutput(const StepNode& node, int frame) {
    if (node.kind == NodeKind::kEnter) return Enter(node, frame);
    if (node.kind != NodeKind::kExit) return frame;
    Require(frame != 0, "node '", node.name, "': an Exit is reached without an Enter");
    return map_.frames[frame].parent;
  }

  // X12: a frame has a name and one parent. X14: equal names mean one frame.
  int Enter(const StepNode& node, int parent) {
    const auto& name = GetAttr<std::string>(node.op->attrs, "frame_name");
    Require(!name.empty(), "node '", node.name, "': an Enter needs a frame_name");
    const auto [at, is_new] = by_name_.emplace(name, static_cast<int>(map_.frames.size()));
    if (is_new) map_.frames.push_back({name, parent, 0});
    FrameInfo& frame = map_.frames[at->second];
    if (frame.parent != parent) {
      throw Internal("node '", node.name, "': the frame '", name, "' is entered from two frames");  // ER8
    }
    ++frame.enters;
    return at->second;
  }

  bool IsBackEdge(NodeId from, NodeId to) const {
    return graph_[from].kind == NodeKind::kNextIteration && graph_[to].kind == NodeKind::kMerge;
  }

  void CheckBackEdges(NodeId id) {
    const auto check = [&](NodeId producer) {
      if (!IsBackEdge(producer, id)) return;
      Require(map_.of_node[Index(producer)] == map_.of_node[Index(id)], "node '", graph_[id].name,
              "' has inputs from different frames: its back edge comes from '", graph_[producer].name, "'");
    };
    for (const Endpoint& input : graph_[id].inputs) check(input.node);
    for (const NodeId control : graph_[id].controls) check(control);
  }

  // X12: one LoopCond a frame, except those of counters.
  void CheckPredicates() {
    std::vector<const StepNode*> predicate(map_.frames.size(), nullptr);
    for (int i = 0; i < graph_.size(); ++i) {
      const StepNode& node = graph_.nodes[i];
      if (node.kind != NodeKind::kLoopCond) continue;
      map_.frames[map_.of_node[i]].has_predicate = true;
      if (node.name.find("LoopCounter") != std::string::npos) continue;
      const StepNode*& first = predicate[map_.of_node[i]];
      Require(first == nullptr, "the frame '", map_.frames[map_.of_node[i]].name, "' has two LoopConds, '",
              first == nullptr ? "" : first->name, "' and '", node.name, "'");
      first = &node;
    }
  }

  const StepGraph& graph_;
  FrameMap map_;
  std::unordered_map<std::string, int> by_name_;
};

}  // namespace

FrameMap AnalyzeFrames(const StepGraph& graph) { return FrameAnalysis(graph).Run(); }

bool MaySpreadOverDevices(const FrameMap& frames, int frame) {
  while (frame > 0 && frames.frames[frame].has_predicate) frame = frames.frames[frame].parent;
  return frame <= 0;
}

void CheckFrameDevices(const StepGraph& graph, const FrameMap& frames) {
  for (int i = 0; i < graph.size(); ++i) {
    const StepNode& node = graph.nodes[i];
    if (node.kind == NodeKind::kFetch || MaySpreadOverDevices(frames, frames.of_node[i])) continue;
    const auto check = [&](NodeId producer) {
      Require(graph[producer].device == node.device,
              "A cross-device loop must have a pivot predicate: ", frames.frames[frames.of_node[i]].name);
    };
    for (const Endpoint& input : node.inputs) check(input.node);
    for (const NodeId control : node.controls) check(control);
  }
}

}  // namespace plumb::fast
