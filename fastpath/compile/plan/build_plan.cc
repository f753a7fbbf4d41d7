#include "fastpath/compile/plan/build_plan.h"

#include <algorithm>

#include "fastpath/compile/plan/plan_memory.h"
#include "fastpath/compile/plan/priorities.h"
#include "fastpath/device/async_kernel.h"
#include "spec/graph/int32_attr.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

constexpr uint32_t kAbsent = UINT32_MAX;

class PlanBuilder {
 public:
  PlanBuilder(const StepGraph& graph, const FrameMap& frames, const KernelSource& kernels)
      : graph_(graph),
        frames_(frames),
        kernels_(kernels),
        edges_(OutEdges(graph)),
        order_(OrderByPriority(graph)),
        memory_(PlanMemory(graph, frames, order_)) {}

  std::shared_ptr<const Plan> Build(const Request& request) {
    plan_->graph = graph_.source;
    plan_->made = graph_.made;
    plan_->device_names = graph_.device_names;
    LayOutFrames();
    LayOutNodes();
    FillSlots();
    for (int i = 0; i < graph_.size(); ++i) LayOutEdges(i);
    LayOutFeeds(request);
    LayOutFetches(request);
    FindInitialNodes();
    plan_->costs = std::make_unique<std::atomic<uint32_t>[]>(plan_->nodes.size());
    return plan_;
  }

 private:
  PlanFrame& FrameOf(int node) { return plan_->frames[frames_.of_node[node]]; }
  const StepNode& Step(int node) const { return graph_.nodes[node]; }

  void LayOutFrames() {
    for (const FrameInfo& info : frames_.frames) {
      PlanFrame frame;
      frame.name = info.name;
      frame.parent = info.parent;
      frame.enters = static_cast<uint32_t>(info.enters);
      if (info.parent >= 0) frame.child_index = plan_->frames[info.parent].num_children++;
      plan_->frames.push_back(std::move(frame));
    }
    for (size_t i = 0; i < plan_->frames.size(); ++i) plan_->frames[i].num_slots = memory_.num_slots[i];
    plan_->frames[0].counts_work = HasRootLoop(graph_, frames_);
  }

  bool IsFeed(NodeId id) const { return graph_[id].kind == NodeKind::kFeed; }
  // Whether the consumer waits for this producer's token; other values are in their slots before the step starts.
  bool IsCounted(NodeId producer, NodeId consumer) const {
    if (memory_.is_resident[Index(producer)]) return false;
    if (!IsFeed(producer)) return true;
    return graph_[consumer].kind == NodeKind::kMerge || plan_->frames[0].counts_work;
  }

  void LayOutNodes() {
    positions_.assign(graph_.nodes.size(), kAbsent);
    std::vector<std::vector<NodeId>> of_frame(frames_.frames.size());
    for (const NodeId id : order_) of_frame[frames_.of_node[Index(id)]].push_back(id);
    for (const auto& nodes : of_frame) {
      for (const NodeId id : nodes) {
        if (!IsFeed(id) && !memory_.is_resident[Index(id)]) AddNode(static_cast<int>(Index(id)));
      }
    }
  }

  void AddNode(int id) {
    const StepNode& step = Step(id);
    PlanFrame& frame = FrameOf(id);
    positions_[id] = static_cast<uint32_t>(plan_->nodes.size());
    PlanNode node;
    node.kind = step.kind;
    node.frame = static_cast<uint32_t>(frames_.of_node[id]);
    node.first_slot = memory_.first_slot[id];
    node.num_inputs = static_cast<uint32_t>(step.inputs.size());
    node.num_outputs = static_cast<uint32_t>(step.output_types.size());
    plan_->max_outputs = std::max(plan_->max_outputs, node.num_outputs);
    node.allows_uninitialized = step.op != nullptr && step.op->op->allows_uninitialized_input;
    for (const Endpoint& input : step.inputs) node.has_ref_inputs |= IsRef(graph_.TypeOf(input));
    for (const DType type : step.output_types) node.has_ref_outputs |= IsRef(type);
    for (size_t k = 0; k < step.inputs.size(); ++k) {
      node.has_lost_references |= IsRef(step.input_types[k]) && !IsRef(graph_.TypeOf(step.inputs[k]));
    }
    SetPending(id, node, frame);
    PlanNodeInfo info{
        step.name, step.op == nullptr ? "" : step.op->op->name, step.device, step.input_types, step.output_types, 1};
    Specialize(id, node, info);
    plan_->nodes.push_back(node);
    plan_->info.push_back(std::move(info));
  }

  void SetPending(int id, PlanNode& node, PlanFrame& frame) {
    const StepNode& step = Step(id);
    uint64_t controls = 0, data = 0;
    for (const NodeId control : step.controls) controls += IsCounted(control, NodeId(id));
    for (const Endpoint& input : step.inputs) data += IsCounted(input.node, NodeId(id));
    if (node.kind == NodeKind::kMerge) {
      if (controls >= MergeState::kField || node.num_inputs >= MergeState::kField) {
        throw ResourceExhausted("node '", step.name, "': a Merge with more than two million inputs");
      }
      node.pending = static_cast<uint32_t>(frame.merges.size());
      frame.merges.push_back(controls * MergeState::kOneControl);
      return;
    }
    if (controls + data >= (uint64_t{1} << 30)) {
      throw ResourceExhausted("node '", step.name, "': more than a billion inputs");
    }
    node.pending = static_cast<uint32_t>(frame.pending.size());
    frame.pending.push_back(static_cast<uint32_t>(2 * (controls + data)));
  }

  // What the kind of the node needs besides.
  void Specialize(int id, PlanNode& node, PlanNodeInfo& info) {
    const StepNode& step = Step(id);
    if (step.kind == NodeKind::kKernel) SetKernel(id, node);
    if (step.kind == NodeKind::kFetch) node.argument = static_cast<uint32_t>(step.index);
    if (step.kind == NodeKind::kConstant) {
      node.argument = static_cast<uint32_t>(plan_->constants.size());
      plan_->constants.push_back(step.value);
    }
    if (step.kind == NodeKind::kEnter) {
      node.argument = static_cast<uint32_t>(frames_.of_output[id]);
      node.is_constant_enter = GetAttr<bool>(step.op->attrs, "is_constant");
      info.parallel_iterations = std::max<int64_t>(1, Int32Attr(*step.op, "parallel_iterations"));
    }
    if (step.kind == NodeKind::kMerge) {
      for (const StepEdge& edge : edges_[id]) node.uses_value_index |= edge.output == 1;
      while (node.uses_value_index && plan_->merge_indices.size() < node.num_inputs) {
        plan_->merge_indices.push_back(MakeScalar(static_cast<int32_t>(plan_->merge_indices.size())));
      }
    }
  }

  void SetKernel(int id, PlanNode& node) {
    const StepNode& step = Step(id);
    if (step.kernel != nullptr) {
      AddKernel(node, step.kernel);
    } else {
      AddKernel(node, kernels_(*step.op));
    }
    if (const auto* async = dynamic_cast<const AsyncKernel*>(node.kernel)) {
      node.kind = NodeKind::kAsyncKernel;
      node.starts_when_dead = async->StartsWhenDead();
      node.answers_at_once = async->AnswersAtOnce();
      plan_->has_async_kernels = true;
    }
    const bool is_transfer =
        step.op != nullptr && (step.op->op->kind == OpKind::kSend || step.op->op->kind == OpKind::kRecv);
    plan_->has_transfers |= is_transfer;
    plan_->has_stateful_kernels |= step.IsStateful() || step.op == nullptr;
    node.copies_aliases =
        !node.kernel->KeepsAliases() && std::any_of(step.input_types.begin(), step.input_types.end(), MustBeCopied);
  }

  void AddKernel(PlanNode& node, std::shared_ptr<Kernel> kernel) {
    node.kernel = kernel.get();
    plan_->kernels.push_back(std::move(kernel));
  }

  void FillSlots() {
    for (PlanFrame& frame : plan_->frames) frame.is_constant_slot.resize(frame.num_slots);
    for (int i = 0; i < graph_.size(); ++i) {
      if (positions_[i] == kAbsent) continue;
      PlanNode& node = plan_->nodes[positions_[i]];
      const StepNode& step = Step(i);
      for (size_t k = 0; k < step.inputs.size(); ++k) {
        const size_t producer = Index(step.inputs[k].node);
        if (!memory_.is_resident[producer]) continue;
        const auto slot = static_cast<uint32_t>(node.first_slot + k);
        FrameOf(i).constants.push_back({slot, Step(static_cast<int>(producer)).value});
        FrameOf(i).is_constant_slot[slot] = true;
        if (k < PlanNode::kMaskedInputs) node.constant_inputs |= uint64_t{1} << k;
      }
    }
  }

  PlanEdge MakeEdge(const StepEdge& edge) const {
    const PlanNode& consumer = plan_->nodes[positions_[Index(edge.consumer)]];
    PlanEdge made{};
    made.consumer = positions_[Index(edge.consumer)];
    made.slot = edge.input < 0 ? PlanEdge::kControl : consumer.first_slot + static_cast<uint32_t>(edge.input);
    made.pending = consumer.pending;
    made.output = edge.output < 0 ? 0 : static_cast<uint32_t>(edge.output);
    made.to_merge = consumer.kind == NodeKind::kMerge;
    return made;
  }

  // Data edges by output, control edges behind them. Among equals the first consumer of the graph comes last, because a
  // thread goes on with what became ready last.
  std::vector<PlanEdge> SortedEdges(int id) const {
    std::vector<PlanEdge> sorted;
    for (auto at = edges_[id].rbegin(); at != edges_[id].rend(); ++at) {
      const StepEdge& edge = *at;
      if (IsCounted(NodeId(id), edge.consumer) || (IsFeed(NodeId(id)) && edge.input >= 0)) {
        sorted.push_back(MakeEdge(edge));
        sorted.back().carries_ref = edge.output >= 0 && IsRef(graph_.TypeOf({NodeId(id), edge.output}));
        sorted.back().by_token = IsCounted(NodeId(id), edge.consumer);
      }
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const PlanEdge& a, const PlanEdge& b) {
      const bool a_control = a.slot == PlanEdge::kControl, b_control = b.slot == PlanEdge::kControl;
      if (a_control != b_control) return b_control;
      if (a.output != b.output) return a.output < b.output;
      return false;
    });
    for (size_t i = 0; i < sorted.size(); ++i) {
      if (sorted[i].slot == PlanEdge::kControl) continue;
      sorted[i].is_last = i + 1 == sorted.size() || sorted[i + 1].slot == PlanEdge::kControl ||
                          sorted[i + 1].output != sorted[i].output;
    }
    return sorted;
  }

  void LayOutEdges(int id) {
    if (positions_[id] == kAbsent) return;
    PlanNode& node = plan_->nodes[positions_[id]];
    const auto sorted = SortedEdges(id);
    node.first_edge = static_cast<uint32_t>(plan_->edges.size());
    node.num_edges = static_cast<uint32_t>(sorted.size());
    plan_->edges.insert(plan_->edges.end(), sorted.begin(), sorted.end());
  }

  void LayOutFeeds(const Request& request) {
    for (const Endpoint& endpoint : request.feeds) {
      PlanFeed feed;
      feed.name = graph_.source->NameOf(endpoint);
      feed.dtype = Base(graph_.source->TypeOf(endpoint));
      plan_->feeds.push_back(std::move(feed));
    }
    for (int i = 0; i < graph_.size(); ++i) {
      if (!IsFeed(NodeId(i))) continue;
      PlanFeed& feed = plan_->feeds[Step(i).index];
      const auto sorted = SortedEdges(i);
      feed.first_edge = static_cast<uint32_t>(plan_->edges.size());
      feed.num_edges = static_cast<uint32_t>(sorted.size());
      plan_->edges.insert(plan_->edges.end(), sorted.begin(), sorted.end());
    }
  }

  void LayOutFetches(const Request& request) {
    for (const Endpoint& fetch : request.fetches) plan_->fetch_names.push_back(graph_.source->NameOf(fetch));
    plan_->fetch_positions = request.fetch_positions;
  }

  void FindInitialNodes() {
    for (uint32_t i = 0; i < plan_->nodes.size(); ++i) {
      const PlanNode& node = plan_->nodes[i];
      if (node.kind == NodeKind::kMerge || node.frame != 0) continue;
      if (plan_->frames[0].pending[node.pending] == 0) plan_->initial.push_back(i);
    }
  }

  const StepGraph& graph_;
  const FrameMap& frames_;
  const KernelSource& kernels_;
  const std::vector<std::vector<StepEdge>> edges_;
  const std::vector<NodeId> order_;
  const MemoryPlan memory_;
  std::shared_ptr<Plan> plan_ = std::make_shared<Plan>();
  std::vector<uint32_t> positions_;  // of the step's nodes in the plan
};

}  // namespace

std::shared_ptr<const Plan> BuildPlan(const StepGraph& graph, const FrameMap& frames, const Request& request,
                                      const KernelSource& kernels) {
  return PlanBuilder(graph, frames, kernels).Build(request);
}

}  // namespace plumb::fast
