#include "fastpath/compile/graph/step_graph.h"

#include <functional>
#include <queue>

#include "spec/ops/catalogue.h"
#include "spec/ops/default_attrs.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {

NodeKind KindOf(const OpDef& op) {
  switch (op.kind) {
    case OpKind::kNoOp:
      return NodeKind::kNoOp;
    case OpKind::kControlTrigger:
      return NodeKind::kControlTrigger;
    case OpKind::kConstant:
      return NodeKind::kConstant;
    case OpKind::kIdentity:
    case OpKind::kPlaceholderWithDefault:
      return NodeKind::kIdentity;
    case OpKind::kSwitch:
      return NodeKind::kSwitch;
    case OpKind::kMerge:
      return NodeKind::kMerge;
    case OpKind::kEnter:
      return NodeKind::kEnter;
    case OpKind::kExit:
      return NodeKind::kExit;
    case OpKind::kNextIteration:
      return NodeKind::kNextIteration;
    case OpKind::kLoopCond:
      return NodeKind::kLoopCond;
    case OpKind::kKernel:
    case OpKind::kPlaceholder:
    case OpKind::kSend:
    case OpKind::kRecv:
    case OpKind::kCall:
    case OpKind::kSymbolicGradient:
    case OpKind::kIf:
    case OpKind::kCase:
    case OpKind::kWhile:
      return NodeKind::kKernel;
  }
  throw Internal("an op of unknown kind");
}

MadeNode::MadeNode(const std::string& new_op) {
  auto own = std::make_shared<OpDef>();
  own->name = new_op;
  op = own.get();
  own_op_ = std::move(own);
}

bool StepNode::IsStateful() const { return op != nullptr && op->op->is_stateful; }

NodeId StepGraph::Add(StepNode node) {
  nodes.push_back(std::move(node));
  return NodeId(static_cast<int32_t>(nodes.size() - 1));
}

NodeId StepGraph::AddMade(std::string_view op, std::string name, AttrMap attrs, std::vector<Endpoint> inputs,
                          std::vector<DType> output_types, int device) {
  auto added = std::make_shared<MadeNode>(*FindOp(op));
  added->name = name;
  added->device = device_names[device];
  added->attrs = std::move(attrs);
  AddDefaults(*added->op, added->attrs);
  StepNode node;
  node.kind = KindOf(*added->op);
  node.name = std::move(name);
  for (const Endpoint& input : inputs) node.input_types.push_back(Base(TypeOf(input)));
  node.inputs = std::move(inputs);
  node.output_types = std::move(output_types);
  node.device = device;
  added->input_types = node.input_types;
  added->output_types = node.output_types;
  node.op = added.get();
  made.push_back(std::move(added));
  return Add(std::move(node));
}

namespace {

std::vector<bool> ReachableFromRoots(const StepGraph& graph) {
  std::vector<bool> reached(graph.nodes.size());
  std::vector<NodeId> open;
  const auto visit = [&](NodeId id) {
    if (reached[Index(id)]) return;
    reached[Index(id)] = true;
    open.push_back(id);
  };
  for (int i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].is_root) visit(NodeId(i));
  }
  while (!open.empty()) {
    const StepNode& node = graph[open.back()];
    open.pop_back();
    for (const Endpoint& input : node.inputs) visit(input.node);
    for (const NodeId control : node.controls) visit(control);
  }
  return reached;
}

}  // namespace

void KeepNodes(StepGraph& graph, const std::vector<bool>& stays) {
  std::vector<NodeId> renumbered(graph.nodes.size(), NodeId::kNone);
  std::vector<StepNode> kept;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!stays[i]) continue;
    renumbered[i] = NodeId(static_cast<int32_t>(kept.size()));
    kept.push_back(std::move(graph.nodes[i]));
  }
  for (StepNode& node : kept) {
    for (Endpoint& input : node.inputs) input.node = renumbered[Index(input.node)];
    for (NodeId& control : node.controls) control = renumbered[Index(control)];
  }
  graph.nodes = std::move(kept);
}

void RemoveUnreachable(StepGraph& graph) { KeepNodes(graph, ReachableFromRoots(graph)); }

std::vector<std::vector<StepEdge>> OutEdges(const StepGraph& graph) {
  std::vector<std::vector<StepEdge>> edges(graph.nodes.size());
  for (int i = 0; i < graph.size(); ++i) {
    const StepNode& node = graph.nodes[i];
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      edges[Index(node.inputs[k].node)].push_back({NodeId(i), static_cast<int32_t>(k), node.inputs[k].output});
    }
    for (const NodeId control : node.controls) edges[Index(control)].push_back({NodeId(i), -1, -1});
  }
  return edges;
}

std::vector<NodeId> TopologicalOrder(const StepGraph& graph) {
  const auto edges = OutEdges(graph);
  const auto is_back_edge = [&](const StepNode& from, NodeId to) {
    return from.kind == NodeKind::kNextIteration && graph[to].kind == NodeKind::kMerge;
  };
  std::vector<int> waiting(graph.nodes.size(), 0);
  for (int i = 0; i < graph.size(); ++i) {
    for (const StepEdge& edge : edges[i]) waiting[Index(edge.consumer)] += !is_back_edge(graph.nodes[i], edge.consumer);
  }
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (int i = 0; i < graph.size(); ++i) {
    if (waiting[i] == 0) ready.push(i);
  }
  std::vector<NodeId> order;
  order.reserve(graph.nodes.size());
  while (!ready.empty()) {
    const int i = ready.top();
    ready.pop();
    order.push_back(NodeId(i));
    for (const StepEdge& edge : edges[i]) {
      if (is_back_edge(graph.nodes[i], edge.consumer)) continue;
      if (--waiting[Index(edge.consumer)] == 0) ready.push(static_cast<int>(Index(edge.consumer)));
    }
  }
  if (order.size() != graph.nodes.size())
    throw InvalidArgument("the graph has nodes in a cycle without a NextIteration");
  return order;
}

}  // namespace plumb::fast
