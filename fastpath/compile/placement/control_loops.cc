#include "fastpath/compile/placement/control_loops.h"

#include <algorithm>
#include <set>
#include <vector>

#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

class LoopBuilder {
 public:
  LoopBuilder(StepGraph& graph, const FrameMap& frames, const DeviceSet& devices)
      : graph_(graph),
        frames_(frames),
        devices_(devices),
        plans_(frames.frames.size()),
        predicates_(frames.frames.size(), NodeId::kNone),
        parallel_(frames.frames.size(), 1) {}

  ControlLoops Build() {
    for (int i = 0; i < graph_.size(); ++i) Note(NodeId(i));
    for (size_t frame = 1; frame < plans_.size(); ++frame) {
      if (plans_[frame].size() < 2) continue;
      Require(predicates_[frame] != NodeId::kNone,
              "A cross-device loop must have a pivot predicate: ", frames_.frames[frame].name);
      for (const int plan : plans_[frame]) AddLoop(static_cast<int>(frame), plan);
    }
    return std::move(loops_);
  }

 private:
  // Whoever takes part in a frame takes part in those around it.
  void Note(NodeId id) {
    const StepNode& node = graph_[id];
    const int plan = devices_.PlanOf(node.device);
    const int own = std::max(frames_.of_node[Index(id)], frames_.of_output[Index(id)]);  // children come after parents
    for (int frame = own; frame > 0; frame = frames_.frames[frame].parent) plans_[frame].insert(plan);
    if (node.kind == NodeKind::kLoopCond) {
      NodeId& predicate = predicates_[frames_.of_node[Index(id)]];
      const bool is_counter = node.name.find("LoopCounter") != std::string::npos;  // rule X12
      if (predicate == NodeId::kNone || !is_counter) predicate = id;
    }
    if (node.kind == NodeKind::kEnter) {
      const auto given = GetAttr<int64_t>(node.op->attrs, "parallel_iterations");
      int64_t& parallel = parallel_[frames_.of_output[Index(id)]];
      parallel = std::max(parallel, given);
    }
  }

  void AddLoop(int frame, int plan) {
    const std::string name = Str("_control_loop_", frame, "_", plan);
    const int device = devices_.FirstOf(plan);
    const Endpoint start{AddStart(frame, plan, name, device), 0};
    const std::vector<DType> one = {DType::kFloat};
    const AttrMap type = {{"T", DType::kFloat}};
    AttrMap entry = type;
    entry["frame_name"] = frames_.frames[frame].name;
    entry["parallel_iterations"] = parallel_[frame];
    const NodeId enter = graph_.AddMade("Enter", name + "/enter", entry, {start}, one, device);
    const NodeId merge = graph_.AddMade("Merge", name + "/merge", {{"T", DType::kFloat}, {"N", 2}}, {{enter, 0}},
                                        {DType::kFloat, DType::kInt32}, device);
    const NodeId choice = graph_.AddMade("Switch", name + "/switch", type, {{merge, 0}, {predicates_[frame], 0}},
                                         {DType::kFloat, DType::kFloat}, device);
    const NodeId next = graph_.AddMade("NextIteration", name + "/next", type, {{choice, 1}}, one, device);
    graph_[merge].inputs.push_back({next, 0});
    graph_[merge].input_types.push_back(DType::kFloat);
    loops_[{frame, plan}] = merge;
  }

  NodeId AddStart(int frame, int plan, const std::string& name, int device) {
    StepNode start;
    start.kind = NodeKind::kConstant;
    start.name = name + "/start";
    start.value = Tensor(DType::kFloat, Shape({0}));
    start.output_types = {DType::kFloat};
    start.device = device;
    start.in_device_memory = devices_[device].memory() != nullptr;
    const int outer = frames_.frames[frame].parent;
    if (outer > 0) start.controls = {loops_.at({outer, plan})};
    return graph_.Add(std::move(start));
  }

  StepGraph& graph_;
  const FrameMap& frames_;
  const DeviceSet& devices_;
  std::vector<std::set<int>> plans_;  // by frame: those that take part in it
  std::vector<NodeId> predicates_;    // by frame
  std::vector<int64_t> parallel_;     // by frame
  ControlLoops loops_;
};

}  // namespace

ControlLoops AddControlLoops(StepGraph& graph, const FrameMap& frames, const DeviceSet& devices) {
  return LoopBuilder(graph, frames, devices).Build();
}

}  // namespace plumb::fast
