#include "reference/step/program.h"

#include "reference/step/placement.h"
#include "spec/graph/function_calls.h"
#include "spec/graph/int32_attr.h"
#include "spec/ops/known/known_ops.h"
#include "spec/ops/op_def.h"
#include "spec/validate/devices.h"
#include "spec/validate/kernel_types.h"

namespace plumb::reference {
namespace {

void CheckKernel(const Node& node, KernelFinder find_kernel) {
  if (find_kernel(node.op->name) == nullptr) {
    throw NoKernel(Code::kNotFound, "No registered '", node.op->name, "' kernel in the reference, for node '",
                   node.name, "'", InsteadOf(node.op->name));
  }
  CheckKernelTypes(node);
  if (const NodeCheck check = FindCheck(node.op->name)) check(node);
}

bool HasKernel(Rule rule) { return rule == Rule::kKernel || rule == Rule::kControlTrigger; }

// What calls may run is checked like the step itself, once all bodies are known to make sense.
void CheckBodies(const Program& program, KernelFinder find_kernel) {
  std::vector<const FunctionBody*> bodies;
  for (const StepNode& step_node : program.graph.nodes) {
    if (step_node.rule != Rule::kCall) continue;
    CheckCalls(program.source->functions().get(), *step_node.node,
               [&](const FunctionBody& body) { bodies.push_back(&body); });
  }
  for (const FunctionBody* body : bodies) {
    for (const StepNode& each : PruneBody(body->graph, *body).nodes) {
      if (HasKernel(each.rule)) CheckKernel(*each.node, find_kernel);
    }
  }
}

}  // namespace

DType TypeOfFeed(const Graph& graph, const std::string& feed) {
  const TensorName name = ParseTensorName(feed);
  const auto node = graph.Find(name.node);
  if (name.control || !node || static_cast<size_t>(name.output) >= graph.node(*node).output_types.size()) {
    return DType::kInvalid;
  }
  return Base(graph.TypeOf({*node, name.output}));
}

std::vector<ValueFeed> FeedsToCome(const Graph& graph, std::span<const std::string> names) {
  std::vector<ValueFeed> feeds;
  for (const std::string& name : names) {
    const DType type = TypeOfFeed(graph, name);
    feeds.emplace_back(name, Value(type == DType::kInvalid ? MakeScalar(0.0f) : Zeros(type, Shape({0}))));
  }
  return feeds;
}

void FindKernels(StepGraph& graph, KernelFinder find_kernel) {
  for (StepNode& step_node : graph.nodes) {
    if (step_node.rule == Rule::kEnter) Int32Attr(*step_node.node, "parallel_iterations");
    if (step_node.rule == Rule::kSend || step_node.rule == Rule::kRecv) CheckMessageName(*step_node.node);  // W30
    if (!HasKernel(step_node.rule)) continue;
    CheckKernel(*step_node.node, find_kernel);
    step_node.kernel = find_kernel(step_node.node->op->name);
  }
}

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
  program->options = options;
  program->find_kernel = find_kernel;
  CheckBodies(*program, find_kernel);
  return program;
}

}  // namespace plumb::reference
