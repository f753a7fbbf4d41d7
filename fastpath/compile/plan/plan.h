// What a step does, decided once: the immutable result of compile. Nothing in it changes while steps run, save the
// sampled costs, which only steer scheduling.
//
// The nodes of a frame lie together. Each frame is a template: an iteration is one block of input slots and pending
// counts. A node's inputs are neighbouring slots; a producer puts each value straight into its consumers' slots.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "fastpath/compile/graph/step_graph.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast {

// One out-edge. Edges of a node lie together, by output; control edges last.
struct PlanEdge {
  static constexpr uint32_t kControl = UINT32_MAX;
  uint32_t consumer;  // position in Plan::nodes
  uint32_t slot;      // in the block of the consumer's frame, or kControl
  uint32_t pending;   // index of the consumer's count, or of its merge state
  uint32_t output : 28;
  uint32_t is_last : 1;      // of this output: the value is moved, not copied
  uint32_t to_merge : 1;     // the consumer is a Merge
  uint32_t by_token : 1;     // feeds only: the consumer counts this edge
  uint32_t carries_ref : 1;  // a reference travels, not a value
};

// Whether a kernel that computes gets a copy of an alias of this type: of elements that are reached under a guard (rule
// R33), and of indices, which may not change between check and use.
inline bool MustBeCopied(DType dtype) {
  return dtype == DType::kInt32 || dtype == DType::kInt64 ||
         (dtype != DType::kResource && !IsRef(dtype) && IsWide(dtype));
}

struct PlanNode {
  static constexpr uint32_t kMaskedInputs = 64;  // later ones are looked up in PlanFrame::is_constant_slot

  Kernel* kernel = nullptr;
  // Bit i: the slot of input i keeps its value for ever.
  uint64_t constant_inputs = 0;
  uint32_t first_slot = 0;
  uint32_t num_inputs = 0;
  uint32_t num_outputs = 0;
  uint32_t first_edge = 0;
  uint32_t num_edges = 0;
  uint32_t pending = 0;   // index of its count in the iteration's block; of a Merge: of its state
  uint32_t argument = 0;  // fetch: position; Enter: child frame; Constant: index in Plan::constants
  uint32_t frame = 0;
  NodeKind kind = NodeKind::kKernel;
  bool has_ref_inputs = false;  // some producer sends a reference: look before running
  bool has_ref_outputs = false;
  bool has_lost_references = false;   // an input asks for a reference and gets a fed value (rule T4)
  bool allows_uninitialized = false;  // rule R13
  bool is_constant_enter = false;     // rule X16
  bool uses_value_index = false;      // of a Merge: someone reads its second output
  bool starts_when_dead = false;      // of an asynchronous kernel (rule X4)
  bool answers_at_once = false;       // of one that never waits
  bool copies_aliases = false;        // some input's type is one that MustBeCopied
};

// What only errors and traces need to know of a node.
struct PlanNodeInfo {
  std::string name;
  std::string op;
  int device = 0;
  std::vector<DType> input_types;
  std::vector<DType> output_types;
  int64_t parallel_iterations = 1;  // of an Enter
};

struct ConstantSlot {
  uint32_t slot;
  Tensor value;
};

struct PlanFrame {
  std::string name;
  int parent = -1;
  uint32_t child_index = 0;  // among the children of its parent
  uint32_t num_children = 0;
  uint32_t num_slots = 0;
  uint32_t enters = 0;
  bool counts_work = true;  // whether iterations must notice that they are done; not so in a root without back edges
  std::vector<uint32_t> pending;        // initial counts: twice the number of tokens to come
  std::vector<uint64_t> merges;         // initial merge states
  std::vector<ConstantSlot> constants;  // slots that hold the same value in every iteration
  std::vector<bool> is_constant_slot;
};

// A merge's state in one word: the winner's input plus one (0: none yet), control tokens to come, dead inputs so far.
struct MergeState {
  static constexpr int kFieldBits = 21;
  static constexpr uint64_t kField = (uint64_t{1} << kFieldBits) - 1;
  static constexpr uint64_t kFiredDead = kField;  // in the winner's place
  static constexpr uint64_t kOneControl = uint64_t{1} << kFieldBits;
  static constexpr uint64_t kOneDead = uint64_t{1} << (2 * kFieldBits);
  static uint64_t Winner(uint64_t state) { return state & kField; }
  static uint64_t Controls(uint64_t state) { return (state >> kFieldBits) & kField; }
  static uint64_t Dead(uint64_t state) { return (state >> (2 * kFieldBits)) & kField; }
  // Somebody is putting the winning value into its slot.
  static constexpr uint64_t kClaimed = uint64_t{1} << 63;
  static bool IsOpen(uint64_t state) { return Winner(state) == 0 && (state & kClaimed) == 0; }
};

struct PlanFeed {
  std::string name;
  DType dtype = DType::kInvalid;
  uint32_t first_edge = 0;
  uint32_t num_edges = 0;
};

struct Plan {
  std::shared_ptr<const Graph> graph;             // kernels may refer to its nodes
  std::vector<std::shared_ptr<const Node>> made;  // and to those that passes made
  std::vector<PlanNode> nodes;
  std::vector<PlanNodeInfo> info;
  std::vector<PlanEdge> edges;
  std::vector<PlanFrame> frames;  // the root first
  std::vector<PlanFeed> feeds;    // in the request's order
  std::vector<std::string> fetch_names;
  std::vector<int> fetch_positions;  // for each fetch of the caller: its place among the distinct ones
  std::vector<Tensor> constants;
  std::vector<uint32_t> initial;  // ready at once, most urgent first
  std::vector<std::shared_ptr<Kernel>> kernels;
  std::vector<Tensor> merge_indices;  // int32 scalars 0, 1, …, shared by all Merges
  std::vector<std::string> device_names;
  uint32_t max_outputs = 0;
  bool has_stateful_kernels = false;
  bool has_async_kernels = false;
  bool has_transfers = false;  // Sends or Recvs, which need a rendezvous

  // Nanoseconds a node takes, by sampled steps; 0: not known yet. Positions as in `nodes`.
  mutable std::unique_ptr<std::atomic<uint32_t>[]> costs;
  mutable std::atomic<uint32_t> steps{0};
  mutable std::atomic<bool> worth_threads{false};  // at least two nodes are worth handing to another thread
};

}  // namespace plumb::fast
