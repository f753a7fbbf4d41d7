// Laws of asynchronous kernels: no thread waits for them, their outputs travel on, a stopped step does not hang.
#include <gtest/gtest.h>

#include <thread>

#include "fastpath/testing/test_steps.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

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
      TestSteps steps(TwoLateValues(), "again", threads, [&](KernelContext& context, const AsyncKernel::Done& done) {
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
  TestSteps steps(TwoLateValues(), "again", 2,
                  [](KernelContext&, const AsyncKernel::Done& done) { done(Status(Code::kOutOfRange, "no more")); });
  std::vector<Tensor> outputs;
  EXPECT_EQ(steps.Run(&outputs).code(), Code::kOutOfRange);
  EXPECT_EQ(steps.Run(&outputs).code(), Code::kOutOfRange);
}

TEST(AsyncKernels, AreToldWhenTheirStepIsStopped) {
  TestSteps steps(TwoLateValues(), "again", 2, [](KernelContext& context, const AsyncKernel::Done& done) {
    const auto give_up = [done] { done(Status(Code::kCancelled, "given up")); };
    if (context.step().cancellation->Register(give_up) == 0) give_up();
  });
  std::vector<Tensor> outputs;
  EXPECT_EQ(steps.RunFor(10, &outputs).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(steps.RunFor(10, &outputs).code(), Code::kDeadlineExceeded);
}

}  // namespace
}  // namespace plumb::fast
