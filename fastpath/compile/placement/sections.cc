#include "fastpath/compile/placement/sections.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "fastpath/compile/placement/find_sections.h"
#include "fastpath/device/section.h"

namespace plumb::fast {
namespace {

// The node that stands for a section.
class SectionBuilder {
 public:
  using Kernels = std::function<std::shared_ptr<Kernel>(const Node&, Device&)>;

  // `sends`: of each Recv of the graph.
  SectionBuilder(const StepGraph& graph, std::vector<NodeId> members, Device& device,
                 const std::map<NodeId, NodeId>& sends, const Kernels& kernels)
      : graph_(graph),
        members_(std::move(members)),
        device_(device),
        takes_(dynamic_cast<TakesSections&>(device)),
        sends_(sends),
        kernels_(kernels) {
    for (const NodeId id : members_) is_member_.insert(id);
  }

  // How many kernels of the device are in it.
  int CountKernels() const {
    return static_cast<int>(std::count_if(members_.begin(), members_.end(), [&](NodeId id) {
      const StepNode& node = graph_[id];
      return node.kind == NodeKind::kKernel && takes_.TakesInSection(*node.op);
    }));
  }
  // `users`: of each node of the graph.
  StepNode Build(int number, const std::vector<std::vector<StepEdge>>& users) {
    AddInputs();
    for (const NodeId id : members_) AddPiece(id);
    section_.num_values = next_value_;
    AddOutputs(users);
    MarkLastUses();
    made_.name = Str("section ", number, ", ", CountKernels(), " kernels from ", graph_[members_.front()].name, " to ",
                     graph_[members_.back()].name);
    made_.device = graph_[members_.front()].device;
    section_.name = made_.name;
    made_.kernel = takes_.MakeSection(std::move(section_));
    return std::move(made_);
  }
  // Where the section leaves a value of one of its nodes.
  Endpoint OutputOf(Endpoint inner, NodeId node) const { return {node, outputs_.at(inner)}; }

 private:
  void AddInputs() {
    for (const NodeId id : members_) {
      const StepNode& node = graph_[id];
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        const Endpoint from = node.inputs[k];
        if (is_member_.contains(from.node) || values_.contains(from)) continue;
        values_[from] = next_value_++;
        const StepNode& maker = graph_[from.node];
        const bool is_constant = maker.kind == NodeKind::kConstant && maker.controls.empty();
        section_.inputs.push_back({graph_.TypeOf(from), is_constant, node.op == nullptr ? "" : node.op->device});
        made_.inputs.push_back(from);
        made_.input_types.push_back(graph_.TypeOf(from));
      }
      for (const NodeId control : node.controls) {
        if (!is_member_.contains(control) && controls_.insert(control).second) made_.controls.push_back(control);
      }
      made_.is_root = made_.is_root || node.is_root;
    }
  }

  void AddPiece(NodeId id) {
    const StepNode& node = graph_[id];
    Section::Piece piece;
    piece.name = node.name;
    piece.node = node.op;
    const auto send = sends_.find(id);
    const bool brings = send != sends_.end();
    const bool is_sent = node.op != nullptr && node.op->op->kind == OpKind::kSend;
    const StepNode& taker = brings ? graph_[send->second] : node;  // of what goes in
    if (brings) {
      piece.kernel = takes_.MakeBring();
    } else if (node.kind == NodeKind::kKernel && !is_sent) {
      piece.kernel = kernels_(*node.op, device_);
    }
    piece.input_types = taker.input_types;
    for (const Endpoint& input : taker.inputs) piece.inputs.push_back(values_.at(input));
    piece.first_output = next_value_;
    piece.num_outputs = static_cast<int>(node.output_types.size());
    for (int i = 0; i < piece.num_outputs; ++i) values_[{id, i}] = next_value_++;
    section_.pieces.push_back(std::move(piece));
  }

  void AddOutputs(const std::vector<std::vector<StepEdge>>& users) {
    for (const NodeId id : members_) {
      for (const StepEdge& edge : users[Index(id)]) {
        if (edge.input < 0 || is_member_.contains(edge.consumer)) continue;
        const Endpoint inner = {id, edge.output};
        if (!outputs_.emplace(inner, static_cast<int>(outputs_.size())).second) continue;
        section_.outputs.push_back(values_.at(inner));
        made_.output_types.push_back(graph_.TypeOf(inner));
      }
    }
  }

  void MarkLastUses() {
    std::set<int> used_later(section_.outputs.begin(), section_.outputs.end());
    for (auto piece = section_.pieces.rbegin(); piece != section_.pieces.rend(); ++piece) {
      piece->is_last.resize(piece->inputs.size());
      for (size_t i = piece->inputs.size(); i-- > 0;) piece->is_last[i] = used_later.insert(piece->inputs[i]).second;
    }
  }

  const StepGraph& graph_;
  const std::vector<NodeId> members_;
  Device& device_;
  TakesSections& takes_;
  const std::map<NodeId, NodeId>& sends_;
  const Kernels& kernels_;
  std::set<NodeId> is_member_, controls_;
  std::map<Endpoint, int> values_, outputs_;
  int next_value_ = 0;
  Section section_;
  StepNode made_;
};

// A section's builder, and the node that it built.
struct Built {
  SectionBuilder builder;
  StepNode node;
};

// Takes the members of sections out of the graph, and has the others use what stands in for them: `stands_in[member]`,
// which will be the node `built[…]` behind those that are there.
void ReplaceMembers(StepGraph& graph, const std::vector<NodeId>& stands_in, std::vector<Built>& built) {
  const size_t first = graph.nodes.size();
  const auto redirect = [&](StepNode& node) {
    for (Endpoint& input : node.inputs) {
      const NodeId other = stands_in[Index(input.node)];
      if (other != NodeId::kNone) input = built[Index(other) - first].builder.OutputOf(input, other);
    }
    std::set<NodeId> controls;
    for (const NodeId control : node.controls) {
      const NodeId other = stands_in[Index(control)];
      controls.insert(other == NodeId::kNone ? control : other);
    }
    node.controls.assign(controls.begin(), controls.end());
  };
  for (Built& section : built) {
    redirect(section.node);
    graph.Add(std::move(section.node));
  }
  std::vector<bool> stays(graph.nodes.size(), true);
  for (size_t i = 0; i < first; ++i) {
    stays[i] = stands_in[i] == NodeId::kNone;
    if (stays[i]) redirect(graph.nodes[i]);
  }
  KeepNodes(graph, stays);
}

}  // namespace

void GatherSections(StepGraph& graph, const DeviceSet& devices, const SectionBuilder::Kernels& kernels) {
  const auto users = OutEdges(graph);
  const std::map<NodeId, NodeId> sends = SendsByRecvs(graph);
  std::vector<NodeId> stands_in(graph.nodes.size(), NodeId::kNone);
  std::vector<Built> built;
  for (const std::vector<NodeId>& members : FindSections(graph, devices)) {
    SectionBuilder builder(graph, members, devices[graph[members[0]].device], sends, kernels);
    if (builder.CountKernels() < 2) continue;
    const auto id = NodeId(static_cast<int32_t>(graph.nodes.size() + built.size()));
    for (const NodeId member : members) stands_in[Index(member)] = id;
    StepNode node = builder.Build(static_cast<int>(built.size()), users);
    built.push_back({std::move(builder), std::move(node)});
  }
  ReplaceMembers(graph, stands_in, built);
}

}  // namespace plumb::fast
