// Laws of the pool of RunStates: a state serves one step at a time, and the pool stays as small as the steps that
// overlap.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <thread>

#include "fastpath/testing/test_steps.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

TestGraph NegatedFeed() {
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Op("y", "Neg", kFloat, {"x"});
  return graph;
}

KernelSource OneKernel(FunctionKernel::Body body) {
  return [body = std::move(body)](const Node&) { return std::make_shared<FunctionKernel>(body); };
}

// Who is in which state, kept by a kernel that takes its time.
class Visitors {
 public:
  void Visit(const StepContext* state) {
    Enter(state);
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    std::lock_guard lock(mutex_);
    inside_.erase(inside_.find(state));
  }
  bool have_met() const { return have_met_; }

 private:
  void Enter(const StepContext* state) {
    std::lock_guard lock(mutex_);
    if (inside_.contains(state)) have_met_ = true;
    inside_.insert(state);
  }
  std::mutex mutex_;
  std::multiset<const StepContext*> inside_;
  std::atomic<bool> have_met_{false};
};

// S2, S3: whoever cancels meanwhile, no two steps meet in one state.
TEST(StatePool, GivesAStateToOneStepAtATime) {
  Visitors visitors;
  TestSteps steps(NegatedFeed(), {"x"}, "y", 1, OneKernel([&](KernelContext& context) {
                    visitors.Visit(&context.step());
                    context.SetOutput(0, MakeScalar(-context.input(0).scalar<float>()));
                  }));
  std::atomic<int> running{3};
  std::vector<std::thread> clients;
  for (int client = 0; client < 3; ++client) {
    clients.emplace_back([&, client] {
      for (int step = 0; step < 2000 && !visitors.have_met(); ++step) {
        const auto value = static_cast<float>(step * 3 + client);
        const Tensor x = MakeScalar(value);
        std::vector<Tensor> outputs;
        const Status status = steps.Run(&outputs, {}, {&x, 1});
        if (status.ok()) {
          EXPECT_EQ(outputs.at(0).scalar<float>(), -value);
        } else {
          EXPECT_EQ(status.code(), Code::kCancelled) << status.ToString();
        }
      }
      --running;
    });
  }
  while (running > 0) steps.executor().CancelAll(Status(Code::kCancelled, "stopped by the test"));
  for (std::thread& client : clients) client.join();
  EXPECT_FALSE(visitors.have_met());
}

// A helper that comes when its step is over finds nothing, and keeps nothing from later steps.
TEST(StatePool, LateHelpersHoldNoStates) {
  TestGraph graph;
  graph.Float("a", 1);
  graph.Op("late", "Neg", kFloat, {"a"});
  std::latch busy(2), over(1);
  std::mutex mutex;
  std::set<const StepContext*> states;
  TestSteps steps(graph, "late", 2, [&](AsyncContext& context, const AsyncKernel::Done& done) {
    {
      std::lock_guard lock(mutex);
      states.insert(&context.step());
    }
    context.SetOutput(0, context.input(0));
    done(OkStatus());
  });
  steps.pool().Schedule([&] {
    busy.arrive_and_wait();
    over.wait();
  });
  busy.arrive_and_wait();  // no thread of the pool is left to help
  for (int step = 0; step < 50; ++step) {
    std::vector<Tensor> outputs;
    EXPECT_TRUE(steps.Run(&outputs).ok());
  }
  over.count_down();
  EXPECT_EQ(states.size(), 1u);
}

// A crowd that ran once is not remembered for ever.
TEST(StatePool, KeepsNoMoreStatesThanItMay) {
  constexpr int kClients = static_cast<int>(Executor::kMaxIdleStates) + 8;
  std::latch all_run(kClients);
  TestSteps steps(NegatedFeed(), {"x"}, "y", 1, OneKernel([&](KernelContext& context) {
                    all_run.arrive_and_wait();
                    context.SetOutput(0, context.input(0));
                  }));
  std::vector<std::thread> clients;
  for (int client = 0; client < kClients; ++client) {
    clients.emplace_back([&] {
      const Tensor x = MakeScalar(1.0f);
      std::vector<Tensor> outputs;
      EXPECT_TRUE(steps.Run(&outputs, {}, {&x, 1}).ok());
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(steps.executor().idle_states(), Executor::kMaxIdleStates);
}

}  // namespace
}  // namespace plumb::fast
