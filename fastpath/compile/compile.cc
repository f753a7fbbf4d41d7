#include "fastpath/compile/compile.h"

#include "fastpath/compile/graph/frames.h"
#include "fastpath/compile/graph/infer_shapes.h"
#include "fastpath/compile/passes/common_subexpressions.h"
#include "fastpath/compile/passes/constant_folding.h"
#include "fastpath/compile/passes/prune.h"
#include "fastpath/compile/passes/schedule_receives.h"
#include "fastpath/compile/placement/host_work.h"
#include "fastpath/compile/placement/partition.h"
#include "fastpath/compile/placement/place.h"
#include "fastpath/compile/placement/resource_devices.h"
#include "fastpath/compile/placement/sections.h"
#include "fastpath/compile/plan/plan_memory.h"
#include "fastpath/cpu/cpu_device.h"
#include "fastpath/device/async_kernel.h"

namespace plumb::fast {
namespace {

// O10: folds with the kernel that the step would run.
std::vector<Tensor> Evaluate(const StepNode& node, std::span<const Tensor> inputs, const KernelSource& kernels,
                             ThreadPool& pool) {
  if (node.kind == NodeKind::kIdentity) return {inputs[0]};
  ResourceManager resources, step_resources;
  StepContext step{pool, resources, step_resources, 0, nullptr};
  std::vector<Entry> in(inputs.size()), out(node.output_types.size());
  for (size_t i = 0; i < inputs.size(); ++i) in[i].tensor = inputs[i];
  KernelContext context(step, in.data(), static_cast<int>(in.size()), out.data(), static_cast<int>(out.size()),
                        &node.name);
  kernels(*node.op)->Run(context);
  std::vector<Tensor> outputs;
  outputs.reserve(out.size());
  for (Entry& entry : out) outputs.push_back(std::move(entry.tensor));
  return outputs;
}

// What is folded keeps its control inputs alone. Constants arrive in iteration 0 of the root frame, so where that has
// others (`has_root_loop`) a folded node could fire there, though its inputs never come (X1).
void Optimize(StepGraph& graph, bool has_root_loop, const KernelSource& kernels, ThreadPool& pool) {
  MergeCommonSubexpressions(graph);
  if (has_root_loop) return;
  FoldConstants(graph, [&](const StepNode& node, std::span<const Tensor> inputs) {
    return Evaluate(node, inputs, kernels, pool);
  });
}

// Feeds and fetches are named by the session's graph, which does not travel.
StepGraph Carried(StepGraph part, const CompileOptions& options) {
  if (!options.carry) return part;
  const std::shared_ptr<const Graph> source = part.source;
  StepGraph arrived = options.carry(std::move(part));
  arrived.source = source;
  return arrived;
}

}  // namespace

// All nodes lie on devices that share a plan, and their kernels are one device's. Where feeds come in pieces, what has
// been fed may not wait for what has not.
std::shared_ptr<const Plan> FinishPart(StepGraph part, const Request& request, bool in_pieces, const DeviceSet& devices,
                                       const DeviceKernels& kernels) {
  UploadConstants(part, devices);
  Device& device = devices[part.nodes.empty() ? 0 : part.nodes[0].device];
  const KernelSource of_device = [&](const Node& node) { return kernels(node, device); };
  const auto may_wait = [&](const StepNode& node) {
    const std::shared_ptr<Kernel> kernel = node.kernel != nullptr ? node.kernel : of_device(*node.op);
    return dynamic_cast<const AsyncKernel*>(kernel.get()) != nullptr;
  };
  if (!in_pieces) ScheduleReceives(part, may_wait);
  return BuildPlan(part, AnalyzeFrames(part), request, of_device);
}

std::vector<StepGraph> CompileParts(std::shared_ptr<const Graph> graph, const Request& request,
                                    const CompileOptions& options, const DeviceSet& devices,
                                    const DeviceKernels& kernels, ThreadPool& pool) {
  StepGraph step = Prune(std::move(graph), request);
  InlineFunctions(step, options.call_depth, options.call_kernel, devices.Names());
  PlaceResourcesOfBodies(step, devices);
  if (options.keeps_task) KeepTask(step, devices);
  const bool has_root_loop = HasRootLoop(step, AnalyzeFrames(step));  // X11, X12: before a pass could hide a mistake
  const auto on_host = [&](const Node& node) { return kernels(node, devices[0]); };
  if (options.optimize) Optimize(step, has_root_loop, on_host, pool);
  InferStepShapes(step);
  Place(step, devices, options.allow_soft_placement, options.prefers_host);
  KeepWorkOnHost(step, devices);
  CheckFrameDevices(step, AnalyzeFrames(step));
  Partition(step, devices, options.wire);
  if (options.gathers_sections && !has_root_loop) GatherSections(step, devices, kernels);
  std::vector<StepGraph> parts = SplitPlans(std::move(step), devices);
  for (StepGraph& part : parts) part = Carried(std::move(part), options);
  if (options.replace_ends) options.replace_ends(parts[0]);
  return parts;
}

Plans Compile(std::shared_ptr<const Graph> graph, const Request& request, const CompileOptions& options,
              const DeviceSet& devices, const DeviceKernels& kernels, ThreadPool& pool) {
  std::vector<StepGraph> parts = CompileParts(std::move(graph), request, options, devices, kernels, pool);
  const bool in_pieces = options.replace_ends != nullptr;
  Plans plans;
  for (StepGraph& part : parts) {
    const bool has_ends = plans.empty() && !in_pieces;
    plans.push_back(FinishPart(std::move(part), has_ends ? request : Request(), in_pieces, devices, kernels));
  }
  return plans;
}

std::shared_ptr<const Plan> Compile(std::shared_ptr<const Graph> graph, const Request& request,
                                    const CompileOptions& options, const KernelSource& kernels, ThreadPool& pool) {
  const DeviceSet devices = CpuDevices(1);
  const auto of_any = [&](const Node& node, Device&) { return kernels(node); };
  return Compile(std::move(graph), request, options, devices, of_any, pool)[0];
}

}  // namespace plumb::fast
