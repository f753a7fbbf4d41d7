// Laws of steps whose parts elsewhere wait for nothing: such a part runs within the message that starts it, once its
// first steps have shown that it is brief, and nobody can tell.
#include <gtest/gtest.h>

#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"

namespace plumb::dist {
namespace {

using Names = std::vector<std::string>;
constexpr DType kFloat = DType::kFloat;
constexpr RunOptions kWithLimit = {.timeout_ms = 20'000};
constexpr int kSteps = 12;  // more than are sampled before a part is known to be brief

// A variable on each of two servers, counted up there, read by the worker.
class PartsAtOnce : public testing::Test {
 protected:
  PartsAtOnce() {
    graph_.Float("zero", 0);
    graph_.Float("one", 1);
    for (const char* server : {"0", "1"}) {
      const std::string v = Str("v", server), device = Str("/job:ps/task:", server);
      graph_.Add(v, "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", kFloat}}, device);
      graph_.Op(v + "_set", "Assign", kFloat, {v, "zero"});
      graph_.Add(v + "_one", "Const", {}, {{"value", MakeScalar(1.0F)}, {"dtype", kFloat}}, device);
      graph_.Op(v + "_count", "AssignAdd", kFloat, {v, v + "_one"});
      graph_.Add(v + "_read", "Identity", {v, "^" + v + "_count"}, {{"T", kFloat}}, device);
    }
    session_ = cluster_.Open(2);
  }

  Status Run(const Names& fetches, const Names& targets = {}) {
    return session_->Run(kWithLimit, {}, fetches, targets, &outputs_, nullptr);
  }

  TestCluster cluster_{3, "ps=2,worker=1"};
  fast::TestGraph graph_;
  std::unique_ptr<Session> session_;
  std::vector<Tensor> outputs_;
};

TEST_F(PartsAtOnce, RunOnceInEachStep) {
  ASSERT_EQ(session_->Extend(graph_.def()).ToString(), "OK");
  ASSERT_EQ(Run({}, {"v0_set", "v1_set"}).ToString(), "OK");
  for (int step = 1; step <= kSteps; ++step) {
    ASSERT_EQ(Run({"v0_read", "v1_read"}).ToString(), "OK");
    EXPECT_EQ(outputs_[0].scalar<float>(), step);
    EXPECT_EQ(outputs_[1].scalar<float>(), step);
  }
}

// F28: a variable that is fetched is read when its part is over.
TEST_F(PartsAtOnce, ReadFetchedVariablesAtTheirEnd) {
  ASSERT_EQ(session_->Extend(graph_.def()).ToString(), "OK");
  ASSERT_EQ(Run({}, {"v0_set", "v1_set"}).ToString(), "OK");
  for (int step = 1; step <= kSteps; ++step) {
    ASSERT_EQ(Run({"v0"}, {"v0_count"}).ToString(), "OK");
    EXPECT_EQ(outputs_[0].scalar<float>(), step);
  }
}

// W32: the first failure is the step's, and the next step goes on as if nothing had been.
TEST_F(PartsAtOnce, FailWithTheirNode) {
  ASSERT_EQ(session_->Extend(graph_.def()).ToString(), "OK");
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(Run({}, {"v0_set", "v1_set"}).ToString(), "OK");
    for (int step = 1; step <= kSteps; ++step) ASSERT_EQ(Run({"v0_read", "v1_read"}).ToString(), "OK");
    ASSERT_EQ(session_->Reset({}).ToString(), "OK");
    const Status status = Run({"v0_read", "v1_read"});
    EXPECT_EQ(status.code(), Code::kFailedPrecondition) << status.ToString();
    EXPECT_NE(status.message().find("_count"), std::string::npos) << status.ToString();
  }
}

// What a failed step would have sent at its end, no later one sends: here the variable is another by then.
TEST_F(PartsAtOnce, KeepNothingOfAStepThatFailed) {
  const std::string server = "/job:ps/task:0";
  graph_.Add("turns", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kInt32}}, server);
  graph_.Const("none", MakeScalar<int32_t>(0));
  graph_.Op("turns_set", "Assign", DType::kInt32, {"turns", "none"});
  graph_.Add("turn", "CountUpTo", {"turns"}, {{"T", DType::kInt32}, {"limit", kSteps}});
  ASSERT_EQ(session_->Extend(graph_.def()).ToString(), "OK");
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(Run({}, {"v0_set", "turns_set"}).ToString(), "OK");
    for (int step = 1; step <= kSteps; ++step) {
      ASSERT_EQ(Run({"v0"}, {"v0_count", "turn"}).ToString(), "OK");
      EXPECT_EQ(outputs_[0].scalar<float>(), step) << "round " << round;
    }
    EXPECT_EQ(Run({"v0"}, {"v0_count", "turn"}).code(), Code::kOutOfRange);
    ASSERT_EQ(session_->Reset({}).ToString(), "OK");
  }
}

// X8: the worker waits for what nobody sends, and asks how the servers stand.
TEST_F(PartsAtOnce, SayHowTheyStand) {
  graph_.Placeholder("pred", DType::kBool);
  graph_.Op("switch", "Switch", kFloat, {"one", "pred"});
  graph_.Op("next", "NextIteration", kFloat, {"switch:1"});
  graph_.Add("far", "Neg", {"next"}, {{"T", kFloat}}, "/job:ps/task:1");
  ASSERT_EQ(session_->Extend(graph_.def()).ToString(), "OK");
  ASSERT_EQ(Run({}, {"v0_set", "v1_set"}).ToString(), "OK");
  for (int step = 1; step <= kSteps; ++step) {
    const std::vector<Feed> feeds = {{"pred", MakeScalar(false)}};
    const Status status = session_->Run(kWithLimit, feeds, Names{"v0_read", "far"}, {}, &outputs_, nullptr);
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << status.ToString();
  }
  ASSERT_EQ(Run({"v0_read"}).ToString(), "OK");
  EXPECT_EQ(outputs_[0].scalar<float>(), kSteps + 1);
}

// Sessions have parts of their own, and mean the same variables.
TEST_F(PartsAtOnce, SessionsThatGoLeaveNothingBehind) {
  ASSERT_EQ(session_->Extend(graph_.def()).ToString(), "OK");
  ASSERT_EQ(Run({}, {"v0_set", "v1_set"}).ToString(), "OK");
  for (int other = 1; other <= 3; ++other) {
    const auto session = cluster_.Open(2);
    ASSERT_EQ(session->Extend(graph_.def()).ToString(), "OK");
    for (int step = 0; step < kSteps; ++step) {
      ASSERT_EQ(session->Run(kWithLimit, {}, Names{"v0_read"}, {}, &outputs_, nullptr).ToString(), "OK");
    }
    EXPECT_EQ(outputs_[0].scalar<float>(), other * kSteps);
    ASSERT_EQ(session->Close().ToString(), "OK");
  }
  ASSERT_EQ(Run({"v0_read"}).ToString(), "OK");
  EXPECT_EQ(outputs_[0].scalar<float>(), 3 * kSteps + 1);
}

}  // namespace
}  // namespace plumb::dist
