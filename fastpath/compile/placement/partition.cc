#include "fastpath/compile/placement/partition.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "fastpath/compile/placement/aliases.h"
#include "fastpath/compile/placement/control_loops.h"
#include "fastpath/compile/placement/host_alone.h"
#include "fastpath/compile/placement/memory_kinds.h"
#include "fastpath/device/transfer.h"

namespace plumb::fast {
namespace {

class Partitioner {
 public:
  Partitioner(StepGraph& graph, const DeviceSet& devices, Wire wire)
      : graph_(graph), devices_(devices), wire_(wire), memory_(graph, devices), may_alias_(FindAliases(graph)) {
    is_host_alone_ = FindHostAlone(graph, devices, memory_);
    loops_ = AddControlLoops(graph, AnalyzeFrames(graph), devices);
    size_ = graph.size();
    may_alias_.resize(size_);
    frame_of_output_ = AnalyzeFrames(graph).of_output;
  }

  void Run() {
    for (int i = 0; i < size_; ++i) {
      const auto inputs = graph_.nodes[i].inputs;
      const auto controls = graph_.nodes[i].controls;
      for (size_t k = 0; k < inputs.size(); ++k) {
        const bool is_alias = may_alias_[Index(inputs[k].node)];
        const Endpoint brought = Bring(inputs[k], NodeId(i), k, is_alias);
        graph_.nodes[i].inputs[k] = brought;
        if (is_alias && !(brought == inputs[k])) SendWith(SendOf(brought.node), NodeId(i), inputs, controls);
      }
    }
    BringControls();
  }

 private:
  NodeId Add(StepNode node, int frame) {
    frame_of_output_.push_back(frame);
    return graph_.Add(std::move(node));
  }
  bool SharePlan(int a, int b) const { return devices_.PlanOf(a) == devices_.PlanOf(b); }
  int FrameOf(NodeId id) const { return frame_of_output_[Index(id)]; }

  // When it is known which values travel.
  void BringControls() {
    for (int i = 0; i < size_; ++i) {
      const auto controls = graph_.nodes[i].controls;
      for (size_t k = 0; k < controls.size(); ++k) graph_.nodes[i].controls[k] = Local(controls[k], NodeId(i));
    }
    for (const auto& [send, awaited] : awaited_) {
      const NodeId local = Local(awaited, send);
      graph_[send].controls.push_back(local);
    }
  }

  // W21: what the consumer takes in place of `input`: one pair for each tensor, receiving device and kind of memory,
  // but for what may change meanwhile.
  Endpoint Bring(Endpoint input, NodeId consumer, size_t slot, bool is_alias) {
    const int device = graph_[consumer].device;
    const bool to_host = memory_.IsWantedOnHost(consumer, slot);
    const bool crosses = graph_[input.node].device != device;
    if (!crosses && to_host == memory_.LiesOnHost(input)) return input;
    const bool is_fetched = graph_[consumer].kind == NodeKind::kFetch;
    const bool is_narrow = !is_fetched && TravelsNarrow(input, device);
    const auto key = std::tuple(input, device, to_host, is_narrow);
    if (const auto known = brought_.find(key); known != brought_.end() && !is_alias) return known->second;
    const bool is_read_later = is_alias && is_fetched;  // rules F28, F29
    const Endpoint brought = IsFreeConstant(input.node) ? Endpoint{CopyConstant(input.node, device, to_host), 0}
                             : is_narrow                ? Endpoint{AddNarrowPair(input, device), 0}
                                                        : Endpoint{AddPair(input, device, to_host, is_read_later), 0};
    if (!is_alias) brought_.emplace(key, brought);
    return brought;
  }

  bool IsFreeConstant(NodeId id) const {
    return graph_[id].kind == NodeKind::kConstant && graph_[id].controls.empty() && FrameOf(id) == 0;
  }

  NodeId CopyConstant(NodeId id, int device, bool to_host) {
    StepNode copy = graph_[id];
    copy.device = device;
    copy.name = Str(copy.name, "/_", next_++);
    copy.in_device_memory = !to_host;
    copy.is_root = false;
    return Add(std::move(copy), 0);
  }

  // The Recv of a new pair.
  NodeId AddPair(Endpoint input, int device, bool to_host, bool is_read_later) {
    const int from = graph_[input.node].device;
    if (from != device && SharePlan(from, device)) return AddMoves(input, device);
    return AddTransfer(input, device, to_host, is_read_later);
  }

  // Whether the value goes to another task as bfloat16.
  bool TravelsNarrow(Endpoint input, int device) const {
    const Device &from = devices_[graph_[input.node].device], &to = devices_[device];
    const auto task = [](const Device& of) { return std::tuple(of.parts().job, of.parts().replica, of.parts().task); };
    return wire_ != Wire::kExact && task(from) != task(to) && from.memory() == nullptr && to.memory() == nullptr &&
           Base(graph_.TypeOf(input)) == DType::kFloat;
  }

  // The Cast back, behind the Recv of what a Cast before the Send has made.
  NodeId AddNarrowPair(Endpoint input, int device) {
    const std::string name = graph_[input.node].name;
    const NodeId narrow = AddCast(Str(name, "/_narrow_", next_++), input, DType::kBfloat16);
    const NodeId recv = AddPair({narrow, 0}, device, true, false);
    const NodeId wide = AddCast(Str(name, "/_wide_", next_++), {recv, 0}, DType::kFloat);
    sends_[wide] = narrow;  // it reads what is sent
    return wide;
  }

  NodeId AddCast(std::string name, Endpoint input, DType to) {
    const AttrMap attrs = {{"SrcT", Base(graph_.TypeOf(input))}, {"DstT", to}, {"Truncate", wire_ == Wire::kTruncated}};
    const NodeId cast = graph_.AddMade("Cast", std::move(name), attrs, {input}, {to}, graph_[input.node].device);
    frame_of_output_.push_back(FrameOf(input.node));
    return cast;
  }

  // Within a plan: the Recv is ready when its Send is done.
  NodeId AddMoves(Endpoint input, int device) {
    const std::string source = graph_[input.node].name;
    const DType type = Base(graph_.TypeOf(input));
    StepNode send;
    send.kind = NodeKind::kSend;
    send.name = Str(source, "/_send_", next_);
    send.device = graph_[input.node].device;
    send.inputs = {input};
    send.input_types = send.output_types = {type};
    StepNode recv;
    recv.kind = NodeKind::kRecv;
    recv.name = Str(source, "/_recv_", next_++);
    recv.device = device;
    recv.input_types = recv.output_types = {type};
    recv.inputs = {{Add(std::move(send), FrameOf(input.node)), 0}};
    return Add(std::move(recv), FrameOf(input.node));
  }

  // W23. A Recv waits for nothing, so what is around it says in which iterations it runs: the control loop of its
  // device, or the Send itself where both lie on one (W16).
  NodeId AddTransfer(Endpoint input, int device, bool to_host, bool is_read_later) {
    const StepNode& source = graph_[input.node];
    const int from = source.device, frame = FrameOf(input.node), number = next_++;
    const DType type = Base(graph_.TypeOf(input));
    const std::string name = Str(source.name, "/_", number);
    AttrMap attrs = {{"tensor_name", Str("edge_", number, "_", source.name)},
                     {"send_device", devices_[from].name()},
                     {"send_device_incarnation", devices_[from].incarnation()},
                     {"recv_device", devices_[device].name()},
                     {kChannelNumber, int64_t{number}}};
    if (is_read_later) attrs[kIsReadLater] = true;
    if (Index(input.node) < is_host_alone_.size() && is_host_alone_[Index(input.node)]) attrs[kNeedsNoWork] = true;
    attrs["T"] = type;
    const NodeId send = graph_.AddMade("_Send", name, attrs, {input}, {}, from);
    graph_[send].is_root = true;
    frame_of_output_.push_back(frame);
    attrs.erase("T");
    attrs["tensor_type"] = type;
    attrs[kReceivesOnHost] = to_host;
    const NodeId recv = graph_.AddMade("_Recv", name + "/_recv", attrs, {}, {type}, device);
    frame_of_output_.push_back(frame);
    sends_[recv] = send;
    if (from == device) {
      graph_[recv].controls = {send};
    } else if (frame > 0) {
      graph_[recv].controls = {loops_.at({frame, devices_.PlanOf(device)})};
    }
    return recv;
  }

  NodeId SendOf(NodeId recv) const {
    const auto sent = sends_.find(recv);
    return sent != sends_.end() ? sent->second : graph_[recv].inputs[0].node;
  }

  // W24: what may change is read no earlier than the consumer itself would read it: when all else that it waits for is
  // there. A Merge waits for one input only.
  void SendWith(NodeId send, NodeId consumer, const std::vector<Endpoint>& inputs,
                const std::vector<NodeId>& controls) {
    if (graph_[consumer].kind == NodeKind::kMerge) return;
    std::vector<NodeId> awaited = controls;
    for (const Endpoint& input : inputs) awaited.push_back(input.node);
    std::sort(awaited.begin(), awaited.end());
    awaited.erase(std::unique(awaited.begin(), awaited.end()), awaited.end());
    for (const NodeId other : awaited) {
      if (other == graph_[send].inputs[0].node || IsFreeConstant(other)) continue;
      awaited_.emplace_back(send, other);
    }
  }

  // W22: a control edge travels with a value of its node that goes there, or as an empty tensor; the Identity behind
  // the Recv shows its deadness (rule X3).
  NodeId Local(NodeId control, NodeId waiting) {
    const int device = graph_[waiting].device;
    if (graph_[control].device == device) return control;
    const auto [at, is_new] = signals_.emplace(std::pair(control, device), NodeId::kNone);
    if (is_new) at->second = AddSignal(control, device);
    return signals_.at({control, device});
  }

  NodeId AddSignal(NodeId control, int device) {
    if (const auto value = ValueThatSignals(control, device)) return AddIdentity(*value, device, FrameOf(control));
    StepNode dummy;
    dummy.kind = NodeKind::kConstant;
    dummy.name = Str(graph_[control].name, "/_signal_", next_++);
    dummy.device = graph_[control].device;
    dummy.value = Tensor(DType::kFloat, Shape({0}));
    dummy.output_types = {DType::kFloat};
    dummy.controls = {control};
    const int frame = FrameOf(control);
    const NodeId signal = Add(std::move(dummy), frame);
    return AddIdentity({AddPair({signal, 0}, device, true, false), 0}, device, frame);
  }

  // What has been brought of a node whose outputs are dead only when it is. A value in the memory of a device says
  // nothing of the work before it.
  std::optional<Endpoint> ValueThatSignals(NodeId control, int device) const {
    const StepNode& node = graph_[control];
    const bool is_received = node.op != nullptr && node.op->op->kind == OpKind::kRecv;
    const bool may_lack_outputs = node.kind == NodeKind::kSwitch || is_received;
    const bool are_hosts = devices_[node.device].memory() == nullptr && devices_[device].memory() == nullptr;
    if (may_lack_outputs || !are_hosts) return std::nullopt;
    const auto first = brought_.lower_bound(std::tuple(Endpoint{control, 0}, device, false, false));
    for (auto at = first; at != brought_.end() && std::get<0>(at->first).node == control; ++at) {
      if (std::get<1>(at->first) == device) return at->second;
    }
    return std::nullopt;
  }

  NodeId AddIdentity(Endpoint value, int device, int frame) {
    StepNode identity;
    identity.kind = NodeKind::kIdentity;
    identity.name = Str(graph_[value.node].name, "/_identity_", next_++);
    identity.device = device;
    identity.inputs = {value};
    identity.input_types = identity.output_types = {Base(graph_.TypeOf(value))};
    return Add(std::move(identity), frame);
  }

  StepGraph& graph_;
  const DeviceSet& devices_;
  const Wire wire_;
  const MemoryKinds memory_;
  std::vector<bool> may_alias_, is_host_alone_;
  ControlLoops loops_;
  int size_ = 0;  // before anything was sent
  std::vector<int> frame_of_output_;
  int next_ = 0;
  std::map<std::tuple<Endpoint, int, bool, bool>, Endpoint> brought_;
  std::map<std::pair<NodeId, int>, NodeId> signals_;
  std::vector<std::pair<NodeId, NodeId>> awaited_;  // by Sends, besides their inputs
  std::map<NodeId, NodeId> sends_;  // by what is taken in place of the value: what reads it where it lies
};

}  // namespace

void Partition(StepGraph& graph, const DeviceSet& devices, Wire wire) {
  if (devices.size() > 1) Partitioner(graph, devices, wire).Run();
}

std::vector<StepGraph> SplitPlans(StepGraph graph, const DeviceSet& devices) {
  std::vector<StepGraph> parts(devices.num_plans());
  std::vector<NodeId> renumbered(graph.nodes.size());
  std::vector<int> plans;
  for (const StepNode& node : graph.nodes) plans.push_back(devices.PlanOf(node.device));
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    renumbered[i] = parts[plans[i]].Add(std::move(graph.nodes[i]));
  }
  for (StepGraph& part : parts) {
    part.source = graph.source;
    part.made = graph.made;
    part.device_names = graph.device_names;
    for (StepNode& node : part.nodes) {
      for (Endpoint& input : node.inputs) input.node = renumbered[Index(input.node)];
      for (NodeId& control : node.controls) control = renumbered[Index(control)];
    }
  }
  parts.erase(std::remove_if(parts.begin() + 1, parts.end(), [](const StepGraph& part) { return part.nodes.empty(); }),
              parts.end());
  return parts;
}

void UploadConstants(StepGraph& graph, const DeviceSet& devices) {
  for (StepNode& node : graph.nodes) {
    if (node.kind != NodeKind::kConstant || !node.in_device_memory) continue;
    try {
      node.value = Upload(devices[node.device], std::move(node.value));
    } catch (const Error& error) {
      throw Error(AtNode(error.status(), node.name, "Const"));
    }
  }
}

}  // namespace plumb::fast
