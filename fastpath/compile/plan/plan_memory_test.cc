#include "fastpath/compile/plan/plan_memory.h"

#include <gtest/gtest.h>

#include "fastpath/compile/plan/priorities.h"
#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

MemoryPlan PlanFor(const StepGraph& step) { return PlanMemory(step, AnalyzeFrames(step), OrderByPriority(step)); }

bool IsResident(const StepGraph& step, const std::string& name) {
  return PlanFor(step).is_resident[&NodeOf(step, name) - step.nodes.data()];
}

TEST(PlanMemory, GivesEveryInputASlotOfItsOwn) {
  TestGraph graph;
  graph.Placeholder("p", kFloat);
  graph.Op("a", "Add", kFloat, {"p", "p"});
  graph.Op("b", "Add", kFloat, {"a", "p"});
  graph.Op("c", "Neg", kFloat, {"b"});
  const StepGraph step = PruneFor(graph, {}, {"c"});
  const MemoryPlan plan = PlanFor(step);
  std::vector<bool> taken(plan.num_slots.at(0));
  for (int i = 0; i < step.size(); ++i) {
    for (size_t k = 0; k < step.nodes[i].inputs.size(); ++k) {
      const size_t slot = plan.first_slot[i] + k;
      ASSERT_LT(slot, taken.size());
      EXPECT_FALSE(taken[slot]);
      taken[slot] = true;
    }
  }
  EXPECT_EQ(taken, std::vector<bool>(6, true)) << "five inputs and the fetch's";
}

// A constant needs no node unless it waits for something or somebody waits for its arrival.
TEST(PlanMemory, KeepsConstantsWhereTheyAreUsed) {
  TestGraph graph;
  graph.Add("n", "NoOp");
  graph.Float("free", 1);
  graph.Float("bound", 1, {"^n"});
  graph.Float("merged", 1);
  graph.Merge("merge", kFloat, {"merged"}, 1);
  graph.Op("sum", "Add", kFloat, {"free", "bound"});
  graph.Op("all", "Add", kFloat, {"sum", "merge"});
  const StepGraph step = PruneFor(graph, {}, {"all"});
  EXPECT_TRUE(IsResident(step, "free"));
  EXPECT_FALSE(IsResident(step, "bound"));
  EXPECT_FALSE(IsResident(step, "merged"));
}

}  // namespace
}  // namespace plumb::fast
