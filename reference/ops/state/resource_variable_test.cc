#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;

const AttrMap kInt = {{"T", DType::kInt32}};
const AttrMap kIntType = {{"dtype", DType::kInt32}};

TEST(ResourceVariables, AHandleTakesAnyName) {  // R2
  TestGraph graph;
  graph.Add("h", "VarHandleOp", {},
            {{"dtype", DType::kInt32}, {"shape", PartialShape()}, {"shared_name", "_s"}, {"container", "!"}});
  graph.Const("one", 1).Add("assign", "AssignVariableOp", {"h", "one"}, kIntType);
  graph.Add("read", "ReadVariableOp", {"h"}, kIntType);
  TestSession session(graph);
  ASSERT_EQ(session.Run({}, {}, {"assign"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({"read"}).scalar<int32_t>(), 1);
}

TestGraph ResourceVariable() {
  TestGraph graph;
  const AttrMap handle = {{"dtype", DType::kInt32}, {"shape", PartialShape()}};
  graph.Add("h", "VarHandleOp", {}, handle).Add("same", "VarHandleOp", {}, handle);
  graph.Add("x", "Placeholder", {}, kIntType).Add("i", "Placeholder", {}, kIntType);
  graph.Add("assign", "AssignVariableOp", {"h", "x"}, kIntType).Add("add", "AssignAddVariableOp", {"h", "x"}, kIntType);
  graph.Add("read", "ReadVariableOp", {"same"}, kIntType);
  graph.Add("read_float", "ReadVariableOp", {"h"}, {{"dtype", DType::kFloat}});
  graph.Add("has", "VarIsInitializedOp", {"h"});
  graph.Add("gather", "ResourceGather", {"h", "i"}, {{"dtype", DType::kInt32}, {"Tindices", DType::kInt32}});
  graph.Add("old", "Identity", {"read"}, kInt);
  graph.Add("then", "AssignVariableOp", {"h", "x", "^read"}, kIntType);
  graph.Add("late", "Identity", {"read", "^then"}, kInt);
  return graph;
}

TEST(ResourceVariables, ExistOnceAssigned) {
  TestSession session(ResourceVariable());
  const std::vector<Feed> x = {{"x", MakeVector<int32_t>({5, 6})}};
  EXPECT_FALSE(session.Run({"has"}).scalar<bool>());
  EXPECT_EQ(session.Run({"read"}).code(), Code::kFailedPrecondition);  // R42
  EXPECT_EQ(session.Run({}, x, {"add"}).code(), Code::kNotFound);      // R43
  ASSERT_EQ(session.Run({}, x, {"assign"}).code(), Code::kOk);
  EXPECT_TRUE(session.Run({"has"}).scalar<bool>());
  EXPECT_THAT(Ints(session.Run({"read"})), ElementsAre(5, 6));  // R3: empty shared names are one variable
  ASSERT_EQ(session.Run({}, x, {"add"}).code(), Code::kOk);
  EXPECT_THAT(Ints(session.Run({"read"})), ElementsAre(10, 12));
  EXPECT_EQ(session.Run({"read_float"}).code(), Code::kInvalidArgument);
  ASSERT_EQ(session.Run({}, {{"x", MakeScalar<int32_t>(1)}}, {"assign"}).code(), Code::kOk);  // R41: any shape
  EXPECT_EQ(session.Run({"read"}).scalar<int32_t>(), 1);
}

TEST(ResourceVariables, TheTypeOfAVariableIsItsOwnAndNotItsHandles) {  // R7
  TestGraph graph;
  const AttrMap floats = {{"dtype", DType::kFloat}};
  graph.Add("says_float", "VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape()}});
  graph.Add("says_int", "VarHandleOp", {}, {{"dtype", DType::kInt32}, {"shape", PartialShape()}});
  graph.Const("one", 1).Const("half", 0.5F);
  graph.Add("assign", "AssignVariableOp", {"says_float", "one"}, kIntType);
  graph.Add("assign_half", "AssignVariableOp", {"says_float", "half"}, floats);
  graph.Add("read", "ReadVariableOp", {"says_float"}, kIntType).Add("same", "ReadVariableOp", {"says_int"}, kIntType);
  graph.Add("read_float", "ReadVariableOp", {"says_float"}, floats);
  TestSession session(graph);
  EXPECT_EQ(session.Run({"read"}).code(), Code::kFailedPrecondition);
  ASSERT_EQ(session.Run({}, {}, {"assign"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({"read"}).scalar<int32_t>(), 1);
  EXPECT_EQ(session.Run({"same"}).scalar<int32_t>(), 1);
  EXPECT_EQ(session.Run({"read_float"}).code(), Code::kInvalidArgument);
  EXPECT_EQ(session.Run({}, {}, {"assign_half"}).code(), Code::kInvalidArgument);
}

TEST(ResourceVariables, GatherTakesRows) {
  TestSession session(ResourceVariable());
  EXPECT_EQ(session.Run({"gather"}, {{"i", MakeVector<int32_t>({0})}}).code(), Code::kNotFound);  // R44
  ASSERT_EQ(session.Run({}, {{"x", MakeTensor<int32_t>({2, 2}, {1, 2, 3, 4})}}, {"assign"}).code(), Code::kOk);
  EXPECT_THAT(Ints(session.Run({"gather"}, {{"i", MakeVector<int32_t>({1, 0})}})), ElementsAre(3, 4, 1, 2));
  EXPECT_EQ(session.Run({"gather"}, {{"i", MakeVector<int32_t>({2})}}).code(), Code::kInvalidArgument);
  ASSERT_EQ(session.Run({}, {{"x", MakeTensor<int32_t>({2, 0}, {})}}, {"assign"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({"gather"}, {{"i", MakeVector<int32_t>({2})}}).code(), Code::kInvalidArgument) << "empty rows";
}

TEST(ResourceVariables, AReadIsASnapshot) {
  TestSession session(ResourceVariable());
  ASSERT_EQ(session.Run({}, {{"x", MakeScalar<int32_t>(1)}}, {"assign"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({"late"}, {{"x", MakeScalar<int32_t>(2)}}).scalar<int32_t>(), 1);
  EXPECT_EQ(session.Run({"read"}).scalar<int32_t>(), 2);
}

// The name can be assigned anew, also by a step that has had the handle since before: another variable, which knows
// nothing of the one that is gone, neither its value nor its type.
TEST(ResourceVariables, OneThatWasDestroyedIsNotRevived) {  // R41, R47
  const AttrMap floats = {{"dtype", DType::kFloat}};
  const std::vector<Feed> x = {{"x", MakeVector<int32_t>({5, 6})}};
  TestGraph graph = ResourceVariable();
  graph.Const("half", 0.5F).Add("destroy", "DestroyResourceOp", {"h", "^read"}, {{"ignore_lookup_error", true}});
  graph.Add("strict", "DestroyResourceOp", {"h"}, {{"ignore_lookup_error", false}});
  graph.Add("update_late", "AssignAddVariableOp", {"h", "x", "^destroy"}, kIntType);
  graph.Add("gone", "VarIsInitializedOp", {"h", "^destroy"});
  graph.Add("anew", "AssignVariableOp", {"h", "half", "^gone"}, floats);
  graph.Add("kept", "Identity", {"read", "^anew"}, kInt);
  TestSession session(graph);
  EXPECT_EQ(session.Run({}, {}, {"strict"}).code(), Code::kNotFound);
  ASSERT_EQ(session.Run({}, x, {"assign"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({}, x, {"update_late"}).code(), Code::kNotFound);
  EXPECT_EQ(session.Run({"read"}).code(), Code::kFailedPrecondition);
  ASSERT_EQ(session.Run({}, x, {"assign"}).code(), Code::kOk);
  const RunResult kept = session.Run({"kept", "gone"});
  EXPECT_THAT(Ints(kept), ElementsAre(5, 6)) << "what was read before stays";
  EXPECT_FALSE(kept.scalar<bool>(1));
  EXPECT_EQ(session.Run({"read"}).code(), Code::kInvalidArgument) << "it holds a float now";
  EXPECT_EQ(session.Run({}, x, {"assign"}).code(), Code::kInvalidArgument);
  EXPECT_EQ(session.Run({"read_float"}).scalar<float>(), 0.5F);
  EXPECT_EQ(session.Run({}, {}, {"strict"}).code(), Code::kOk);
  EXPECT_FALSE(session.Run({"has"}).scalar<bool>());
}

TEST(ResourceVariables, AreUpdatedByFtrlWithShrinkage) {  // R66: z = g and √n = 3, without penalties
  const AttrMap type = {{"dtype", DType::kFloat}};
  TestGraph graph;
  for (const std::string name : {"v", "n", "z"}) {
    graph.Add(name, "VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape()}, {"shared_name", name}});
    graph.Add("zero_" + name, "AssignVariableOp", {name, "zero"}, type);
  }
  graph.Const("zero", 0.0f).Const("one", 1.0f).Const("g", 3.0f).Const("power", -0.5f);
  graph.Add("update", "ResourceApplyFtrlV2", {"v", "n", "z", "g", "one", "zero", "zero", "zero", "power"},
            {{"T", DType::kFloat}});
  graph.Add("read", "ReadVariableOp", {"v"}, type);
  TestSession session(graph);
  ASSERT_EQ(session.Run({}, {}, {"zero_v", "zero_n", "zero_z"}).code(), Code::kOk);
  ASSERT_EQ(session.Run({}, {}, {"update"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({"read"}).scalar<float>(), -1);
}

}  // namespace
}  // namespace plumb::reference
