// Steps over a graph whose kernels are the test's own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fastpath/compile/compile.h"
#include "fastpath/cpu/cpu_device.h"
#include "fastpath/device/async_kernel.h"
#include "fastpath/execute/executor.h"
#include "fastpath/testing/test_graph.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {

class FunctionKernel : public Kernel {
 public:
  using Body = std::function<void(KernelContext&)>;
  explicit FunctionKernel(Body body) : body_(std::move(body)) {}
  void Run(KernelContext& context) override { body_(context); }

 private:
  Body body_;
};

inline void RunAdd(KernelContext& context) {
  context.SetOutput(0, MakeScalar(context.input(0).scalar<float>() + context.input(1).scalar<float>()));
}

// Starts as `body` says.
class LateKernel : public AsyncKernel {
 public:
  using Body = std::function<void(AsyncContext&, Done)>;
  explicit LateKernel(Body body, bool starts_when_dead = false)
      : body_(std::move(body)), starts_when_dead_(starts_when_dead) {}
  void Start(AsyncContext& context, Done done) override { body_(context, std::move(done)); }
  bool StartsWhenDead() const override { return starts_when_dead_; }

 private:
  Body body_;
  const bool starts_when_dead_;
};

// Neg is the late kernel, an addition runs as such, and anything else as on the CPU.
inline KernelSource LateNegations(LateKernel::Body late, bool starts_when_dead = false) {
  return [late = std::move(late), starts_when_dead](const Node& node) -> std::shared_ptr<Kernel> {
    if (node.IsOp("Neg")) return std::make_shared<LateKernel>(late, starts_when_dead);
    if (node.IsOp("Add")) return std::make_shared<FunctionKernel>(RunAdd);
    return MakeCpuKernel(node);
  };
}

template <class ExecutorType>
class TestStepsOn {
 public:
  // Every kernel that the graph needs comes from `kernels`.
  TestStepsOn(const TestGraph& graph, std::vector<std::string> feeds, const std::string& fetch, int threads,
              const KernelSource& kernels)
      : pool_(threads) {
    auto loaded = std::make_shared<const Graph>(Graph::Load(graph.def()));
    const Request request = ResolveRequest(*loaded, feeds, std::vector<std::string>{fetch}, {});
    CompileOptions options;
    options.optimize = false;
    executor_ = std::make_shared<ExecutorType>(Compile(loaded, request, options, kernels, pool_), environment_);
  }
  // With LateNegations.
  TestStepsOn(const TestGraph& graph, const std::string& fetch, int threads, LateKernel::Body late)
      : TestStepsOn(graph, {}, fetch, threads, LateNegations(std::move(late))) {}

  Status Run(std::vector<Tensor>* outputs, RunOptions options = {}, std::span<const Tensor> feeds = {},
             RunMetadata* metadata = nullptr) {
    return executor_->Run(options, feeds, outputs, metadata);
  }
  // A step that has so many milliseconds.
  Status RunFor(int64_t timeout_ms, std::vector<Tensor>* outputs) {
    RunOptions options;
    options.timeout_ms = timeout_ms;
    return Run(outputs, options);
  }
  ThreadPool& pool() { return pool_; }
  ExecutorType& executor() { return *executor_; }

 private:
  ThreadPool pool_;
  ResourceManager resources_;
  Watchdog watchdog_;
  StepEnvironment environment_{pool_, resources_, watchdog_};
  std::shared_ptr<ExecutorType> executor_;
};
using TestSteps = TestStepsOn<Executor>;

}  // namespace plumb::fast
