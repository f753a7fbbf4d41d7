// Laws of kernels that wait: they hold no thread, say what they wait for, hear of the end of their step, and are
// traced.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "fastpath/testing/test_steps.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;
using testing::HasSubstr;
using testing::Not;

// What parked kernels wait for: somebody who opens it.
class Gate {
 public:
  // Parks the kernel until Open; its output is its input.
  void Wait(AsyncContext& context, const AsyncKernel::Done& done) {
    context.SetOutput(0, context.input(0));
    const int ticket = NewTicket();
    if (!context.Park(Str("the gate, as number ", ticket), [this, ticket] { Stop(ticket); })) Stop(ticket);
    Admit(ticket, done);  // from here on the context may be gone
  }
  int size() {
    std::lock_guard lock(mutex_);
    return static_cast<int>(waiting_.size());
  }
  int stops() {
    std::lock_guard lock(mutex_);
    return stops_;
  }
  void Open() {
    std::map<int, AsyncKernel::Done> all;
    {
      std::lock_guard lock(mutex_);
      all.swap(waiting_);
    }
    for (const auto& [ticket, done] : all) done(OkStatus());
  }

 private:
  int NewTicket() {
    std::lock_guard lock(mutex_);
    return next_++;
  }
  void Admit(int ticket, const AsyncKernel::Done& done) {
    {
      std::lock_guard lock(mutex_);
      if (stopped_.erase(ticket) == 0) {
        waiting_.emplace(ticket, done);
        return;
      }
    }
    done(Status(Code::kCancelled, "given up"));
  }
  void Stop(int ticket) {
    AsyncKernel::Done done;
    {
      std::lock_guard lock(mutex_);
      ++stops_;
      const auto found = waiting_.find(ticket);
      if (found == waiting_.end()) {  // it is about to be admitted, or was let through
        stopped_.insert(ticket);
        return;
      }
      done = std::move(found->second);
      waiting_.erase(found);
    }
    done(Status(Code::kCancelled, "given up"));
  }

  std::mutex mutex_;
  std::map<int, AsyncKernel::Done> waiting_;
  std::set<int> stopped_;
  int next_ = 0;
  int stops_ = 0;
};

LateKernel::Body AtGate(Gate& gate) {
  return [&gate](AsyncContext& context, const AsyncKernel::Done& done) { gate.Wait(context, done); };
}

// The sum of `count` values that come late.
TestGraph LateSum(int count) {
  TestGraph graph;
  graph.Float("a", 1);
  std::string sum = "a";
  for (int i = 0; i < count; ++i) {
    const std::string id = std::to_string(i);
    graph.Op("late" + id, "Neg", kFloat, {"a"});
    sum = graph.Op("sum" + id, "Add", kFloat, {sum, "late" + id});
  }
  graph.Op("total", "Identity", kFloat, {sum});
  return graph;
}

// All park, though there is one thread; and while they do that thread is free for other steps.
TEST(ParkedKernels, HoldNoThread) {
  constexpr int kCount = 100;
  Gate gate;
  TestSteps steps(LateSum(kCount), "total", 1, AtGate(gate));
  std::vector<Tensor> outputs;
  Status status;
  std::thread client([&] { status = steps.Run(&outputs); });
  while (gate.size() < kCount) std::this_thread::yield();
  bool ran = false;
  steps.pool().Schedule([&] { ran = true; });
  while (steps.pool().RunOne()) {
  }
  gate.Open();
  client.join();
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(outputs.at(0).scalar<float>(), kCount + 1);
  EXPECT_TRUE(ran);
}

// S4: the message of a deadline says who waited for what.
TEST(ParkedKernels, SayWhatTheyWaitFor) {
  Gate gate;
  TestSteps steps(LateSum(3), "total", 2, AtGate(gate));
  std::vector<Tensor> outputs;
  for (int step = 0; step < 2; ++step) {
    const Status status = steps.RunFor(30, &outputs);
    EXPECT_EQ(status.code(), Code::kDeadlineExceeded);
    for (const std::string late : {"'late0'", "'late1'", "'late2'"}) {
      EXPECT_THAT(status.message(), HasSubstr(late + " (Neg) waits for the gate, as number "));
    }
    EXPECT_EQ(gate.size(), 0);
  }
}

// Whoever comes when the step has been stopped is not heard of any more, and has to answer by itself.
TEST(ParkedKernels, FindAStoppedStepClosed) {
  std::atomic<int> refused = 0;
  const LateKernel::Body too_late = [&](AsyncContext& context, const AsyncKernel::Done& done) {
    while (!context.cancelled()) std::this_thread::yield();
    if (!context.Park("nobody", [] {})) ++refused;
    done(Status(Code::kCancelled, "too late"));
  };
  TestSteps steps(LateSum(1), "total", 2, too_late);
  std::vector<Tensor> outputs;
  EXPECT_EQ(steps.RunFor(30, &outputs).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(refused, 1);
}

// Only those that wait are named, and not more than one can read.
TEST(ParkedKernels, AreNamedWithinReason) {
  Gate gate;
  TestSteps few(LateSum(2), "total", 2, [&](AsyncContext& context, const AsyncKernel::Done& done) {
    if (context.node() == "late1") return gate.Wait(context, done);
    context.SetOutput(0, context.input(0));
    done(OkStatus());
  });
  std::vector<Tensor> outputs;
  EXPECT_THAT(few.RunFor(30, &outputs).message(), Not(HasSubstr("late0")));
  TestSteps many(LateSum(50), "total", 2, AtGate(gate));
  const std::string message = many.RunFor(200, &outputs).message();
  EXPECT_THAT(message, HasSubstr("30 more wait"));
  EXPECT_THAT(message, Not(HasSubstr("late49")));
}

// What was answered is not stopped any more, in this step or in a later one over the same state.
TEST(ParkedKernels, AreForgottenWhenTheyHaveAnswered) {
  Gate gate;
  bool is_open = true;
  TestSteps steps(LateSum(2), "total", 1, [&](AsyncContext& context, const AsyncKernel::Done& done) {
    gate.Wait(context, done);
    if (is_open) gate.Open();
  });
  std::vector<Tensor> outputs;
  EXPECT_TRUE(steps.Run(&outputs).ok());
  EXPECT_EQ(gate.stops(), 0);
  is_open = false;
  EXPECT_EQ(steps.RunFor(20, &outputs).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(gate.stops(), 2) << "those that waited then";
}

// S2: a cancelled step stops them all.
TEST(ParkedKernels, AreStoppedWithTheirStep) {
  Gate gate;
  TestSteps steps(LateSum(5), "total", 2, AtGate(gate));
  Status status;
  std::thread client([&] {
    std::vector<Tensor> outputs;
    status = steps.Run(&outputs);
  });
  while (gate.size() < 5) std::this_thread::yield();
  steps.executor().CancelAll(Status(Code::kCancelled, "enough"));
  client.join();
  EXPECT_EQ(status.code(), Code::kCancelled);
  EXPECT_EQ(gate.stops(), 5);
}

// Answers and a stop that race: each call is answered once, and the steps end.
TEST(ParkedKernels, EndWhetherAnsweredOrStopped) {
  Gate gate;
  TestSteps steps(LateSum(8), "total", 2, AtGate(gate));
  for (int step = 0; step < 200; ++step) {
    Status status;
    std::atomic<bool> over = false;
    std::thread client([&] {
      std::vector<Tensor> outputs;
      status = steps.Run(&outputs);
      over = true;
    });
    std::thread canceller([&] {
      while (gate.size() < 4 && !over) std::this_thread::yield();
      steps.executor().CancelAll(Status(Code::kCancelled, "enough"));
    });
    while (!over) gate.Open();
    client.join();
    canceller.join();
    EXPECT_TRUE(status.ok() || status.code() == Code::kCancelled) << status.ToString();
  }
  EXPECT_EQ(gate.size(), 0);
}

// A trace shows them from their start to their answer.
TEST(ParkedKernels, AreTraced) {
  TestSteps steps(LateSum(1), "total", 1, [](AsyncContext& context, const AsyncKernel::Done& done) {
    context.SetOutput(0, context.input(0));
    std::thread([done] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      done(OkStatus());
    }).detach();
  });
  RunOptions options;
  options.trace = true;
  RunMetadata metadata;
  std::vector<Tensor> outputs;
  ASSERT_TRUE(steps.Run(&outputs, options, {}, &metadata).ok());
  const NodeStats* late = nullptr;
  for (const NodeStats& node : metadata.step_stats.at(0).nodes) {
    if (node.node == "late0") late = &node;
  }
  ASSERT_NE(late, nullptr);
  EXPECT_EQ(late->op, "Neg");
  EXPECT_GE(late->end_ns - late->start_ns, 10'000'000);
}

}  // namespace
}  // namespace plumb::fast
