// W26: where loops may lie on several devices. The reference runs everything in one place; it only asks where requests
// would put each node (W20).
#include <algorithm>

#include "reference/step/placement.h"

namespace plumb::reference {
namespace {

class LoopDevices {
 public:
  LoopDevices(const StepGraph& step, const SessionOptions& options)
      : step_(step), options_(options), producer_(step.nodes.size(), -1) {
    for (size_t i = 0; i < step.nodes.size(); ++i) {
      for (const StepEdge& edge : step.nodes[i].consumers) {
        if (edge.input == 0) producer_[edge.consumer] = static_cast<int>(i);
      }
    }
  }

  void Check() const {
    for (size_t i = 0; i < step_.nodes.size(); ++i) {
      const int frame = FrameOfOutputs(step_.nodes[i]);
      if (MaySpread(frame)) continue;
      for (const StepEdge& edge : step_.nodes[i].consumers) {
        if (step_.nodes[edge.consumer].rule == Rule::kFetch) continue;
        Require(FinalDevice(static_cast<int>(i)) == FinalDevice(edge.consumer),
                "A cross-device loop must have a pivot predicate: ", step_.frames.names[frame]);
      }
    }
  }

 private:
  int FrameOfOutputs(const StepNode& node) const {
    if (node.rule == Rule::kFeed) return 0;
    const int frame = step_.frames.of_node[Index(node.node->id)];
    if (frame < 0) return 0;  // nothing enters the loop that it is in
    return node.rule == Rule::kExit ? step_.frames.parents[frame] : frame;
  }

  bool MaySpread(int frame) const {
    while (frame > 0 && !step_.frames.loop_conds[frame].empty()) frame = step_.frames.parents[frame];
    return frame <= 0;
  }

  // What the node asks for, or the first device. A reference stays where its variable is (W11, W12).
  int RequestedDevice(int number) const {
    while (FollowsReference(number)) number = producer_[number];
    const StepNode& node = step_.nodes[number];
    return node.rule == Rule::kFeed ? 0 : NumberOfDevice(DeviceName::Parse(node.node->device), options_);
  }

  bool FollowsReference(int number) const {
    const StepNode& node = step_.nodes[number];
    if (node.rule == Rule::kFeed || node.rule == Rule::kMerge || producer_[number] < 0) return false;
    return !node.node->inputs.empty() && TakesReference(*node.node);
  }

  static bool TakesReference(const Node& node) {
    return !node.input_types.empty() && (IsRef(node.input_types[0]) || node.input_types[0] == DType::kResource);
  }

  // W20: Switch and Exit go where their data is.
  int DeviceOfData(int number) const {
    const auto follows = [&] {
      const Rule rule = step_.nodes[number].rule;
      return (rule == Rule::kSwitch || rule == Rule::kExit) && producer_[number] >= 0;
    };
    while (follows()) number = producer_[number];
    return RequestedDevice(number);
  }

  // W20: Enter and NextIteration go where theirs is wanted first; Enters of nested frames follow each other.
  int FinalDevice(int number) const {
    while (true) {
      const StepNode& node = step_.nodes[number];
      const bool follows = node.rule == Rule::kEnter || node.rule == Rule::kNextIteration;
      if (!follows || TakesReference(*node.node)) return DeviceOfData(number);
      const auto first = std::find_if(node.consumers.begin(), node.consumers.end(), [&](const StepEdge& edge) {
        return edge.input >= 0 && step_.nodes[edge.consumer].rule != Rule::kFetch;
      });
      if (first == node.consumers.end()) return DeviceOfData(number);
      if (step_.nodes[first->consumer].rule != Rule::kEnter) return DeviceOfData(first->consumer);
      number = first->consumer;
    }
  }

  const StepGraph& step_;
  const SessionOptions& options_;
  std::vector<int> producer_;  // per node: of its first input; -1: none
};

}  // namespace

void CheckLoopDevices(const StepGraph& step, const SessionOptions& options) {
  if (CountDevices(options) > 1 && step.frames.names.size() > 1) LoopDevices(step, options).Check();
}

}  // namespace plumb::reference
