#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/state/queue_testing.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// What Floats gives for a step that failed.
constexpr float kCancelled = -1, kOutOfRange = -11;

QueueGraph Ops(int capacity) {
  QueueGraph graph(capacity);
  graph.Put("put1", 1).Put("put2", 2).Put("put3", 3).PutMany("put123", {1, 2, 3}).PutMany("put12345", {1, 2, 3, 4, 5});
  graph.PutMany("put0", {}).Take("take").TakeMany("take0", 0).TakeMany("take2", 2).TakeMany("take3", 3);
  graph.TakeMany("take5", 5).TakeUpTo("up_to_3", 3).TakeUpTo("up_to_5", 5).TakeMany("take_less", -1);
  return graph;
}

TEST(Queue, GivesOutInTheOrderOfPuttingIn) {  // Q1, Q6, Q21
  QueueWorld steps(Ops(10));
  for (const char* put : {"put1", "put2", "put123"}) EXPECT_EQ(steps.CodeOf(steps.Run(put)), Code::kOk);
  EXPECT_EQ(steps.size(), 5);
  EXPECT_THAT(steps.Floats(steps.Fetch("take")), ElementsAre(1));
  EXPECT_THAT(steps.Floats(steps.Fetch("take3")), ElementsAre(2, 1, 2));
  EXPECT_EQ(steps.size(), 1);
  EXPECT_EQ(steps.CodeOf(steps.Fetch("take_less")), Code::kInvalidArgument);
  EXPECT_THAT(steps.Floats(steps.Fetch("take0")), IsEmpty());
}

TEST(Queue, WhoPutsIntoAFullQueueWaits) {  // Q10
  QueueWorld steps(Ops(1));
  steps.CodeOf(steps.Run("put1"));
  const StepId second = steps.Run("put2"), third = steps.Run("put3");
  EXPECT_EQ(steps.world->waiting().at(0).waits_for, "queue 'q': room, it holds 1 of 1");
  EXPECT_THAT(steps.Floats(steps.Fetch("take")), ElementsAre(1));
  EXPECT_EQ(steps.CodeOf(second), Code::kOk);
  EXPECT_TRUE(steps.Waits(third));
  EXPECT_THAT(steps.Floats(steps.Fetch("take2")), ElementsAre(2, 3));
  EXPECT_EQ(steps.CodeOf(third), Code::kOk);
}

TEST(Queue, WhoTakesFromAnEmptyQueueWaits) {  // Q20, Q25
  QueueWorld steps(Ops(10));
  const StepId many = steps.Fetch("take3"), one = steps.Fetch("take");
  steps.CodeOf(steps.Run("put1"));
  EXPECT_EQ(ToString(steps.world->waiting()),
            "step 1: node 'take3' (QueueDequeueManyV2) waits for queue 'q': 3 elements wanted, 1 there; step 2: node "
            "'take' (QueueDequeueV2) waits for queue 'q': 1 element wanted, 0 there");
  EXPECT_EQ(steps.size(), 0);  // the attempt holds it
  steps.CodeOf(steps.Run("put123"));
  EXPECT_THAT(steps.Floats(many), ElementsAre(1, 1, 2));
  EXPECT_THAT(steps.Floats(one), ElementsAre(3));
}

TEST(Queue, MoreMayGoThroughThanItHolds) {  // Q11, Q21
  QueueWorld steps(Ops(2));
  const StepId put = steps.Run("put12345");
  EXPECT_EQ(steps.size(), 2);
  EXPECT_TRUE(steps.Waits(put));
  EXPECT_THAT(steps.Floats(steps.Fetch("take5")), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(steps.CodeOf(put), Code::kOk);
}

TEST(Queue, WithoutRoomForAnythingNothingGoesThrough) {
  QueueWorld steps(Ops(0));
  const StepId put = steps.Run("put1"), take = steps.Fetch("take");
  EXPECT_TRUE(steps.Waits(put) && steps.Waits(take));
}

TEST(Queue, WithoutALimitNobodyWaitsForRoom) {
  QueueWorld steps(Ops(-7));
  for (int i = 0; i < 50; ++i) EXPECT_EQ(steps.CodeOf(steps.Run("put123")), Code::kOk);
  EXPECT_EQ(steps.size(), 150);
}

TEST(Queue, AClosedQueueGivesWhatIsLeft) {  // Q10, Q20, Q22, Q23, Q32
  QueueWorld steps(Ops(10));
  steps.CodeOf(steps.Run("put123"));
  EXPECT_FALSE(steps.is_closed());
  EXPECT_EQ(steps.CodeOf(steps.Run("close")), Code::kOk);
  EXPECT_TRUE(steps.is_closed());
  EXPECT_THAT(steps.Floats(steps.Run("put1")), ElementsAre(kCancelled));
  EXPECT_THAT(steps.Floats(steps.Run("put123")), ElementsAre(kCancelled));
  EXPECT_EQ(steps.CodeOf(steps.Run("put0")), Code::kOk);  // Q11
  EXPECT_THAT(steps.Floats(steps.Fetch("take5")), ElementsAre(kOutOfRange));
  EXPECT_THAT(steps.Floats(steps.Fetch("take2")), ElementsAre(1, 2));
  EXPECT_THAT(steps.Floats(steps.Fetch("up_to_3")), ElementsAre(3));
  for (const char* take : {"take", "take2", "up_to_3"}) {
    EXPECT_THAT(steps.Floats(steps.Fetch(take)), ElementsAre(kOutOfRange)) << take;
  }
  EXPECT_THAT(steps.Floats(steps.Fetch("take0")), IsEmpty());
}

TEST(Queue, WhoWaitsLearnsThatItIsClosed) {  // Q22, Q23
  QueueWorld steps(Ops(10));
  const StepId many = steps.Fetch("take5"), up_to = steps.Fetch("up_to_5"), one = steps.Fetch("take");
  steps.CodeOf(steps.Run("put123"));
  EXPECT_EQ(steps.size(), 0);
  steps.CodeOf(steps.Run("close"));
  const StepOutcome outcome = steps.world->Take(many);
  EXPECT_EQ(outcome.status.code(), Code::kOutOfRange);
  EXPECT_THAT(outcome.status.message(), HasSubstr("'q' is closed and has insufficient elements (requested 2, current "
                                                  "size 0)"));
  EXPECT_THAT(steps.Floats(up_to), ElementsAre(1, 2, 3));  // what the other one held, in its order
  EXPECT_THAT(steps.Floats(one), ElementsAre(kOutOfRange));
}

TEST(Queue, CloseWaitsForThoseBeforeIt) {  // Q12, Q30
  QueueWorld steps(Ops(1));
  steps.CodeOf(steps.Run("put1"));
  const StepId before = steps.Run("put2"), close = steps.Run("close"), after = steps.Run("put3"),
               again = steps.Run("close");
  EXPECT_TRUE(steps.Waits(close));
  EXPECT_FALSE(steps.is_closed());
  EXPECT_EQ(steps.world->waiting().at(1).waits_for, "queue 'q': others put elements in first");
  EXPECT_THAT(steps.Floats(steps.Fetch("take")), ElementsAre(1));
  EXPECT_EQ(steps.CodeOf(before), Code::kOk);
  EXPECT_EQ(steps.CodeOf(close), Code::kOk);
  EXPECT_EQ(steps.CodeOf(after), Code::kCancelled);
  EXPECT_EQ(steps.CodeOf(again), Code::kCancelled);
  EXPECT_THAT(steps.Floats(steps.Fetch("take")), ElementsAre(2));
}

TEST(Queue, CloseAtOnceFailsThoseWhoPutIn) {  // Q31
  QueueWorld steps(Ops(2));
  const StepId put = steps.Run("put12345"), close = steps.Run("close");
  EXPECT_EQ(steps.CodeOf(steps.Run("cancel")), Code::kOk);
  EXPECT_EQ(steps.CodeOf(put), Code::kCancelled);
  EXPECT_EQ(steps.CodeOf(close), Code::kCancelled);
  EXPECT_EQ(steps.CodeOf(steps.Run("cancel")), Code::kOk);
  EXPECT_EQ(steps.CodeOf(steps.Run("close")), Code::kCancelled);
  EXPECT_THAT(steps.Floats(steps.Fetch("take2")), ElementsAre(1, 2));  // these stay
  EXPECT_THAT(steps.Floats(steps.Fetch("take")), ElementsAre(kOutOfRange));
}

TEST(Queue, AnEndedStepLosesWhatItHeldAndLeavesWhatItPutIn) {  // Q7, Q11, Q24
  QueueWorld steps(Ops(3));
  const StepId many = steps.Fetch("take5"), behind = steps.Fetch("take");
  steps.CodeOf(steps.Run("put123"));
  steps.world->End(many, Status(Code::kDeadlineExceeded, "time is up"));
  EXPECT_TRUE(steps.Waits(behind));
  EXPECT_EQ(steps.size(), 0);
  const StepId put = steps.Run("put12345");
  EXPECT_THAT(steps.Floats(behind), ElementsAre(1));
  steps.world->End(put, Status(Code::kCancelled, "enough"));
  EXPECT_THAT(steps.Floats(steps.Fetch("take3")), ElementsAre(2, 3, 4));
  EXPECT_EQ(steps.size(), 0);
}

TEST(Queue, AResetLeavesNobodyWaiting) {  // R5, R7
  QueueWorld steps(Ops(1));
  const StepId take = steps.Fetch("take");
  steps.world->Reset({});
  EXPECT_EQ(steps.CodeOf(steps.Run("put1")), Code::kOk);  // into a new queue
  EXPECT_EQ(steps.CodeOf(take), Code::kNotFound);
  EXPECT_EQ(steps.size(), 1);
}

// ---- What is checked -----------------------------------------------------------------------------------------------

const std::vector<DType> kFloat = {DType::kFloat}, kInt = {DType::kInt32};
const std::vector<DType> kPair = {DType::kFloat, DType::kString};

Code CodeOf(TestGraph graph, const std::string& target) { return TestSession(graph).Run({}, {}, {target}).code(); }

TEST(Queue, ChecksWhatIsPutIn) {  // Q2
  TestGraph graph;
  graph.Add("q", "FIFOQueueV2", {}, {{"component_types", kPair}, {"shapes", std::vector<PartialShape>{{2}, {-1}}}});
  EXPECT_EQ(CodeOf(graph, "q"), Code::kInvalidArgument);  // Q3: not fully known
  graph.def.nodes[0].attrs["shapes"] = std::vector<PartialShape>{{2}};
  EXPECT_EQ(CodeOf(graph, "q"), Code::kInvalidArgument);  // Q3: one for each
  graph.def.nodes[0].attrs["shapes"] = std::vector<PartialShape>{{2}, PartialShape(Shape())};
  graph.Value("two", MakeVector<float>({1, 2})).Value("three", MakeVector<float>({1, 2, 3}));
  graph.Value("text", MakeScalar<std::string>("a")).Value("rows", Zeros(DType::kFloat, {3, 2}));
  graph.Value("texts", Zeros(DType::kString, {3})).Value("others", Zeros(DType::kString, {2}));
  const auto code = [&](std::string op, std::vector<std::string> inputs, const std::vector<DType>& types) {
    TestGraph tried = graph;
    inputs.insert(inputs.begin(), "q");
    tried.Add("put", std::move(op), std::move(inputs), {{"Tcomponents", types}});
    return CodeOf(tried, "put");
  };
  EXPECT_EQ(code("QueueEnqueueV2", {"two", "text"}, kPair), Code::kOk);
  EXPECT_EQ(code("QueueEnqueueV2", {"three", "text"}, kPair), Code::kInvalidArgument);
  EXPECT_EQ(code("QueueEnqueueV2", {"two"}, kFloat), Code::kInvalidArgument);
  EXPECT_EQ(code("QueueEnqueueV2", {"two", "two"}, {DType::kFloat, DType::kFloat}), Code::kInvalidArgument);
  EXPECT_EQ(code("QueueEnqueueManyV2", {"rows", "texts"}, kPair), Code::kOk);
  EXPECT_EQ(code("QueueEnqueueManyV2", {"rows", "others"}, kPair), Code::kInvalidArgument);
  EXPECT_EQ(code("QueueEnqueueManyV2", {"rows", "text"}, kPair), Code::kInvalidArgument);
  EXPECT_EQ(code("QueueEnqueueManyV2", {"two", "others"}, kPair), Code::kInvalidArgument);
}

TEST(Queue, ChecksWhatIsAskedFor) {
  QueueGraph graph(2);
  graph.Add("ints", "QueueDequeueV2", {"q"}, {{"component_types", kInt}});
  graph.Add("late", "QueueDequeueV2", {"q"}, {{"component_types", kFloat}, {"timeout_ms", 5}});
  EXPECT_EQ(CodeOf(graph, "ints"), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf(graph, "late"), Code::kInvalidArgument);  // Q4
  graph.TakeMany("take", 0).def.nodes[0].attrs.erase("shapes");
  EXPECT_EQ(CodeOf(graph, "take"), Code::kInvalidArgument);  // Q21
}

// A queue "p" that shares q's name, unless one attribute is another.
Code SharedWith(AttrMap another) {
  TestGraph graph;
  const AttrMap attrs = {{"component_types", kFloat}, {"capacity", 3}, {"shared_name", "shared"}};
  another.insert(attrs.begin(), attrs.end());
  graph.Add("q", "FIFOQueueV2", {}, attrs).Add("p", "FIFOQueueV2", {"^q"}, another).Add("size", "QueueSizeV2", {"p"});
  graph.Const<float>("one", 1).Add("put", "QueueEnqueueV2", {"q", "one", "^p"}, {{"Tcomponents", kFloat}});
  graph.def.nodes[2].inputs.push_back("^put");
  const RunResult result = TestSession(graph).Run({"size"});
  return result.code() == Code::kOk && result.scalar<int32_t>() == 0 ? Code::kNotFound : result.code();
}

TEST(Queue, IsSharedByName) {  // R3, R4, Q9
  EXPECT_EQ(SharedWith({}), Code::kOk);
  EXPECT_EQ(SharedWith({{"capacity", 4}}), Code::kInvalidArgument);
  EXPECT_EQ(SharedWith({{"component_types", kInt}}), Code::kInvalidArgument);
  EXPECT_EQ(SharedWith({{"shapes", std::vector<PartialShape>{PartialShape(Shape())}}}), Code::kInvalidArgument);
  EXPECT_EQ(SharedWith({{"shared_name", "other"}}), Code::kNotFound);
  EXPECT_EQ(SharedWith({{"shared_name", ""}}), Code::kNotFound);
  EXPECT_EQ(SharedWith({{"container", "other"}}), Code::kNotFound);
}

TEST(Queue, TheOldFormNamesItByReference) {  // Q5
  TestGraph graph;
  graph.Const<float>("one", 1).Add("q", "FIFOQueue", {}, {{"component_types", kFloat}});
  graph.Add("put", "QueueEnqueue", {"q", "one"}, {{"Tcomponents", kFloat}});
  graph.Add("take", "QueueDequeue", {"q", "^put"}, {{"component_types", kFloat}});
  EXPECT_EQ(TestSession(graph).Run({"take"}).scalar<float>(), 1);
}

// Components without a shape differ from element to element (Q3).
TEST(Queue, ComponentsMayHaveAnyShape) {
  TestGraph graph;
  graph.Value("a", MakeVector<float>({1, 2}))
      .Const<float>("b", 3)
      .Add("q", "FIFOQueueV2", {}, {{"component_types", kFloat}});
  graph.Add("put_a", "QueueEnqueueV2", {"q", "a"}, {{"Tcomponents", kFloat}});
  graph.Add("put_b", "QueueEnqueueV2", {"q", "b", "^put_a"}, {{"Tcomponents", kFloat}});
  graph.Add("first", "QueueDequeueV2", {"q", "^put_b"}, {{"component_types", kFloat}});
  graph.Add("second", "QueueDequeueV2", {"q", "^first"}, {{"component_types", kFloat}});
  const RunResult result = TestSession(graph).Run({"first", "second"});
  EXPECT_EQ(result.outputs.at(0).shape(), Shape({2}));
  EXPECT_EQ(result.scalar<float>(1), 3);
}

// The ops of the first version have strings for handles, and else mean the same.
TEST(Queue, HandlesOfTheFirstVersionLeadToQueuesToo) {
  const std::vector<DType> types = {DType::kFloat};
  TestGraph graph;
  graph.Add("q", "FIFOQueue", {}, {{"component_types", types}, {"shapes", std::vector<PartialShape>{Shape()}}});
  graph.Value("rows", MakeVector<float>({1, 2, 3, 4})).Const("two", 2).Const("three", 3);
  graph.Add("put", "QueueEnqueueMany", {"q", "rows"}, {{"Tcomponents", types}});
  graph.Add("take2", "QueueDequeueMany", {"q", "two"}, {{"component_types", types}});
  graph.Add("up_to_3", "QueueDequeueUpTo", {"q", "three"}, {{"component_types", types}});
  graph.Add("close", "QueueClose", {"q"}).Add("size", "QueueSize", {"q"}).Add("is_closed", "QueueIsClosed", {"q"});
  QueueWorld steps(graph);
  EXPECT_EQ(steps.CodeOf(steps.Run("put")), Code::kOk);
  EXPECT_EQ(steps.size(), 4);
  EXPECT_THAT(steps.Floats(steps.Fetch("take2")), ElementsAre(1, 2));
  EXPECT_FALSE(steps.is_closed());
  EXPECT_EQ(steps.CodeOf(steps.Run("close")), Code::kOk);
  EXPECT_TRUE(steps.is_closed());
  EXPECT_THAT(steps.Floats(steps.Fetch("up_to_3")), ElementsAre(3, 4));  // Q23: closed, so it takes what is there
}

}  // namespace
}  // namespace plumb::reference
