// Laws of asynchronous kernels: no thread waits for them, their outputs travel on, a stopped step does not hang.
#include <gtest/gtest.h>

#include <thread>

#include "fastpath/compile/compile.h"
#include "fastpath/execute/executor.h"
#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

// Gives its input back when `answer` says so.
class LateKernel : public AsyncKernel {
 public:
  using Answer = std::function<void(KernelContext&, Done)>;
  explicit LateKernel(Answer answer) : answer_(std::move(answer)) {}
  void Start(KernelContext& context, Done done) override { answer_(context, std::move(done)); }

 private:
  Answer answer_;
};

class AddKernel : public Kernel {
 public:
  void Run(KernelContext& context) override {
    context.SetOutput(0, MakeScalar(context.input(0).scalar<float>() + context.input(1).scalar<float>()));
  }
};

// Steps over a graph in which Neg is the late kernel.
class LateSteps {
 public:
  LateSteps(const TestGraph& graph, const std::string& fetch, int threads, LateKernel::Answer answer) : pool_(threads) {
    auto loaded = std::make_shared<const Graph>(Graph::Load(graph.def()));
    const Request request = ResolveRequest(*loaded, {}, std::vector<std::string>{fetch}, {});
    CompileOptions options;
    options.optimize = false;
    const auto plan = Compile(
        loaded, request, options,
        [&](const Node& node) -> std::shared_ptr<Kernel> {
          if (node.IsOp("Neg")) return std::make_shared<LateKernel>(answer);
          return std::make_shared<AddKernel>();
        },
        pool_);
    executor_ = std::make_shared<Executor>(plan, environment_);
  }
  Status Run(std::vector<Tensor>* outputs, int64_t timeout_ms = 0) {
    RunOptions options;
    options.timeout_ms = timeout_ms;
    return executor_->Run(options, {}, outputs, nullptr);
  }

 private:
  ThreadPool pool_;
  ResourceManager resources_;
  Watchdog watchdog_;
  StepEnvironment environment_{pool_, resources_, watchdog_};
  std::shared_ptr<Executor> executor_;
};

TestGraph TwoLateValues() {
  TestGraph graph;
  graph.Float("a", 1);
  graph.Float("b", 2);
  graph.Op("late_a", "Neg", kFloat, {"a"});
  graph.Op("late_b", "Neg", kFloat, {"b"});
  graph.Op("sum", "Add", kFloat, {"late_a", "late_b"});
  graph.Op("again", "Neg", kFloat, {"sum"});
  return graph;
}

TEST(AsyncKernels, MayAnswerAtOnceOrFromAnotherThread) {
  for (const int threads : {1, 2}) {
    for (const bool from_another : {false, true}) {
      std::vector<std::thread> others;
      LateSteps steps(TwoLateValues(), "again", threads, [&](KernelContext& context, const AsyncKernel::Done& done) {
        const auto answer = [&context, done] {
          context.SetOutput(0, context.input(0));
          done(OkStatus());
        };
        if (!from_another) return answer();
        static std::mutex mutex;
        std::lock_guard lock(mutex);
        others.emplace_back(answer);
      });
      for (int step = 0; step < 5; ++step) {
        std::vector<Tensor> outputs;
        const Status status = steps.Run(&outputs);
        ASSERT_TRUE(status.ok()) << status.ToString();
        EXPECT_EQ(outputs.at(0).scalar<float>(), 3);
      }
      for (std::thread& other : others) other.join();
    }
  }
}

TEST(AsyncKernels, PassTheirErrorsOn) {
  LateSteps steps(TwoLateValues(), "again", 2,
                  [](KernelContext&, const AsyncKernel::Done& done) { done(Status(Code::kOutOfRange, "no more")); });
  std::vector<Tensor> outputs;
  EXPECT_EQ(steps.Run(&outputs).code(), Code::kOutOfRange);
  EXPECT_EQ(steps.Run(&outputs).code(), Code::kOutOfRange);
}

TEST(AsyncKernels, AreToldWhenTheirStepIsStopped) {
  LateSteps steps(TwoLateValues(), "again", 2, [](KernelContext& context, const AsyncKernel::Done& done) {
    const auto give_up = [done] { done(Status(Code::kCancelled, "given up")); };
    if (context.step().cancellation->Register(give_up) == 0) give_up();
  });
  std::vector<Tensor> outputs;
  EXPECT_EQ(steps.Run(&outputs, 10).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(steps.Run(&outputs, 10).code(), Code::kDeadlineExceeded);
}

}  // namespace
}  // namespace plumb::fast
