#include "fastpath/compile/compile.h"

#include "fastpath/compile/common_subexpressions.h"
#include "fastpath/compile/constant_folding.h"
#include "fastpath/compile/frames.h"
#include "fastpath/compile/partition.h"
#include "fastpath/compile/place.h"
#include "fastpath/compile/prune.h"
#include "fastpath/compile/schedule_receives.h"

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

void Optimize(StepGraph& graph, const KernelSource& kernels, ThreadPool& pool) {
  MergeCommonSubexpressions(graph);
  FoldConstants(graph, [&](const StepNode& node, std::span<const Tensor> inputs) {
    return Evaluate(node, inputs, kernels, pool);
  });
}

}  // namespace

std::shared_ptr<const Plan> Compile(std::shared_ptr<const Graph> graph, const Request& request,
                                    const CompileOptions& options, const KernelSource& kernels, ThreadPool& pool) {
  StepGraph step = Prune(std::move(graph), request);
  InlineFunctions(step, options.call_depth, options.call_kernel);
  if (options.replace_ends) options.replace_ends(step);
  AnalyzeFrames(step);  // X11, X12: before a pass could hide a mistake
  step.device_names = CpuDeviceNames(options.cpu_devices);
  if (options.optimize) Optimize(step, kernels, pool);
  Place(step, options.allow_soft_placement);
  CheckFrameDevices(step, AnalyzeFrames(step));
  Partition(step);
  ScheduleReceives(step);
  return BuildPlan(step, AnalyzeFrames(step), options.replace_ends ? Request() : request, kernels);
}

}  // namespace plumb::fast
