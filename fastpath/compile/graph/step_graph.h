// The graph of one step while it is compiled: what feeds, fetches and targets leave of the session's graph. Every pass
// takes it and changes it in place; build_plan turns it into the immutable Plan.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spec/graph/graph.h"

namespace plumb::fast {

class Kernel;  // fastpath/device/kernel.h

// What the executor does with a node. All but kKernel are moves of tokens, done without calling anything.
enum class NodeKind : uint8_t {
  kKernel,
  kAsyncKernel,  // build_plan tells it from kKernel
  kNoOp,
  kControlTrigger,
  kConstant,
  kIdentity,
  kSwitch,
  kMerge,
  kEnter,
  kExit,
  kNextIteration,
  kLoopCond,
  kSend,
  kRecv,
  kFeed,
  kFetch,
};
// What the executor does with nodes of this op: RefSwitch → kSwitch, MatMul → kKernel.
NodeKind KindOf(const OpDef& op);

// A node that a pass made: of a catalogue op, or of one that no row has, such as several ops in one.
struct MadeNode : Node {
  explicit MadeNode(const OpDef& row) { op = &row; }
  // An op without a row; devices know it by its name.
  explicit MadeNode(const std::string& new_op);

 private:
  std::shared_ptr<const OpDef> own_op_;
};

// From what a kernel that a pass made is made again in another process.
struct KernelRecipe {
  std::string kernel;  // its name in the list of such kernels (fastpath/compile/functions/pass_kernels.h)
  AttrMap attrs;
};

struct StepNode {
  NodeKind kind = NodeKind::kKernel;
  std::string name;
  const Node* op = nullptr;  // the session's node that it is, or one that a pass made; null for feeds, fetches, moves
  int index = -1;            // of a feed or fetch: its position in the request
  Tensor value;              // of a constant
  std::shared_ptr<Kernel> kernel;  // what a pass made; null: the op's
  KernelRecipe recipe;             // of `kernel`; without a name: it works in this process only
  std::vector<Endpoint> inputs;
  std::vector<NodeId> controls;
  std::vector<DType> input_types;  // what each slot asks for; ref types as such
  std::vector<DType> output_types;
  std::vector<PartialShape> output_shapes;  // as far as InferStepShapes found out; empty before
  std::vector<std::string> stands_for;      // the session's nodes whose work a made node does
  int device = 0;                           // in StepGraph::device_names; set by Place
  bool in_device_memory = false;            // of a constant: its value lies in its device's own memory
  bool is_root = false;                     // a fetch or a target: never removed

  bool IsStateful() const;
};

struct StepGraph {
  std::shared_ptr<const Graph> source;            // owns what the nodes point to
  std::vector<std::shared_ptr<const Node>> made;  // by passes; owns the rest
  std::vector<StepNode> nodes;
  std::vector<std::string> device_names = {"/job:localhost/replica:0/task:0/device:CPU:0"};

  StepNode& operator[](NodeId id) { return nodes[Index(id)]; }
  const StepNode& operator[](NodeId id) const { return nodes[Index(id)]; }
  int size() const { return static_cast<int>(nodes.size()); }
  NodeId Add(StepNode node);
  // Adds a node of a catalogue op that the session's graph does not have.
  NodeId AddMade(std::string_view op, std::string name, AttrMap attrs, std::vector<Endpoint> inputs,
                 std::vector<DType> output_types, int device);
  DType TypeOf(Endpoint endpoint) const { return (*this)[endpoint.node].output_types[endpoint.output]; }
};

// Removes the other nodes, which nothing that stays uses, and numbers the rest again, in order. `stays`: of each node.
void KeepNodes(StepGraph& graph, const std::vector<bool>& stays);

// Removes the nodes from which no root can be reached backwards (rule F23) and numbers the rest again, in order.
void RemoveUnreachable(StepGraph& graph);

// Every node after its inputs, back edges NextIteration → Merge ignored; ties keep the order of the nodes.
std::vector<NodeId> TopologicalOrder(const StepGraph& graph);

// Who uses each node: consumer and its data slot, or -1 for a control edge.
struct StepEdge {
  NodeId consumer;
  int32_t input;
  int32_t output;
};
std::vector<std::vector<StepEdge>> OutEdges(const StepGraph& graph);

}  // namespace plumb::fast
