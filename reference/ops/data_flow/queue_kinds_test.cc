// What queues of other kinds do differently from a FIFOQueue (rules Q40–Q42).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/state/queue_testing.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;

constexpr float kOutOfRange = -11;
const std::vector<DType> kFloats = {DType::kFloat};
const std::vector<PartialShape> kScalars = {PartialShape(Shape())};

TestGraph WithTakers(TestGraph graph, const std::vector<DType>& types) {
  graph.Const("two", 2).Const("five", 5);
  graph.Add("take", "QueueDequeueV2", {"q"}, {{"component_types", types}});
  graph.Add("take2", "QueueDequeueManyV2", {"q", "two"}, {{"component_types", types}});
  graph.Add("up_to_5", "QueueDequeueUpToV2", {"q", "five"}, {{"component_types", types}});
  graph.Add("close", "QueueCloseV2", {"q"}).Add("size", "QueueSizeV2", {"q"});
  return graph;
}

TestGraph Shuffled(int min_after_dequeue) {
  TestGraph graph;
  graph.Add("q", "RandomShuffleQueueV2", {},
            {{"component_types", kFloats},
             {"shapes", kScalars},
             {"capacity", 10},
             {"min_after_dequeue", min_after_dequeue},
             {"seed", 1},
             {"seed2", 2}});
  graph.Value("rows", MakeVector<float>({10, 20, 30, 40, 50}));
  graph.Add("put", "QueueEnqueueManyV2", {"q", "rows"}, {{"Tcomponents", kFloats}});
  return WithTakers(std::move(graph), kFloats);
}

TEST(QueueKinds, TheStreamOfTheSeedsSaysWhichElementComesNext) {  // Q40, R75
  QueueWorld steps(Shuffled(0));
  EXPECT_EQ(steps.CodeOf(steps.Run("put")), Code::kOk);
  EXPECT_THAT(steps.Floats(steps.Fetch("take2")), ElementsAre(50, 40));
  EXPECT_THAT(steps.Floats(steps.Fetch("take")), ElementsAre(10));
}

TEST(QueueKinds, SomeElementsStayWhileTheQueueIsOpen) {  // Q40
  QueueWorld steps(Shuffled(4));
  EXPECT_EQ(steps.CodeOf(steps.Run("put")), Code::kOk);
  const StepId two = steps.Fetch("take2");
  EXPECT_TRUE(steps.Waits(two));
  EXPECT_EQ(steps.size(), 4);
  EXPECT_EQ(steps.CodeOf(steps.Run("close")), Code::kOk);
  EXPECT_THAT(steps.Floats(two), ElementsAre(50, 40));
  EXPECT_EQ(steps.Floats(steps.Fetch("up_to_5")).size(), 3u);
  EXPECT_THAT(steps.Floats(steps.Fetch("take")), ElementsAre(kOutOfRange));
}

TEST(QueueKinds, ElementsOfDifferentLengthArePadded) {  // Q41
  TestGraph graph;
  const std::vector<PartialShape> rows = {PartialShape({-1})};
  graph.Add("q", "PaddingFIFOQueueV2", {}, {{"component_types", kFloats}, {"shapes", rows}});
  graph.Value("one", MakeVector<float>({1})).Value("three", MakeVector<float>({2, 3, 4}));
  graph.Add("put1", "QueueEnqueueV2", {"q", "one"}, {{"Tcomponents", kFloats}});
  graph.Add("put3", "QueueEnqueueV2", {"q", "three"}, {{"Tcomponents", kFloats}});
  QueueWorld steps(WithTakers(std::move(graph), kFloats));
  for (const char* put : {"put1", "put3", "put1"}) EXPECT_EQ(steps.CodeOf(steps.Run(put)), Code::kOk);
  EXPECT_THAT(steps.Floats(steps.Fetch("take2")), ElementsAre(1, 0, 0, 2, 3, 4));
  EXPECT_THAT(steps.Floats(steps.Fetch("take")), ElementsAre(1));
}

TEST(QueueKinds, TheSmallestPriorityComesFirst) {  // Q42
  TestGraph graph;
  const std::vector<DType> types = {DType::kInt64, DType::kFloat};
  graph.Add("q", "PriorityQueueV2", {}, {{"component_types", kFloats}, {"shapes", kScalars}});
  graph.Value("priorities", MakeVector<int64_t>({3, -1, 2})).Value("rows", MakeVector<float>({30, -10, 20}));
  graph.Add("put", "QueueEnqueueManyV2", {"q", "priorities", "rows"}, {{"Tcomponents", types}});
  QueueWorld steps(WithTakers(std::move(graph), types));
  EXPECT_EQ(steps.CodeOf(steps.Run("put")), Code::kOk);
  EXPECT_THAT(steps.Floats(steps.Fetch("take2:1")), ElementsAre(-10, 20));
  EXPECT_TRUE(steps.Waits(steps.Fetch("take2:1")));
  EXPECT_EQ(steps.size(), 1);  // nothing is held
}

TEST(QueueKinds, APriorityQueueSaysItsShapes) {  // Q42
  for (const std::vector<DType>& types : {kFloats, std::vector<DType>()}) {
    TestGraph graph;
    graph.Add("q", "PriorityQueueV2", {}, {{"component_types", types}, {"shapes", std::vector<PartialShape>()}});
    graph.Add("size", "QueueSizeV2", {"q"});
    EXPECT_EQ(TestSession(graph).Run({"size"}).code(), Code::kInvalidArgument);
  }
}

TEST(QueueKinds, OfSeveralNumbersToTakeTheFirstCounts) {  // Q21
  TestGraph graph;
  graph.Add("q", "FIFOQueueV2", {}, {{"component_types", kFloats}, {"shapes", kScalars}});
  graph.Value("rows", MakeTensor<float>({3}, {1, 2, 3}));
  graph.Value("n", MakeTensor<int32_t>({2}, {2, 7}));
  graph.Value("nothing", MakeTensor<int32_t>({0}, {}));
  graph.Add("put", "QueueEnqueueManyV2", {"q", "rows"}, {{"Tcomponents", kFloats}});
  graph.Add("take", "QueueDequeueManyV2", {"q", "n"}, {{"component_types", kFloats}});
  graph.Add("take_nothing", "QueueDequeueUpToV2", {"q", "nothing"}, {{"component_types", kFloats}});
  QueueWorld steps(graph);
  EXPECT_EQ(steps.CodeOf(steps.Run("put")), Code::kOk);
  EXPECT_THAT(steps.Floats(steps.Fetch("take")), ElementsAre(1, 2));
  EXPECT_EQ(steps.CodeOf(steps.Run("take_nothing")), Code::kInvalidArgument);
}

TEST(QueueKinds, HaveHandlesOfTwoStringsToo) {
  TestGraph graph;
  const std::vector<PartialShape> scalars = {PartialShape(Shape())};
  graph.Add("padding", "PaddingFIFOQueue", {}, {{"component_types", kFloats}, {"shapes", scalars}});
  graph.Add("random", "RandomShuffleQueue", {}, {{"component_types", kFloats}, {"shapes", scalars}});
  graph.Const("x", 7.0f);
  for (const std::string name : {"padding", "random"}) {
    graph.Add("put_" + name, "QueueEnqueue", {name, "x"}, {{"Tcomponents", kFloats}});
    graph.Add("take_" + name, "QueueDequeue", {name}, {{"component_types", kFloats}});
  }
  graph.Add("sorted", "PriorityQueue", {}, {{"component_types", kFloats}, {"shapes", scalars}});
  graph.Value("first", MakeScalar<int64_t>(1));
  graph.Add("put_sorted", "QueueEnqueue", {"sorted", "first", "x"},
            {{"Tcomponents", std::vector<DType>{DType::kInt64, DType::kFloat}}});
  QueueWorld steps(graph);
  for (const std::string name : {"padding", "random"}) {
    EXPECT_EQ(steps.CodeOf(steps.Run("put_" + name)), Code::kOk) << name;
    EXPECT_THAT(steps.Floats(steps.Fetch("take_" + name)), ElementsAre(7)) << name;
  }
  EXPECT_EQ(steps.CodeOf(steps.Run("put_sorted")), Code::kOk);
}

}  // namespace
}  // namespace plumb::reference
