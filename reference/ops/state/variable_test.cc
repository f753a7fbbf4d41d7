#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;

const AttrMap kInt = {{"T", DType::kInt32}};
const AttrMap kIntType = {{"dtype", DType::kInt32}};

TestGraph Counters(const Shape& shape) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"shape", PartialShape(shape)}, {"dtype", DType::kInt32}});
  graph.Add("x", "Placeholder", {}, kIntType);
  graph.Add("assign", "Assign", {"v", "x"}, kInt);
  graph.Add("reshape", "Assign", {"v", "x"}, {{"T", DType::kInt32}, {"validate_shape", false}});
  graph.Add("add", "AssignAdd", {"v", "x"}, kInt).Add("sub", "AssignSub", {"v", "x"}, kInt);
  graph.Add("i", "Placeholder", {}, kIntType);
  const AttrMap scatter = {{"T", DType::kInt32}, {"Tindices", DType::kInt32}};
  graph.Add("scatter_add", "ScatterAdd", {"v", "i", "x"}, scatter);
  graph.Add("scatter_sub", "ScatterSub", {"v", "i", "x"}, scatter);
  graph.Add("count", "CountUpTo", {"v"}, {{"T", DType::kInt32}, {"limit", 2}});
  return graph;
}

TEST(RefVariables, AssignChecksShapesUnlessToldNotTo) {
  TestSession session(Counters({2}));
  const std::vector<Feed> two = {{"x", MakeVector<int32_t>({1, 2})}}, three = {{"x", MakeVector<int32_t>({1, 2, 3})}};
  EXPECT_EQ(session.Run({"assign"}, three).code(), Code::kInvalidArgument);  // R20, against the declared shape
  EXPECT_EQ(session.Run({"v"}).code(), Code::kFailedPrecondition);
  EXPECT_THAT(Ints(session.Run({"assign"}, two)), ElementsAre(1, 2));
  EXPECT_EQ(session.Run({"assign"}, three).code(), Code::kInvalidArgument);
  EXPECT_THAT(Ints(session.Run({"v"})), ElementsAre(1, 2));
  EXPECT_THAT(Ints(session.Run({"reshape"}, three)), ElementsAre(1, 2, 3));
  EXPECT_THAT(Ints(session.Run({"assign"}, three)), ElementsAre(1, 2, 3));
}

TEST(RefVariables, UpdatesDoNotBroadcast) {
  TestSession session(Counters({2}));
  const std::vector<Feed> two = {{"x", MakeVector<int32_t>({3, 4})}};
  EXPECT_EQ(session.Run({"add"}, two).code(), Code::kFailedPrecondition);  // R22
  ASSERT_EQ(session.Run({"assign"}, two).code(), Code::kOk);
  EXPECT_THAT(Ints(session.Run({"add"}, two)), ElementsAre(6, 8));
  EXPECT_THAT(Ints(session.Run({"sub"}, {{"x", MakeVector<int32_t>({1, 1})}})), ElementsAre(5, 7));
  EXPECT_EQ(session.Run({"add"}, {{"x", MakeScalar<int32_t>(1)}}).code(), Code::kInvalidArgument);
}

TEST(RefVariables, ScatterTakesEveryUpdateInOrder) {
  TestSession session(Counters({3}));
  ASSERT_EQ(session.Run({"assign"}, {{"x", MakeVector<int32_t>({10, 20, 30})}}).code(), Code::kOk);
  const Tensor repeated = MakeVector<int32_t>({2, 0, 2});
  const Tensor changes = MakeVector<int32_t>({1, 2, 4});
  EXPECT_THAT(Ints(session.Run({"scatter_add"}, {{"i", repeated}, {"x", changes}})), ElementsAre(12, 20, 35));
  EXPECT_THAT(Ints(session.Run({"scatter_sub"}, {{"i", repeated}, {"x", MakeScalar<int32_t>(5)}})),
              ElementsAre(7, 20, 25));  // R23: a scalar goes to every row named
  EXPECT_EQ(session.Run({"scatter_add"}, {{"i", MakeVector<int32_t>({3})}, {"x", MakeVector<int32_t>({1})}}).code(),
            Code::kInvalidArgument);
  EXPECT_EQ(session.Run({"scatter_add"}, {{"i", repeated}, {"x", MakeVector<int32_t>({1})}}).code(),
            Code::kInvalidArgument);
  const Tensor none(DType::kInt32, {0});
  EXPECT_THAT(Ints(session.Run({"scatter_add"}, {{"i", none}, {"x", none}})), ElementsAre(7, 20, 25));
}

TEST(RefVariables, IndicesOfAScatterHaveANumberAtLeast) {  // R24, DoScatterNd
  TestGraph graph = Counters({2});
  graph.Add("nd", "ScatterNdAdd", {"v", "i", "x"}, {{"T", DType::kInt32}, {"Tindices", DType::kInt32}});
  TestSession session(graph);
  ASSERT_EQ(session.Run({"assign"}, {{"x", MakeVector<int32_t>({3, 4})}}).code(), Code::kOk);
  const Tensor column = MakeTensor<int32_t>({1, 1}, {1}), whole = MakeTensor<int32_t>({1, 0}, {});
  EXPECT_THAT(Ints(session.Run({"nd"}, {{"i", column}, {"x", MakeVector<int32_t>({5})}})), ElementsAre(3, 9));
  EXPECT_EQ(session.Run({"nd"}, {{"i", whole}, {"x", MakeTensor<int32_t>({1, 2}, {5, 6})}}).code(),
            Code::kInvalidArgument);
}

TEST(RefVariables, ScatterOfAVariablesOwnRowsShowsWhatWasWrittenBefore) {  // R23
  TestGraph graph = Counters({3});
  graph.Add("own", "ScatterAdd", {"v", "i", "v"}, {{"T", DType::kInt32}, {"Tindices", DType::kInt32}});
  TestSession session(graph);
  ASSERT_EQ(session.Run({"assign"}, {{"x", MakeVector<int32_t>({1, 2, 3})}}).code(), Code::kOk);
  EXPECT_THAT(Ints(session.Run({"own"}, {{"i", MakeVector<int32_t>({1, 2, 0})}})), ElementsAre(7, 3, 6));
}

TEST(RefVariables, CountUpToStopsAtItsLimit) {
  TestSession session(Counters({}));
  ASSERT_EQ(session.Run({"assign"}, {{"x", MakeScalar<int32_t>(0)}}).code(), Code::kOk);
  EXPECT_EQ(session.Run({"count"}).scalar<int32_t>(), 0);
  EXPECT_EQ(session.Run({"count"}).scalar<int32_t>(), 1);
  EXPECT_EQ(session.Run({"count"}).code(), Code::kOutOfRange);  // R25
  EXPECT_EQ(session.Run({"v"}).scalar<int32_t>(), 2);
}

TEST(RefVariables, NamesAndTypesDecideWhichVariableItIs) {
  TestGraph graph;
  const auto variable = [&](std::string name, std::string shared, std::string container, DType dtype) {
    graph.Add(std::move(name), "VariableV2", {},
              {{"shape", PartialShape(Shape())}, {"dtype", dtype}, {"shared_name", shared}, {"container", container}});
  };
  variable("a", "s", "", DType::kInt32);
  variable("b", "s", "", DType::kInt32);
  variable("c", "s", "other", DType::kInt32);
  variable("d", "s", "", DType::kFloat);
  variable("e", "", "", DType::kInt32);
  variable("bad", "s", "!", DType::kInt32);
  graph.Const("one", 1).Add("assign", "Assign", {"a", "one"}, kInt);
  TestSession session(graph);
  ASSERT_EQ(session.Run({"assign"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({"b"}).scalar<int32_t>(), 1);
  EXPECT_EQ(session.Run({"c"}).code(), Code::kFailedPrecondition);
  EXPECT_EQ(session.Run({"d"}).code(), Code::kInternal);  // R4
  EXPECT_EQ(session.Run({"e"}).code(), Code::kFailedPrecondition);
  EXPECT_EQ(session.Run({"bad"}).code(), Code::kInvalidArgument);  // R2
}

}  // namespace
}  // namespace plumb::reference
