// What comes out of queues of other kinds (rules Q40–Q42).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<DType> kFloats = {DType::kFloat};
const std::vector<PartialShape> kScalars = {PartialShape(Shape())};

class Steps {
 public:
  explicit Steps(const TestGraph& graph) : session_(NewFastSession({.threads = 2})) {
    EXPECT_TRUE(session_->Extend(graph.def()).ok());
  }
  Code Run(const std::string& op) {
    const std::vector<std::string> none, targets = {op};
    std::vector<Tensor> outputs;
    const RunOptions limit = {.timeout_ms = 60'000};
    return session_->Run(limit, {}, none, targets, &outputs, nullptr).code();
  }
  // Nothing if the step fails.
  std::vector<float> Floats(const std::string& fetch) {
    const std::vector<std::string> none, fetches = {fetch};
    std::vector<Tensor> outputs;
    const RunOptions limit = {.timeout_ms = 60'000};
    if (!session_->Run(limit, {}, fetches, none, &outputs, nullptr).ok()) return {};
    const auto floats = outputs.at(0).data<float>();
    return {floats.begin(), floats.end()};
  }

 private:
  std::unique_ptr<Session> session_;
};

void AddTakers(TestGraph& graph, const std::vector<DType>& types) {
  graph.Const("two", MakeScalar<int32_t>(2));
  graph.Const("five", MakeScalar<int32_t>(5));
  graph.Add("take", "QueueDequeueV2", {"q"}, {{"component_types", types}});
  graph.Add("take2", "QueueDequeueManyV2", {"q", "two"}, {{"component_types", types}});
  graph.Add("up_to_5", "QueueDequeueUpToV2", {"q", "five"}, {{"component_types", types}});
  graph.Add("close", "QueueCloseV2", {"q"});
}

TEST(QueueKinds, TheStreamOfTheSeedsSaysWhichElementComesNext) {  // Q40, R75
  TestGraph graph;
  graph.Add("q", "RandomShuffleQueueV2", {},
            {{"component_types", kFloats},
             {"shapes", kScalars},
             {"capacity", 10},
             {"min_after_dequeue", 1},
             {"seed", 1},
             {"seed2", 2}});
  graph.Const("rows", MakeVector<float>({10, 20, 30, 40, 50}));
  graph.Add("put", "QueueEnqueueManyV2", {"q", "rows"}, {{"Tcomponents", kFloats}});
  AddTakers(graph, kFloats);
  Steps steps(graph);
  EXPECT_EQ(steps.Run("put"), Code::kOk);
  EXPECT_THAT(steps.Floats("take2"), ElementsAre(50, 40));
  EXPECT_THAT(steps.Floats("take"), ElementsAre(10));
  EXPECT_EQ(steps.Run("close"), Code::kOk);
  EXPECT_THAT(steps.Floats("up_to_5"), ElementsAre(20, 30));
  EXPECT_THAT(steps.Floats("take"), IsEmpty());
}

TEST(QueueKinds, ElementsOfDifferentLengthArePadded) {  // Q41
  TestGraph graph;
  graph.Add("q", "PaddingFIFOQueueV2", {},
            {{"component_types", kFloats}, {"shapes", std::vector<PartialShape>{PartialShape({-1})}}});
  graph.Const("one", MakeVector<float>({1}));
  graph.Const("three", MakeVector<float>({2, 3, 4}));
  graph.Add("put1", "QueueEnqueueV2", {"q", "one"}, {{"Tcomponents", kFloats}});
  graph.Add("put3", "QueueEnqueueV2", {"q", "three"}, {{"Tcomponents", kFloats}});
  AddTakers(graph, kFloats);
  Steps steps(graph);
  for (const char* put : {"put1", "put3", "put1"}) EXPECT_EQ(steps.Run(put), Code::kOk);
  EXPECT_THAT(steps.Floats("take2"), ElementsAre(1, 0, 0, 2, 3, 4));
  EXPECT_THAT(steps.Floats("take"), ElementsAre(1));
}

TEST(QueueKinds, TheSmallestPriorityComesFirst) {  // Q42
  TestGraph graph;
  const std::vector<DType> types = {DType::kInt64, DType::kFloat};
  graph.Add("q", "PriorityQueueV2", {}, {{"component_types", kFloats}, {"shapes", kScalars}});
  graph.Const("priorities", MakeVector<int64_t>({3, -1, 2}));
  graph.Const("rows", MakeVector<float>({30, -10, 20}));
  graph.Add("put", "QueueEnqueueManyV2", {"q", "priorities", "rows"}, {{"Tcomponents", types}});
  AddTakers(graph, types);
  Steps steps(graph);
  EXPECT_EQ(steps.Run("put"), Code::kOk);
  EXPECT_THAT(steps.Floats("take2:1"), ElementsAre(-10, 20));
  EXPECT_THAT(steps.Floats("take:1"), ElementsAre(30));
  EXPECT_EQ(steps.Run("put"), Code::kOk);
  EXPECT_EQ(steps.Run("close"), Code::kOk);
  EXPECT_EQ(steps.Run("up_to_5"), Code::kOutOfRange) << "what it takes is lost";
  EXPECT_EQ(steps.Run("take2"), Code::kOutOfRange);
}

TEST(QueueKinds, APriorityQueueSaysItsShapes) {  // Q42
  for (const std::vector<DType>& types : {kFloats, std::vector<DType>()}) {
    TestGraph graph;
    graph.Add("q", "PriorityQueueV2", {}, {{"component_types", types}, {"shapes", std::vector<PartialShape>()}});
    graph.Add("size", "QueueSizeV2", {"q"});
    EXPECT_EQ(Steps(graph).Run("size"), Code::kInvalidArgument);
  }
}

TEST(QueueKinds, OfSeveralNumbersToTakeTheFirstCounts) {  // Q21
  TestGraph graph;
  graph.Add("q", "FIFOQueueV2", {}, {{"component_types", kFloats}, {"shapes", kScalars}});
  graph.Const("rows", MakeVector<float>({1, 2, 3}));
  graph.Const("n", MakeVector<int32_t>({2, 7}));
  graph.Const("nothing", MakeVector<int32_t>({}));
  graph.Add("put", "QueueEnqueueManyV2", {"q", "rows"}, {{"Tcomponents", kFloats}});
  graph.Add("take", "QueueDequeueManyV2", {"q", "n"}, {{"component_types", kFloats}});
  graph.Add("take_nothing", "QueueDequeueUpToV2", {"q", "nothing"}, {{"component_types", kFloats}});
  Steps steps(graph);
  EXPECT_EQ(steps.Run("put"), Code::kOk);
  EXPECT_THAT(steps.Floats("take"), ElementsAre(1, 2));
  EXPECT_EQ(steps.Run("take_nothing"), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
