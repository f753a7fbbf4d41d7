#include "fastpath/compile/partition.h"

#include <map>
#include <tuple>

namespace plumb::fast {
namespace {

class Partitioner {
 public:
  explicit Partitioner(StepGraph& graph) : graph_(graph), size_(graph.size()) {}

  void Run() {
    for (int i = 0; i < size_; ++i) {
      CutControls(NodeId(i));
      CutInputs(NodeId(i));
    }
  }

 private:
  bool Crosses(NodeId from, NodeId to) const { return graph_[from].device != graph_[to].device; }

  void CutInputs(NodeId id) {
    std::vector<NodeId> references;  // Recvs of references, which wait for the node's other inputs
    for (size_t k = 0; k < graph_[id].inputs.size(); ++k) {
      const Endpoint input = graph_[id].inputs[k];
      if (!Crosses(input.node, id)) continue;
      if (IsRef(graph_.TypeOf(input))) {
        references.push_back(AddPair(input, graph_[id].device));
        graph_[id].inputs[k] = {references.back(), 0};
      } else {
        graph_[id].inputs[k] = {SharedPair(input, graph_[id].device), 0};
      }
    }
    for (const NodeId recv : references) WaitForOtherInputs(recv, id);
  }

  // W24: the value is read no earlier than the consumer itself would read it.
  void WaitForOtherInputs(NodeId recv, NodeId consumer) {
    for (const Endpoint& input : graph_[consumer].inputs) {
      const StepNode& producer = graph_[input.node];
      const bool is_back_edge = producer.kind == NodeKind::kNextIteration && graph_[consumer].kind == NodeKind::kMerge;
      if (input.node != recv && producer.kind != NodeKind::kRecv && !is_back_edge) {
        graph_[recv].controls.push_back(input.node);
      }
    }
  }

  // W21: one pair for each tensor and receiving device.
  NodeId SharedPair(Endpoint input, int device) {
    const auto [at, is_new] = pairs_.emplace(std::tuple(input, device), NodeId::kNone);
    if (is_new) at->second = AddPair(input, device);
    return at->second;
  }

  NodeId AddPair(Endpoint input, int device) {
    const std::string& source = graph_[input.node].name;
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
    recv.inputs = {{graph_.Add(std::move(send)), 0}};
    return graph_.Add(std::move(recv));
  }

  // W22: a control edge travels as an empty tensor; the Identity behind the Recv shows its deadness (rule X3).
  void CutControls(NodeId id) {
    for (size_t k = 0; k < graph_[id].controls.size(); ++k) {
      const NodeId control = graph_[id].controls[k];
      if (!Crosses(control, id)) continue;
      const auto [at, is_new] = signals_.emplace(std::pair(control, graph_[id].device), NodeId::kNone);
      if (is_new) at->second = AddSignal(control, graph_[id].device);
      graph_[id].controls[k] = at->second;
    }
  }

  NodeId AddSignal(NodeId control, int device) {
    StepNode dummy;
    dummy.kind = NodeKind::kConstant;
    dummy.name = Str(graph_[control].name, "/_signal_", next_++);
    dummy.device = graph_[control].device;
    dummy.value = Tensor(DType::kFloat, Shape({0}));
    dummy.output_types = {DType::kFloat};
    dummy.controls = {control};
    StepNode identity;
    identity.kind = NodeKind::kIdentity;
    identity.name = dummy.name + "/_identity";
    identity.device = device;
    identity.input_types = identity.output_types = {DType::kFloat};
    identity.inputs = {{AddPair({graph_.Add(std::move(dummy)), 0}, device), 0}};
    return graph_.Add(std::move(identity));
  }

  StepGraph& graph_;
  const int size_;  // before any pair was added
  int next_ = 0;
  std::map<std::tuple<Endpoint, int>, NodeId> pairs_;
  std::map<std::pair<NodeId, int>, NodeId> signals_;
};

}  // namespace

void Partition(StepGraph& graph) { Partitioner(graph).Run(); }

}  // namespace plumb::fast
