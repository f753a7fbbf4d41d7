#include "fastpath/compile/placement/memory_kinds.h"

#include <algorithm>

#include "fastpath/device/host_values.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

// A Send takes its value from where that lies.
bool Sends(const StepNode& node) { return node.op != nullptr && node.op->op->kind == OpKind::kSend; }

// The inputs whose value a node that only moves values hands on.
size_t NumMoved(const StepNode& node) { return node.kind == NodeKind::kMerge ? node.inputs.size() : 1; }

}  // namespace

bool OnlyMoves(NodeKind kind) {
  switch (kind) {
    case NodeKind::kIdentity:
    case NodeKind::kSwitch:
    case NodeKind::kMerge:
    case NodeKind::kEnter:
    case NodeKind::kExit:
    case NodeKind::kNextIteration:
      return true;
    default:
      return false;
  }
}

MemoryKinds::MemoryKinds(const StepGraph& graph, const DeviceSet& devices)
    : graph_(graph), devices_(devices), moves_on_host_(graph.nodes.size()) {
  for (int i = 0; i < graph.size(); ++i) {
    const StepNode& node = graph.nodes[i];
    moves_on_host_[i] = DeviceOf(node).memory() != nullptr && OnlyMoves(node.kind) && !node.inputs.empty() &&
                        (IsOfHostValues(node.input_types[0]) || node.input_types[0] == DType::kVariant);
  }
  LeaveOutWhatComesFromDevices();
  LeaveOutWhatNobodyWants();
}

// The more are left out, the more come from devices: what goes round in a loop is tried as if it stayed.
void MemoryKinds::LeaveOutWhatComesFromDevices() {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (int i = 0; i < graph_.size(); ++i) {
      const auto& inputs = graph_.nodes[i].inputs;
      if (!moves_on_host_[i]) continue;
      const auto end = inputs.begin() + static_cast<std::ptrdiff_t>(NumMoved(graph_.nodes[i]));
      if (std::all_of(inputs.begin(), end, [&](const Endpoint& input) { return LiesOnHost(input); })) continue;
      moves_on_host_[i] = false;
      has_changed = true;
    }
  }
}

// Of what comes from the host: what others of these hand on is wanted if they are.
void MemoryKinds::LeaveOutWhatNobodyWants() {
  std::vector<bool> is_wanted(moves_on_host_.size());
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (int i = 0; i < graph_.size(); ++i) {
      const StepNode& node = graph_.nodes[i];
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        const size_t maker = Index(node.inputs[k].node);
        if (!moves_on_host_[maker] || is_wanted[maker]) continue;
        const bool hands_on = moves_on_host_[i] && k < NumMoved(node);
        if (hands_on ? !is_wanted[i] : !Sends(node) && !IsWantedOnHost(NodeId(i), k)) continue;
        is_wanted[maker] = has_changed = true;
      }
    }
  }
  moves_on_host_ = is_wanted;
}

// A handle is read by the host, wherever that lies which it leads to.
bool MemoryKinds::LiesOnHost(Endpoint output) const {
  const StepNode& node = graph_[output.node];
  if (DeviceOf(node).memory() == nullptr || graph_.TypeOf(output) == DType::kResource) return true;
  switch (node.kind) {
    case NodeKind::kKernel:
    case NodeKind::kAsyncKernel:
      return DeviceOf(node).WritesOnHost(*node.op, output.output);
    case NodeKind::kConstant:
      return !node.in_device_memory;
    case NodeKind::kLoopCond:
      return true;
    case NodeKind::kMerge:
      return output.output == 1 || MovesOnHost(output.node);
    default:
      return MovesOnHost(output.node);
  }
}

// The executor itself reads predicates.
bool MemoryKinds::IsWantedOnHost(NodeId consumer, size_t input) const {
  const StepNode& node = graph_[consumer];
  if (DeviceOf(node).memory() == nullptr || node.input_types[input] == DType::kResource) return true;
  switch (node.kind) {
    case NodeKind::kKernel:
    case NodeKind::kAsyncKernel:
      return DeviceOf(node).ReadsOnHost(*node.op, static_cast<int>(input));
    case NodeKind::kLoopCond:
      return true;
    case NodeKind::kSwitch:
      return input == 1 || MovesOnHost(consumer);
    default:
      return MovesOnHost(consumer);
  }
}

}  // namespace plumb::fast
