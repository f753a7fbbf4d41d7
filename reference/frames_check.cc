#include <deque>

#include "reference/frames.h"

namespace plumb::reference {
namespace {

// The static frame of a node: the Enter nodes that lead into it name it. -1: the root.
struct StaticFrame {
  std::string name;
  int parent = -1;
  std::string loop_condition;
};

class FrameCheck {
 public:
  explicit FrameCheck(const StepGraph& graph) : graph_(graph), frame_of_(graph.nodes.size(), kUnvisited) {}

  void Run() {
    for (size_t node = 0; node < graph_.nodes.size(); ++node) {
      const StepNode& step_node = graph_.nodes[node];
      if (step_node.data_inputs + step_node.control_inputs == 0) Visit(static_cast<int>(node), kRoot, nullptr);
    }
    while (!pending_.empty()) {
      const int node = pending_.front();
      pending_.pop_front();
      const int frame = OutputFrame(node);
      for (const StepEdge& edge : graph_.nodes[node].consumers) Visit(edge.consumer, frame, graph_.nodes[node].node);
    }
  }

 private:
  static constexpr int kRoot = -1;
  static constexpr int kUnvisited = -2;

  const Node& NodeAt(int node) const { return *graph_.nodes[node].node; }
  std::string NameOf(int frame) const {
    return frame == kRoot ? "the root frame" : Str("frame '", frames_[frame].name, "'");
  }

  // X11: all inputs of a node lie in one frame.
  void Visit(int node, int frame, const Node* input) {
    if (frame_of_[node] == kUnvisited) {
      frame_of_[node] = frame;
      if (NodeAt(node).IsOp("LoopCond") && frame != kRoot) CheckLoopCondition(frame, NodeAt(node).name);
      pending_.push_back(node);
    } else {
      Require(frame_of_[node] == frame, "node '", NodeAt(node).name, "' has inputs from different frames: '",
              input->name, "' is in ", NameOf(frame), ", another input in ", NameOf(frame_of_[node]));
    }
  }

  // The frame that a node's outputs are in.
  int OutputFrame(int node) {
    const int frame = frame_of_[node];
    switch (graph_.nodes[node].rule) {
      case Rule::kEnter:
        return EnteredFrame(node, frame);
      case Rule::kExit:
        Require(frame != kRoot, "Exit '", NodeAt(node).name, "' is reached without an Enter");
        return frames_[frame].parent;
      default:
        return frame;
    }
  }

  // X12: a frame has a name and one parent.
  int EnteredFrame(int node, int parent) {
    const std::string& name = GetAttr<std::string>(NodeAt(node).attrs, "frame_name");
    Require(!name.empty(), "Enter '", NodeAt(node).name, "' must have a frame name");
    const auto [entry, is_new] = by_name_.try_emplace(name, static_cast<int>(frames_.size()));
    if (is_new) frames_.push_back({.name = name, .parent = parent, .loop_condition = {}});
    if (frames_[entry->second].parent != parent) {
      throw Internal("frame '", name, "' is entered from ", NameOf(parent), " by '", NodeAt(node).name, "' and from ",
                     NameOf(frames_[entry->second].parent), " by another Enter; give each loop its own frame_name");
    }
    return entry->second;
  }

  // X12: one LoopCond per frame, loop counters apart.
  void CheckLoopCondition(int frame, const std::string& name) {
    std::string& first = frames_[frame].loop_condition;
    const bool counter =
        name.find("LoopCounter") != std::string::npos || first.find("LoopCounter") != std::string::npos;
    Require(first.empty() || counter, NameOf(frame), " has two LoopCond nodes, '", first, "' and '", name,
            "'; give each loop its own frame_name");
    first = name;
  }

  const StepGraph& graph_;
  std::vector<int> frame_of_;
  std::vector<StaticFrame> frames_;
  std::map<std::string, int> by_name_;
  std::deque<int> pending_;
};

}  // namespace

void CheckFrames(const StepGraph& graph) { FrameCheck(graph).Run(); }

}  // namespace plumb::reference
