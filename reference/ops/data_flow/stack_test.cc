#include <gtest/gtest.h>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

const AttrMap kFloat = {{"T", DType::kFloat}};

TestGraph Pushdown(int max_size) {
  TestGraph graph;
  graph.Const("max", max_size).Const<float>("one", 1).Const<float>("two", 2);
  graph.Add("s", "StackV2", {"max"}, {{"elem_type", DType::kFloat}});
  graph.Add("push1", "StackPushV2", {"s", "one"}, kFloat);
  graph.Add("push2", "StackPushV2", {"s", "two", "^push1"}, kFloat);
  graph.Add("pop2", "StackPopV2", {"s", "^push2"}, {{"elem_type", DType::kFloat}});
  graph.Add("pop1", "StackPopV2", {"s", "^pop2"}, {{"elem_type", DType::kFloat}});
  graph.Add("pop0", "StackPopV2", {"s", "^pop1"}, {{"elem_type", DType::kFloat}});
  graph.Add("close", "StackCloseV2", {"s", "^pop1"});
  graph.Add("close2", "StackCloseV2", {"s", "^close"});
  graph.Add("late", "StackPopV2", {"s", "^close"}, {{"elem_type", DType::kFloat}});
  graph.Add("pop_int", "StackPopV2", {"s", "^push2"}, {{"elem_type", DType::kInt32}});
  return graph;
}

TEST(Stack, GivesBackInReverse) {
  TestSession session(Pushdown(-1));
  const RunResult result = session.Run({"pop2", "pop1", "push2"});
  EXPECT_EQ(result.scalar<float>(0), 2);
  EXPECT_EQ(result.scalar<float>(1), 1);
  EXPECT_EQ(result.scalar<float>(2), 2);
  EXPECT_EQ(session.Run({"pop0"}).code(), Code::kInvalidArgument);  // empty
  EXPECT_EQ(session.Run({"late"}).code(), Code::kInvalidArgument);  // closed
  EXPECT_EQ(session.Run({"pop_int"}).code(), Code::kInternal);      // T5: another type
  EXPECT_EQ(session.Run({}, {}, {"close2"}).code(), Code::kOk);
}

TEST(Stack, HasRoomForItsMaxSize) {
  EXPECT_EQ(TestSession(Pushdown(2)).Run({"push2"}).code(), Code::kOk);
  EXPECT_EQ(TestSession(Pushdown(1)).Run({"push2"}).code(), Code::kInvalidArgument);
}

TEST(Stack, TheOldFormNamesItByReference) {
  TestGraph graph;
  graph.Const<float>("one", 1).Add("s", "Stack", {}, {{"elem_type", DType::kFloat}});
  graph.Add("push", "StackPush", {"s", "one"}, kFloat);
  graph.Add("pop", "StackPop", {"s", "^push"}, {{"elem_type", DType::kFloat}});
  EXPECT_EQ(TestSession(graph).Run({"pop"}).scalar<float>(), 1);
}

}  // namespace
}  // namespace plumb::reference
