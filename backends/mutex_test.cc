// M1: a mutex is held by one lock at a time, from when that is given until it is consumed.
#include <gtest/gtest.h>

#include <thread>

#include "backends/backends.h"
#include "backends/backends_testing.h"
#include "spec/graph/function_testing.h"

namespace plumb {
namespace {

class Mutexes : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(All, Mutexes, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

const AttrMap kFloat = {{"dtype", DType::kFloat}};

// A step that adds one to what it reads, in two ops; "locked" does so while it holds the mutex.
GraphDef Counting() {
  return MakeGraph({MakeNode("v", "VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape(Shape())}}),
                    MakeConst("zero", MakeScalar(0.0F)), MakeConst("one", MakeScalar(1.0F)),
                    MakeNode("init", "AssignVariableOp", {"v", "zero"}, kFloat), MakeNode("mutex", "MutexV2"),
                    MakeNode("lock", "MutexLock", {"mutex"}), MakeNode("now", "ReadVariableOp", {"v", "^lock"}, kFloat),
                    MakeNode("more", "AddV2", {"now", "one"}, {{"T", DType::kFloat}}),
                    MakeNode("set", "AssignVariableOp", {"v", "more"}, kFloat),
                    MakeNode("locked", "ConsumeMutexLock", {"lock", "^set"}),
                    MakeNode("read", "ReadVariableOp", {"v"}, kFloat)});
}

TEST_P(Mutexes, AreHeldByOneStepAtATime) {
  constexpr int kThreads = 3, kSteps = 40;
  const auto session = OpenSession(GetParam());
  ASSERT_EQ(session->Extend(Counting()).ToString(), "OK");
  const std::vector<std::string> init = {"init"}, locked = {"locked"}, read = {"read"};
  ASSERT_EQ(session->Run({}, {}, init, nullptr).ToString(), "OK");
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int step = 0; step < kSteps; ++step) EXPECT_EQ(session->Run({}, {}, locked, nullptr).ToString(), "OK");
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<Tensor> outputs;
  ASSERT_EQ(session->Run({}, read, {}, &outputs).ToString(), "OK");
  EXPECT_EQ(outputs.at(0).scalar<float>(), kThreads * kSteps);
}

// The second lock of a step waits for the first, which waits for the second.
TEST_P(Mutexes, KeepTheNextOneWaiting) {
  const std::vector<std::string> both = {"first_used", "second_used"};
  for (const bool waits : {true, false}) {
    const std::string first_after = waits ? "^second" : "^mutex", second_after = waits ? "^first" : "^first_used";
    const auto session = OpenSession(GetParam());
    ASSERT_EQ(session
                  ->Extend(MakeGraph({MakeNode("mutex", "MutexV2"), MakeNode("first", "MutexLock", {"mutex"}),
                                      MakeNode("second", "MutexLock", {"mutex", second_after}),
                                      MakeNode("first_used", "ConsumeMutexLock", {"first", first_after}),
                                      MakeNode("second_used", "ConsumeMutexLock", {"second"})}))
                  .ToString(),
              "OK");
    const int64_t moment_ms = waits ? 200 : 60'000;
    EXPECT_EQ(session->Run({.timeout_ms = moment_ms}, {}, {}, both, nullptr, nullptr).code(),
              waits ? Code::kDeadlineExceeded : Code::kOk);
  }
}

}  // namespace
}  // namespace plumb
