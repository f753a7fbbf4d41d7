#include "fastpath/session/call_kernel.h"

#include <utility>

#include "fastpath/device/async_kernel.h"
#include "spec/core/thread_annotations.h"
#include "spec/graph/function_calls.h"
#include "spec/ops/op_def.h"
#include "spec/validate/signatures.h"

namespace plumb::fast {
namespace {

// A graph of one node: the call, with its inputs to be fed.
std::shared_ptr<const Graph> GraphOf(const Node& call, const Graph& source) {
  auto graph = std::make_shared<Graph>();
  graph->set_versions(source.versions());
  graph->set_library(source.library());
  graph->set_functions(source.functions());
  Node alone = call;
  alone.inputs.clear();
  alone.control_inputs.clear();
  for (size_t i = 0; i < call.input_types.size(); ++i) {
    NodeDef arg;
    arg.name = Str(call.name, "::fed", i);
    arg.op = "_Arg";
    arg.attrs = {{"T", Base(call.input_types[i])}, {"index", static_cast<int64_t>(i)}};
    const Node made = ResolveNode(arg);
    alone.inputs.push_back({graph->Append(made), 0});
  }
  graph->Append(std::move(alone));
  return graph;
}

Request RequestFor(const Graph& graph) {
  Request request;
  const Node& call = graph.nodes().back();
  request.feeds = call.inputs;
  for (size_t i = 0; i < call.output_types.size(); ++i) {
    request.fetches.push_back({call.id, static_cast<int32_t>(i)});
    request.fetch_positions.push_back(static_cast<int>(i));
  }
  request.targets = {call.id};
  return request;
}

// No thread waits with it: the body is a step inside of the one that calls.
class CallKernel final : public AsyncKernel {
 public:
  CallKernel(const Node& call, int depth, std::shared_ptr<const Graph> source, CallEnvironment environment)
      : name_(call.name), depth_(depth), graph_(GraphOf(call, *source)), environment_(environment) {}

  void Start(AsyncContext& context, Done done) override {
    CheckExecutor(graph_->nodes().back());
    if (depth_ >= kMaxCallDepth) {
      throw ResourceExhausted("calls lie more than ", kMaxCallDepth, " deep in each other: '", name_.substr(0, 200),
                              "…'");
    }
    const std::shared_ptr<StepRunner> runner = Compiled();
    runner->RunInside(context, [runner, done = std::move(done)](const Status& status) { done(status); });
  }

 private:
  // What runs again is kept; most calls of a deep recursion run once.
  std::shared_ptr<StepRunner> Compiled() {
    {
      MutexLock lock(mutex_);
      if (kept_ != nullptr) return kept_;
    }
    CompileOptions options = environment_.options;
    options.call_depth = depth_;
    options.prefers_host = true;
    options.call_kernel = MakeCallKernels(graph_, environment_);
    auto runner = NewRunner(Compile(graph_, RequestFor(*graph_), options, environment_.devices, environment_.kernels,
                                    environment_.steps.pool),
                            environment_.devices, environment_.steps);
    MutexLock lock(mutex_);
    if (++runs_ > 1) kept_ = runner;
    return runner;
  }

  const std::string name_;
  const int depth_;
  const std::shared_ptr<const Graph> graph_;
  const CallEnvironment environment_;
  Mutex mutex_;
  int runs_ PLUMB_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<StepRunner> kept_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace

CallKernelFactory MakeCallKernels(std::shared_ptr<const Graph> graph, CallEnvironment environment) {
  return [graph = std::move(graph), environment](const Node& call, int depth) -> std::shared_ptr<Kernel> {
    return std::make_shared<CallKernel>(call, depth, graph, environment);
  };
}

}  // namespace plumb::fast
