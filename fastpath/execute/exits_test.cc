// Laws of what leaves a loop (X19, X20), and of what a step that fails leaves in its frame.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/execute/counter_testing.h"

namespace plumb::fast {
namespace {

constexpr DType kInt = DType::kInt32;

// X19: an Exit in front of the Switch is live in every iteration.
TEST(Exits, DeliverOnce) {
  for (const int parallel_iterations : {1, 10}) {
    TestGraph graph;
    graph.Int("zero", 0);
    graph.Int("limit", 5);
    AddCounter(graph, "loop", "zero", "limit", parallel_iterations);
    graph.Op("wild", "Exit", kInt, {"loop/merge"});
    graph.Op("sum", "Add", kInt, {"wild", "loop/exit"});
    const auto sum = TestSession(graph).Scalar<int32_t>({}, "sum");
    EXPECT_GE(sum, 5);
    EXPECT_LE(sum, 10);
  }
}

// X20: a value of an earlier iteration stands. Who takes it waits for a second loop, which begins when the first one
// ends.
TEST(Exits, ThatHadAValueAreNotDeadInTheEnd) {
  for (const int limit : {2, 3, 10}) {
    TestGraph graph;
    graph.Int("zero", 0);
    graph.Int("limit", limit);
    graph.Int("bound", 2 * limit);
    AddCounter(graph, "loop", "zero", "limit");
    AddCounter(graph, "after", "loop/exit", "bound");
    graph.Op("is_one", "Equal", kInt, {"loop/body", "loop/one"});
    graph.Op("choice", "Switch", kInt, {"loop/body", "is_one"});
    graph.Op("seen", "Exit", kInt, {"choice:1"});
    graph.Op("sum", "Add", kInt, {"seen", "after/exit"});
    TestSession session(graph);
    EXPECT_EQ(session.Scalar<int32_t>({}, "sum"), 1 + 2 * limit);
  }
}

// A loop that runs only where `pred` says so, and fails in turn `bad`: at once, or when the next turn has been asked
// for. Its result is merged with a value that comes after it.
TestGraph FailingLoop(int limit, int parallel_iterations, bool fails_late) {
  TestGraph graph;
  graph.Placeholder("pred", DType::kBool);
  graph.Placeholder("bad", kInt);
  graph.Int("zero", 0);
  graph.Int("limit", limit);
  for (const char* name : {"zero", "limit", "bad"}) graph.Op(Str("taken_", name), "Switch", kInt, {name, "pred"});
  AddCounter(graph, "loop", "taken_zero:1", "taken_limit:1", parallel_iterations);
  graph.Enter("loop/bad", kInt, {"taken_bad:1"}, "loop", true, parallel_iterations);
  graph.Op("far", "Sub", kInt, {"loop/body", "loop/bad"});
  graph.Op("check", "FloorDiv", kInt, {"loop/one", "far", fails_late ? "^loop/add" : "^loop/one"});
  graph.Add("after", "ControlTrigger", {"^loop/exit"});
  graph.Op("late", "Identity", kInt, {"taken_zero:0", "^after"});
  graph.Merge("result", kInt, {"late", "loop/exit"}, 2);
  return graph;
}

// A step that fails in the middle of a loop leaves tokens and dead exits in a frame that later steps use again.
TEST(Exits, FindNothingThatAFailedStepHasLeft) {
  constexpr int kLimit = 4;
  for (int variant = 0; variant < 12; ++variant) {
    const int threads = 1 + variant % 2, parallel_iterations[] = {1, 2, 10};
    TestSession session(FailingLoop(kLimit, parallel_iterations[variant / 4], variant / 2 % 2 == 0),
                        {.threads = threads, .forced_sharing = threads == 1 ? 0 : 100});
    const auto run = [&](bool taken, int bad) {
      return session.Run({{"pred", MakeScalar(taken)}, {"bad", MakeScalar(bad)}}, {"result", "result:1"}, {"check"});
    };
    for (int bad = 0; bad < kLimit; ++bad) {
      for (const bool taken : {false, true}) {
        run(true, bad);
        ASSERT_EQ(session.status().code(), Code::kInvalidArgument) << session.status().ToString();
        const auto outputs = run(taken, -1);
        ASSERT_EQ(session.status().ToString(), "OK") << "variant " << variant << ", after turn " << bad;
        EXPECT_EQ(outputs.at(0).scalar<int32_t>(), taken ? kLimit : 0) << "variant " << variant << ", turn " << bad;
        EXPECT_EQ(outputs.at(1).scalar<int32_t>(), taken ? 1 : 0) << "variant " << variant << ", turn " << bad;
      }
    }
  }
}

// X20: whichever of the turns its dead token comes from, and whatever has begun by then, it is sent on once. Who takes
// it waits for a value that comes later still.
TEST(Exits, ThatAreDeadInEveryTurnAreDeadOnce) {
  for (int delay = 0; delay < 5; ++delay) {
    for (const int parallel_iterations : {1, 2, 10}) {
      TestGraph graph;
      graph.Int("zero", 0);
      graph.Int("limit", 5);
      graph.Int("never", -1);
      AddCounter(graph, "loop", "zero", "limit", parallel_iterations);
      graph.Enter("loop/never", kInt, {"never"}, "loop", true, parallel_iterations);
      graph.Op("is_it", "Equal", kInt, {"loop/body", "loop/never"});
      std::string dead = graph.Op("choice", "Switch", kInt, {"loop/body", "is_it"}) + ":1";
      for (int i = 0; i < delay; ++i) dead = graph.Op(Str("delay_", i), "Identity", kInt, {dead});
      graph.Op("seen", "Exit", kInt, {dead});
      graph.Add("after", "ControlTrigger", {"^seen"});
      graph.Op("late", "Identity", kInt, {"zero", "^after"});
      graph.Merge("result", kInt, {"late", "seen"}, 2);
      TestSession session(graph);
      EXPECT_EQ(session.Scalar<int32_t>({}, "result"), 0);
      EXPECT_EQ(session.Scalar<int32_t>({}, "result:1"), 0);
    }
  }
}

}  // namespace
}  // namespace plumb::fast
