#include "reference/program.h"

#include "reference/placement.h"
#include "spec/ops/op_def.h"

namespace plumb::reference {
namespace {

// A7: the kernels of a step are found, and their attributes checked, before any of them runs.
void FindKernels(StepGraph& graph, KernelFinder find_kernel) {
  for (StepNode& step_node : graph.nodes) {
    if (step_node.rule != Rule::kKernel && step_node.rule != Rule::kControlTrigger) continue;
    const Node& node = *step_node.node;
    step_node.kernel = find_kernel(node.op->name);
    if (step_node.kernel == nullptr) {
      throw NoKernel(Code::kNotFound, "No registered '", node.op->name, "' kernel in the reference, for node '",
                     node.name, "'");
    }
    if (const NodeCheck check = FindCheck(node.op->name)) check(node);
  }
}

}  // namespace

std::shared_ptr<const Program> MakeProgram(std::shared_ptr<const Graph> graph, const StepRequest& request, Mode mode,
                                           const SessionOptions& options, KernelFinder find_kernel) {
  auto program = std::make_shared<Program>();
  std::vector<std::string> names;
  std::vector<DType> types;
  for (const auto& [name, value] : request.feeds) {
    names.push_back(name);
    types.push_back(value.tensor.dtype());
    program->feeds.push_back(value);
  }
  program->graph = Prune(*graph, names, types, request.fetches, request.targets);
  FindKernels(program->graph, find_kernel);
  CheckLoopDevices(program->graph, options);
  MarkCopiedInputs(program->graph, options);
  program->source = std::move(graph);
  program->mode = std::move(mode);
  return program;
}

}  // namespace plumb::reference
