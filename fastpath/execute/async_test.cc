// Laws of asynchronous kernels: no thread waits for them, their outputs travel on, a stopped step does not hang.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
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
      TestSteps steps(TwoLateValues(), "again", threads, [&](AsyncContext& context, const AsyncKernel::Done& done) {
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
                  [](AsyncContext&, const AsyncKernel::Done& done) { done(Status(Code::kOutOfRange, "no more")); });
  std::vector<Tensor> outputs;
  EXPECT_EQ(steps.Run(&outputs).code(), Code::kOutOfRange);
  EXPECT_EQ(steps.Run(&outputs).code(), Code::kOutOfRange);
}

// E5: what Start throws is the step's error, and the next step is sound.
TEST(AsyncKernels, MayThrowWhenTheyStart) {
  for (const int threads : {1, 2}) {
    bool fails = true;
    TestSteps steps(TwoLateValues(), "again", threads, [&](AsyncContext& context, const AsyncKernel::Done& done) {
      if (fails) throw OutOfRange("it does not begin");
      context.SetOutput(0, context.input(0));
      done(OkStatus());
    });
    std::vector<Tensor> outputs;
    const Status status = steps.Run(&outputs);
    EXPECT_EQ(status.code(), Code::kOutOfRange);
    EXPECT_NE(status.message().find("late_"), std::string::npos) << status.message();
    fails = false;
    EXPECT_TRUE(steps.Run(&outputs).ok());
  }
}

// A kernel may drop the matter or answer twice: the step ends, with the first answer.
TEST(AsyncKernels, GiveOneAnswer) {
  std::vector<Tensor> outputs;
  TestSteps silent(TwoLateValues(), "again", 2, [](AsyncContext&, const AsyncKernel::Done&) {});
  EXPECT_EQ(silent.Run(&outputs).code(), Code::kInternal);
  std::vector<AsyncKernel::Done> kept;
  TestSteps eager(TwoLateValues(), "again", 1, [&](AsyncContext& context, const AsyncKernel::Done& done) {
    context.SetOutput(0, context.input(0));
    done(OkStatus());
    done(Status(Code::kAborted, "too late"));
    kept.push_back(done);
  });
  EXPECT_TRUE(eager.Run(&outputs).ok());
  for (const AsyncKernel::Done& done : kept) done(Status(Code::kAborted, "after the step"));
  EXPECT_TRUE(eager.Run(&outputs).ok());
}

// Takes its time after it has sent a helper.
class SlowToLeave : public Executor {
 public:
  using Executor::Executor;
  bool has_left() const { return has_left_; }

 protected:
  void SendHelper(RunState& state, int64_t step_id) override {
    Executor::SendHelper(state, step_id);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    has_left_ = true;
  }

 private:
  std::atomic<bool> has_left_{false};
};

// The step is over when the thread that answered has left it: whoever waits for the step may destroy the session then.
TEST(AsyncKernels, OutliveNoStepThatTheyAnswer) {
  TestGraph graph;
  graph.Float("a", 1);
  graph.Op("late", "Neg", kFloat, {"a"});
  std::thread other;
  TestStepsOn<SlowToLeave> steps(graph, "late", 2, [&](AsyncContext& context, const AsyncKernel::Done& done) {
    context.SetOutput(0, context.input(0));
    other = std::thread([done] { done(OkStatus()); });
  });
  std::vector<Tensor> outputs;
  EXPECT_TRUE(steps.Run(&outputs).ok());
  EXPECT_TRUE(steps.executor().has_left());
  other.join();
}

// A branch of which one side is late.
TestGraph LateBranch(bool taken) {
  TestGraph graph;
  graph.Float("x", 7);
  graph.Bool("pred", taken);
  graph.Op("switch", "Switch", kFloat, {"x", "pred"});
  graph.Op("late", "Neg", kFloat, {"switch:1"});
  graph.Merge("merge", kFloat, {"switch:0", "late"}, 2);
  graph.Float("after_late", 1, {"^late"});
  return graph;
}

// X3, X4: an output may be dead though its node is live, and then control edges are live.
TEST(AsyncKernels, MayAnswerDeadOutputs) {
  TestGraph graph = LateBranch(true);
  graph.Merge("other", kFloat, {"late", "x"}, 2);
  const LateKernel::Body dead = [](AsyncContext& context, const AsyncKernel::Done& done) {
    EXPECT_FALSE(context.is_dead());
    context.SetDead(0);
    done(OkStatus());
  };
  std::vector<Tensor> outputs;
  ASSERT_TRUE(TestSteps(graph, "other:1", 2, dead).Run(&outputs).ok());
  EXPECT_EQ(outputs.at(0).scalar<int32_t>(), 1);
  EXPECT_TRUE(TestSteps(graph, "after_late", 2, dead).Run(&outputs).ok());
  EXPECT_EQ(TestSteps(graph, "late", 2, dead).Run(&outputs).code(), Code::kInvalidArgument);
}

// X2, X4: only a kernel that asks for it is started when its node is dead; its outputs are dead then, and control
// edges.
TEST(AsyncKernels, StartForDeadInputsWhenTheyAskForIt) {
  for (const bool asks : {false, true}) {
    for (const bool taken : {false, true}) {
      int dead_starts = 0;
      const auto kernels = LateNegations(
          [&](AsyncContext& context, const AsyncKernel::Done& done) {
            dead_starts += context.is_dead();
            EXPECT_EQ(context.is_dead(), !context.input(0).IsSet());
            context.SetOutput(0, MakeScalar(1.0f));
            done(OkStatus());
          },
          asks);
      std::vector<Tensor> outputs;
      TestSteps steps(LateBranch(taken), {}, "merge:1", 1, kernels);
      ASSERT_TRUE(steps.Run(&outputs).ok());
      EXPECT_EQ(outputs.at(0).scalar<int32_t>(), taken ? 1 : 0);
      EXPECT_EQ(dead_starts, asks && !taken ? 1 : 0);
      TestSteps after(LateBranch(taken), {}, "after_late", 1, kernels);
      EXPECT_EQ(after.Run(&outputs).code(), taken ? Code::kOk : Code::kInvalidArgument);
    }
  }
}

}  // namespace
}  // namespace plumb::fast
