// Rule W35: which Recvs wait, and for what.
#include "fastpath/compile/passes/schedule_receives.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;
constexpr int kLength = 100;

std::string NameAt(int i) { return "n" + std::to_string(i); }

// A step of 111 microseconds. "early" and "late" are received; n0 takes "early", and each of n1 to n99 the one before
// it; "end" takes n99 and "late". So each n starts a microsecond after the one before it, and "late" is wanted when 100
// of them are over: in the ninetieth hundredth.
class Step {
 public:
  Step() {
    TestGraph graph;
    graph.Float("one", 1);
    graph.Op(NameAt(0), "Add", kFloat, {"one", "one"});
    for (int i = 1; i < kLength; ++i) graph.Op(NameAt(i), "Neg", kFloat, {NameAt(i - 1)});
    graph.Op("end", "Add", kFloat, {NameAt(kLength - 1), "one"});
    step_ = PruneFor(graph, {}, {"end"});
    Receive("early", NameAt(0));
    Receive("late", "end");
  }

  StepNode& operator[](const std::string& name) { return step_[IdOf(name)]; }
  StepGraph& graph() { return step_; }
  NodeId IdOf(const std::string& name) const {
    return NodeId(static_cast<int32_t>(&NodeOf(step_, name) - step_.nodes.data()));
  }

  // The pass; "waits": the kernel that may, if any.
  void Schedule(const std::string& waits = "") {
    ScheduleReceives(step_, [&](const StepNode& node) { return node.name == waits; });
  }

  // What the Recv waits for: nothing, or all that its one trigger does.
  std::set<std::string> WaitsFor(const std::string& recv) {
    std::set<std::string> names;
    for (const NodeId trigger : (*this)[recv].controls) {
      EXPECT_EQ(step_[trigger].kind, NodeKind::kControlTrigger);
      EXPECT_EQ(step_[trigger].device, (*this)[recv].device);
      for (const NodeId node : step_[trigger].controls) names.insert(step_[node].name);
    }
    return names;
  }

 private:
  void Receive(const std::string& name, const std::string& by) {
    StepNode recv;
    recv.kind = NodeKind::kRecv;
    recv.name = name;
    recv.output_types = {kFloat};
    const NodeId id = step_.Add(std::move(recv));
    (*this)[by].inputs[1] = {id, 0};
  }

  StepGraph step_;
};

std::set<std::string> Chain(int begin, int end) {
  std::set<std::string> names;
  for (int i = begin; i < end; ++i) names.insert(NameAt(i));
  return names;
}

TEST(LatestStarts, GrowAlongTheLongestWay) {
  Step step;
  const LatestStarts latest = ComputeLatestStarts(step.graph());
  const auto start = [&](const std::string& name) { return latest.start[Index(step.IdOf(name))]; };
  EXPECT_EQ(start("early"), 0);
  EXPECT_GT(start("late"), start(NameAt(kLength - 11)));
  EXPECT_LT(start("late"), start(NameAt(kLength - 9)));
  for (int i = 1; i < kLength; ++i) EXPECT_LT(start(NameAt(i - 1)), start(NameAt(i)));
  EXPECT_GT(latest.makespan, start("end"));
}

// It may start six hundredths of the step before it is wanted: when what starts in the first 85 of them is over.
TEST(ScheduleReceives, WhatIsWantedLateWaitsForTheWorkBefore) {
  Step step;
  step.Schedule();
  EXPECT_EQ(step.WaitsFor("late"), Chain(0, 85));
  EXPECT_EQ(step.WaitsFor("early"), Chain(0, 0));
}

TEST(ScheduleReceives, OnlyWorkOfTheSameDeviceIsWaitedFor) {
  Step step;
  for (int i = 0; i < 10; ++i) step[NameAt(i)].device = 1;
  step.Schedule();
  EXPECT_EQ(step.WaitsFor("late"), Chain(10, 85));
  Step other;
  for (int i = 0; i < 10; ++i) other[NameAt(i)].device = 1;
  other["late"].device = 1;
  other.Schedule();
  EXPECT_EQ(other.WaitsFor("late"), Chain(0, 10));
}

// A kernel that waits for what others do may wait for what hangs on the received value; so may all behind it.
TEST(ScheduleReceives, NothingBehindAKernelThatMayWaitIsWaitedFor) {
  Step step;
  step.Schedule(NameAt(40));
  EXPECT_EQ(step.WaitsFor("late"), Chain(0, 40));
  Step behind;
  behind["late"].controls = {behind.IdOf(NameAt(50))};
  behind.Schedule(NameAt(40));
  EXPECT_EQ(behind["late"].controls, std::vector<NodeId>{behind.IdOf(NameAt(50))});
}

}  // namespace
}  // namespace plumb::fast
