#include "reference/world/world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/kernel/channel_testing.h"
#include "reference/step/program.h"
#include "reference/world/drivers/first.h"
#include "reference/world/drivers/seeded.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const AttrMap kFloat = {{"T", DType::kFloat}};

// A world, and a graph whose parts its steps run.
class GraphWorld {
 public:
  explicit GraphWorld(const TestGraph& graph) : graph_(std::make_shared<const Graph>(Graph::Load(graph.def))) {}
  GraphWorld(const GraphWorld& other) : world(other.world->Clone()), graph_(other.graph_) {}

  StepId Start(std::vector<std::string> fetches, std::vector<std::string> targets = {}, Mode mode = {}) {
    const StepRequest request{{}, std::move(fetches), std::move(targets)};
    return world->Start(MakeProgram(graph_, request, std::move(mode), {}, KernelWithChannels));
  }
  // Starts a step and runs the world as far as it goes.
  StepId Run(std::vector<std::string> fetches, std::vector<std::string> targets = {}) {
    const StepId step = Start(std::move(fetches), std::move(targets));
    world->RunAll(first);
    return step;
  }
  std::vector<float> Floats(StepId step) {
    const StepOutcome outcome = world->Take(step);
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
    std::vector<float> floats;
    for (const Value& value : outcome.values) {
      for (const float element : value.tensor.data<float>()) floats.push_back(element);
    }
    return floats;
  }
  Code CodeOf(StepId step) { return world->Take(step).status.code(); }
  int32_t ChannelSize() { return world->Take(Run({"size"})).values.at(0).tensor.data<int32_t>()[0]; }

  std::unique_ptr<World> world = std::make_unique<World>();
  FirstDriver first;

 private:
  std::shared_ptr<const Graph> graph_;
};

ChannelGraph PutsAndTakes() {
  ChannelGraph graph;
  graph.Put("put1", 1).Put("put2", 2).Put("put3", 3).Put("put4", 4).Take("take").TakeMany("take2", 2);
  graph.TakeMany("take3", 3);
  return graph;
}

TEST(World, AStepThatWaitsIsServedByAnother) {  // E2, S3
  GraphWorld steps(PutsAndTakes());
  const StepId taker = steps.Run({"take"});
  EXPECT_FALSE(steps.world->IsOver(taker));
  EXPECT_EQ(ToString(steps.world->waiting()),
            "step 1: node 'take' (ReadVariableOp) waits for the channel: 1 wanted, 0 held");
  const StepId putter = steps.Run({}, {"put3"});
  EXPECT_TRUE(steps.world->waiting().empty());
  EXPECT_THAT(steps.Floats(taker), ElementsAre(3));
  EXPECT_EQ(steps.CodeOf(putter), Code::kOk);
  EXPECT_FALSE(steps.world->HasOutcomes());
}

TEST(World, WhatAStepWaitsForIsSaidAsItIsNow) {
  GraphWorld steps(PutsAndTakes());
  steps.Run({"take3"});
  steps.Run({}, {"put1"});
  EXPECT_EQ(steps.world->waiting().at(0).waits_for, "the channel: 3 wanted, 1 held");
}

TEST(World, WhoCameFirstIsServedFirst) {  // E2: whatever the driver chooses
  for (uint64_t seed = 0; seed < 20; ++seed) {
    GraphWorld steps(PutsAndTakes());
    SeededDriver driver(seed);
    const StepId batch = steps.Run({"take3"}), one = steps.Run({"take"});
    std::vector<StepId> putters;
    for (const char* put : {"put1", "put2", "put3", "put4"}) {
      putters.push_back(steps.Start({}, {put}));
      steps.world->RunAll(driver);
    }
    EXPECT_THAT(steps.Floats(batch), ElementsAre(1, 2, 3));  // a head that waits holds up those behind it
    EXPECT_THAT(steps.Floats(one), ElementsAre(4));
  }
}

TEST(World, WhoPutsIntoAFullChannelWaitsForRoom) {
  GraphWorld steps(PutsAndTakes());
  for (const char* put : {"put1", "put2"}) EXPECT_EQ(steps.CodeOf(steps.Run({}, {put})), Code::kOk);
  const StepId waits = steps.Run({}, {"put3"});
  EXPECT_FALSE(steps.world->IsOver(waits));
  EXPECT_THAT(steps.Floats(steps.Run({"take"})), ElementsAre(1));
  EXPECT_EQ(steps.CodeOf(waits), Code::kOk);
  EXPECT_THAT(steps.Floats(steps.Run({"take2"})), ElementsAre(2, 3));
}

TEST(World, AnEndedStepLosesWhatItHeldAndHoldsUpNobody) {  // E5, S4
  GraphWorld steps(PutsAndTakes());
  const StepId batch = steps.Run({"take2"});
  EXPECT_EQ(steps.CodeOf(steps.Run({}, {"put1"})), Code::kOk);
  const StepId behind = steps.Run({"take"});
  steps.world->End(batch, Status(Code::kDeadlineExceeded, "time is up"));
  EXPECT_EQ(steps.CodeOf(batch), Code::kDeadlineExceeded);
  EXPECT_EQ(steps.ChannelSize(), 0);
  EXPECT_EQ(steps.CodeOf(steps.Run({}, {"put2"})), Code::kOk);
  EXPECT_THAT(steps.Floats(behind), ElementsAre(2));
}

TEST(World, DroppingAnAttemptServesThoseBehindIt) {  // E5
  GraphWorld steps(PutsAndTakes());
  for (const char* put : {"put1", "put2"}) steps.CodeOf(steps.Run({}, {put}));
  const StepId first = steps.Run({}, {"put3"}), second = steps.Run({}, {"put4"});
  EXPECT_THAT(steps.Floats(steps.Run({"take"})), ElementsAre(1));
  EXPECT_EQ(steps.CodeOf(first), Code::kOk);
  EXPECT_FALSE(steps.world->IsOver(second));
  const StepId batch = steps.Run({"take3"});
  EXPECT_THAT(steps.Floats(batch), ElementsAre(2, 3, 4));
  EXPECT_EQ(steps.CodeOf(second), Code::kOk);
}

TEST(World, AFailureEndsAllAttemptsOfItsStep) {  // E5
  ChannelGraph graph = PutsAndTakes();
  graph.Add("fails", "Placeholder", {}, {{"dtype", DType::kFloat}});
  GraphWorld steps(graph);
  const StepId failed = steps.Run({"take", "take2", "fails"});
  EXPECT_EQ(steps.CodeOf(failed), Code::kInvalidArgument);
  EXPECT_EQ(steps.CodeOf(steps.Run({}, {"put1"})), Code::kOk);
  EXPECT_EQ(steps.ChannelSize(), 1);  // nobody took it
}

TEST(World, AnAnswerThatItsStepDoesNotFetchAnyMoreIsGone) {  // E5
  GraphWorld steps(PutsAndTakes());
  const StepId taker = steps.Run({"take"}), putter = steps.Start({}, {"put1"});
  while (!steps.world->IsOver(putter)) steps.world->Advance(steps.first);
  steps.world->EndAll(Status(Code::kCancelled, "enough"));
  steps.CodeOf(taker);
  EXPECT_EQ(steps.ChannelSize(), 0);
}

TEST(World, WhoWaitsGetsTheErrorOfWhatItWaitsFor) {
  GraphWorld steps(PutsAndTakes());
  const StepId taker = steps.Run({"take"});
  EXPECT_EQ(steps.CodeOf(steps.Run({}, {"close"})), Code::kOk);
  const StepOutcome outcome = steps.world->Take(taker);
  EXPECT_EQ(outcome.status.code(), Code::kOutOfRange);
  EXPECT_THAT(outcome.status.message(), HasSubstr("node 'take'"));  // ER9
}

TEST(World, AResetWakesWhoWaitsAtWhatIsGone) {  // R5
  GraphWorld steps(PutsAndTakes());
  const StepId taker = steps.Run({"take"});
  steps.world->Reset({});
  steps.world->RunAll(steps.first);
  EXPECT_EQ(steps.CodeOf(taker), Code::kNotFound);
  EXPECT_EQ(steps.CodeOf(steps.Run({}, {"put1"})), Code::kOk);
  EXPECT_EQ(steps.ChannelSize(), 1);
}

TEST(World, AResetLetsOthersGoOnWaiting) {
  GraphWorld steps(PutsAndTakes());
  const StepId taker = steps.Run({"take"});
  const std::vector<std::string> containers = {"another"};
  steps.world->Reset(containers);
  steps.world->RunAll(steps.first);
  EXPECT_FALSE(steps.world->IsOver(taker));
  steps.Run({}, {"put1"});
  EXPECT_THAT(steps.Floats(taker), ElementsAre(1));
}

TEST(World, StepsThatWaitForEachOtherAreNamed) {  // S9
  ChannelGraph graph;
  graph.Take("left").Take("right").PutValue("from_left", "left").PutValue("from_right", "right");
  GraphWorld steps(graph);
  steps.Start({}, {"from_left"});
  steps.Start({}, {"from_right"});
  const std::vector<Waiting> stuck = steps.world->RunAll(steps.first);
  ASSERT_EQ(stuck.size(), 2u);
  EXPECT_EQ(stuck[0].step, 1);
  EXPECT_EQ(stuck[0].node, "left");
  EXPECT_EQ(stuck[1].step, 2);
  EXPECT_EQ(stuck[1].node, "right");
  EXPECT_EQ(stuck[1].op, "ReadVariableOp");
  EXPECT_EQ(stuck[1].waits_for, "the channel: 1 wanted, 0 held");
}

// sum = 0; for i in 0 … n−1: sum += take(). The kernel parks in each iteration.
TEST(World, AKernelMayWaitInsideALoop) {  // X22
  ChannelGraph graph;
  const auto into = [](DType type, bool constant) {
    return AttrMap{{"T", type}, {"frame_name", "loop"}, {"is_constant", constant}, {"parallel_iterations", 3}};
  };
  graph.Const<float>("n0", 4).Const<float>("one0", 1);
  graph.Add("n", "Enter", {"n0"}, into(DType::kFloat, true)).Add("one", "Enter", {"one0"}, into(DType::kFloat, true));
  graph.Add("inner", "Enter", {"channel"}, into(DType::kResource, true));
  const std::pair<const char*, const char*> variables[] = {{"i", "i_next"}, {"sum", "sum_next"}};
  for (const auto& [name, next] : variables) {
    const std::string v = name;
    graph.Add(v + "_enter", "Enter", {"zero"}, into(DType::kFloat, false));
    graph.Add(v, "Merge", {v + "_enter", v + "_back"}, kFloat).Add(v + "_switch", "Switch", {v, "go"}, kFloat);
    graph.Add(v + "_body", "Identity", {v + "_switch:1"}, kFloat).Add(v + "_exit", "Exit", {v + "_switch"}, kFloat);
    graph.Add(v + "_back", "NextIteration", {next}, kFloat);
  }
  graph.Add("less", "Less", {"i", "n"}, kFloat).Add("go", "LoopCond", {"less"});
  graph.Add("i_next", "Add", {"i_body", "one"}, kFloat);
  graph.Take("taken", "inner").def.nodes.back().inputs.push_back("^i_body");
  graph.Add("sum_next", "Add", {"sum_body", "taken"}, kFloat);
  for (int i = 0; i < 4; ++i) graph.Put(Str("put", i), static_cast<float>(1 << i));
  GraphWorld steps(graph);
  const StepId loop = steps.Run({"sum_exit", "i_exit"});
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(steps.world->IsOver(loop)) << i;
    steps.Run({}, {Str("put", i)});
  }
  EXPECT_THAT(steps.Floats(loop), ElementsAre(15, 4));
}

TEST(World, TheStepThatHasWaitedLongestMovesNext) {  // E7
  TestGraph graph;
  graph.Const<float>("a0", 1).Add("a1", "Identity", {"a0"}, kFloat).Add("a2", "Identity", {"a1"}, kFloat);
  graph.Const<float>("b0", 1).Add("b1", "Identity", {"b0"}, kFloat).Add("b2", "Identity", {"b1"}, kFloat);
  GraphWorld steps(graph);
  std::vector<std::string> order;
  Mode mode;
  mode.observer = [&](const NodeRun& run) { order.push_back(run.node.name); };
  steps.Start({}, {"a2"}, mode);
  steps.Start({}, {"b2"}, mode);
  steps.world->RunAll(steps.first);
  EXPECT_THAT(order, ElementsAre("a0", "b0", "a1", "b1", "a2", "b2"));
}

// Chooses the event that became ready last.
struct LastDriver : Driver {
  size_t Choose(Choice, size_t n, std::string_view) override { return n - 1; }
};

// Whatever changes: variables, stacks, TensorArrays, random streams, a channel with a waiting step.
ChannelGraph EverythingThatChanges() {
  ChannelGraph graph = PutsAndTakes();
  graph.Const<float>("one", 1).Const<float>("two", 2).Const("n", 1).Const("index", 0);
  graph.Add("v", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kFloat}});
  graph.Add("init", "Assign", {"v", "zero"}, kFloat);
  graph.Add("to_one", "Assign", {"v", "one"}, kFloat).Add("to_two", "Assign", {"v", "two"}, kFloat);
  graph.Add("s", "StackV2", {"n"}, {{"elem_type", DType::kFloat}});
  graph.Add("push", "StackPushV2", {"s", "one"}, kFloat);
  graph.Add("pop", "StackPopV2", {"s", "^take", "^push"}, {{"elem_type", DType::kFloat}});
  graph.Add("ta", "TensorArrayV3", {"n"}, {{"dtype", DType::kFloat}});
  graph.Add("write", "TensorArrayWriteV3", {"ta", "index", "two", "ta:1"}, kFloat);
  graph.Add("read", "TensorArrayReadV3", {"ta", "index", "write", "^take"}, {{"dtype", DType::kFloat}});
  graph.Value("shape", MakeVector<int32_t>({3}));
  graph.Add("random", "RandomUniform", {"shape"},
            {{"T", DType::kInt32}, {"dtype", DType::kFloat}, {"seed", 1}, {"seed2", 2}});
  return graph;
}

TEST(World, AForkGoesItsOwnWay) {
  GraphWorld original(EverythingThatChanges());
  original.CodeOf(original.Run({}, {"init"}));
  const std::vector<float> drawn = original.Floats(original.Run({"random"}));
  const StepId waiting = original.Run({"take", "pop", "read"});
  const StepId racing = original.Start({"v"}, {"to_one", "to_two"});
  for (int i = 0; i < 3; ++i) original.world->Advance(original.first);  // up to the choice: which Assign comes first
  ASSERT_FALSE(original.world->IsOver(racing));
  GraphWorld fork = original;
  LastDriver last;
  fork.world->RunAll(last);
  fork.Run({}, {"put2"});
  const std::vector<float> fork_draws = fork.Floats(fork.Run({"random"}));
  EXPECT_THAT(fork.Floats(waiting), ElementsAre(2, 1, 2));
  EXPECT_THAT(fork.Floats(racing), ElementsAre(1));
  EXPECT_THAT(fork.Floats(fork.Run({"v"})), ElementsAre(1));

  EXPECT_FALSE(original.world->IsOver(racing));
  EXPECT_FALSE(original.world->IsOver(waiting));
  EXPECT_EQ(original.world->waiting().size(), 1u);
  original.world->RunAll(original.first);
  EXPECT_THAT(original.Floats(racing), ElementsAre(2));
  EXPECT_THAT(original.Floats(original.Run({"v"})), ElementsAre(2));
  EXPECT_THAT(fork.Floats(fork.Run({"v"})), ElementsAre(1));
  original.Run({}, {"put1"});
  EXPECT_THAT(original.Floats(waiting), ElementsAre(1, 1, 2));
  EXPECT_EQ(fork.ChannelSize(), 0);
  EXPECT_NE(fork_draws, drawn);
  EXPECT_EQ(original.Floats(original.Run({"random"})), fork_draws);  // the stream went on in each by itself
}

TEST(World, AForkEndsWithoutTheOriginal) {
  auto original = std::make_unique<GraphWorld>(EverythingThatChanges());
  original->CodeOf(original->Run({}, {"init"}));
  const StepId waiting = original->Run({"take", "pop", "read"});
  GraphWorld fork = *original;
  original->world->EndAll(Status(Code::kCancelled, "enough"));
  original.reset();
  fork.Run({}, {"put4"});
  EXPECT_THAT(fork.Floats(waiting), ElementsAre(4, 1, 2));
}

}  // namespace
}  // namespace plumb::reference
