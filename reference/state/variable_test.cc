// Laws of variables and of the aliases of their buffers (rules R21, R30–R36, R41–R44).
#include "reference/state/variable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/kernel/kernel_testing.h"
#include "reference/state/session_tensors.h"
#include "reference/state/staging.h"
#include "reference/step/program.h"
#include "reference/test_graph.h"
#include "reference/world/drivers/first.h"
#include "reference/world/world.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;

std::vector<float> Now(const Value& value) { return Floats(Current(value)); }

Variable Holding(Tensor value) {
  Variable variable;
  variable.Declare(value.dtype(), value.shape());
  variable.Assign(std::move(value));
  return variable;
}

TEST(Variable, WhatIsWrittenShowsInAliases) {  // R31, R32
  Variable variable = Holding(MakeVector<float>({1, 2}));
  const Value alias = variable.Read("reader"), copy = Detached(alias);
  variable.Update(MakeVector<float>({3, 4}));
  EXPECT_THAT(Now(alias), ElementsAre(3, 4));
  EXPECT_THAT(Now(copy), ElementsAre(1, 2));
  EXPECT_EQ(variable.version(), 2);
}

TEST(Variable, AssignKeepsTheBufferWhileTheNumberOfElementsIsTheSame) {  // R21
  Variable variable = Holding(MakeVector<float>({1, 2}));
  const Value alias = variable.Read("reader");
  variable.Assign(MakeTensor<float>({2, 1}, {3, 4}));
  EXPECT_THAT(Now(alias), ElementsAre(3, 4));
  EXPECT_EQ(Current(alias).tensor.shape(), Shape({2}));
  EXPECT_EQ(variable.Read("reader").tensor.shape(), Shape({2, 1}));
  variable.Assign(MakeVector<float>({5}));
  EXPECT_THAT(Now(alias), ElementsAre(3, 4));
  EXPECT_THAT(Floats(variable.Read("reader")), ElementsAre(5));
}

TEST(Variable, NoTwoVariablesShareABuffer) {  // R21
  Variable one = Holding(MakeVector<float>({1})), other;
  other.Declare(DType::kFloat, {1});
  other.Assign(one.Read("reader"));
  one.Update(MakeVector<float>({2}));
  EXPECT_THAT(Floats(other.Read("reader")), ElementsAre(1));
}

TEST(Variable, APieceOfAnAliasIsAnAlias) {
  Variable variable = Holding(MakeTensor<float>({3, 2}, {1, 2, 3, 4, 5, 6}));
  const Value piece = RowsOf(RowsOf(variable.Read("reader"), 1, 2), 1, 1);
  EXPECT_THAT(Floats(piece), ElementsAre(5, 6));
  variable.Update(MakeTensor<float>({3, 2}, {7, 8, 9, 10, 11, 12}));
  EXPECT_THAT(Now(piece), ElementsAre(11, 12));
}

// In a fork of the world, what is staged and kept shows what is written there, and not what is written here.
TEST(Variable, AliasesThatAreStagedOrKeptFollowTheirVariableIntoAFork) {
  const auto variable = std::make_shared<Variable>(Holding(MakeVector<float>({1})));
  StagingArea area;
  area.Declare({});
  area.Ask(1, {.act = StagingAct::kPut, .values = {variable->Read("reader")}});
  area.Fetch(1);
  SessionTensors kept;
  kept.Keep("handle", variable->Read("reader"));
  Copies copies;
  const auto forked = copies.Of(variable);
  const auto forked_area = std::static_pointer_cast<StagingArea>(area.Clone(copies));
  const auto forked_kept = std::static_pointer_cast<SessionTensors>(kept.Clone(copies));
  forked->Update(MakeVector<float>({2}));
  variable->Update(MakeVector<float>({3}));
  const auto taken = [](StagingArea& from) {
    from.Ask(2, {.act = StagingAct::kTake});
    return Now(from.Fetch(2).values.at(0));
  };
  EXPECT_THAT(taken(*forked_area), ElementsAre(2));
  EXPECT_THAT(Now(*forked_kept->Find("handle")), ElementsAre(2));
  EXPECT_THAT(taken(area), ElementsAre(3));
  EXPECT_THAT(Now(*kept.Find("handle")), ElementsAre(3));
}

TEST(Variable, BoundsAndDerivativesAreWrittenWithTheElements) {
  Variable variable = Holding(MakeVector<float>({1, 2, 3}));
  const Value piece = RowsOf(variable.Read("reader"), 1, 2);
  const auto three = [](double x) { return std::make_shared<const std::vector<double>>(3, x); };
  variable.Update(Value(MakeVector<float>({4, 5, 6}), three(0.5), three(2)));
  EXPECT_THAT(*Current(piece).bound, ElementsAre(0.5, 0.5));
  EXPECT_THAT(*Current(piece).tangent, ElementsAre(2, 2));
}

TEST(Variable, RowsAreHandedOnWhereTheyAreAligned) {  // R31
  const auto floats = [](Shape shape) { return Tensor(DType::kFloat, std::move(shape)); };
  EXPECT_TRUE(ForwardsRows(floats({4, 16})));
  EXPECT_FALSE(ForwardsRows(floats({4, 12})));
  EXPECT_FALSE(ForwardsRows(floats({64})));
  EXPECT_TRUE(ForwardsSlice(floats({64}), 16, 32));
  EXPECT_FALSE(ForwardsSlice(floats({64}), 3, 32));
  EXPECT_FALSE(ForwardsSlice(floats({64}), 16, 8));
  EXPECT_TRUE(ForwardsSlice(floats({4, 16}), 3, 1));
}

TEST(HandleVariable, KeepsAnAliasUntilItIsWrittenOrAccessedByRows) {  // R41, R44
  Variable variable = Holding(MakeVector<float>({1}));
  HandleVariable kept, written, sparse;
  for (HandleVariable* each : {&kept, &written, &sparse}) each->Assign(variable.Read("reader"));
  written.Update(MakeVector<float>({7}));
  EXPECT_THAT(Floats(sparse.ReadSparse("reader")), ElementsAre(1));
  variable.Update(MakeVector<float>({2}));
  EXPECT_THAT(Floats(kept.Read("reader")), ElementsAre(2));
  EXPECT_THAT(Floats(written.Read("reader")), ElementsAre(7));
  EXPECT_THAT(Floats(sparse.Read("reader")), ElementsAre(1));
  sparse.Assign(variable.Read("reader"));
  variable.Update(MakeVector<float>({3}));
  EXPECT_THAT(Floats(sparse.Read("reader")), ElementsAre(2));
}

TEST(Variable, AFetchedAliasIsReadWhenTheStepIsOverAndSaysSo) {  // F28
  TestGraph graph;
  const AttrMap type = {{"T", DType::kFloat}};
  graph.Add("v", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kFloat}}).Const("one", 1.F);
  graph.Add("set", "Assign", {"v", "one"}, type).Add("alias", "Identity", {"set"}, type);
  graph.Add("sum", "AddV2", {"alias", "one"}, type).Add("add", "AssignAdd", {"v", "one", "^sum"}, type);
  TestSession session(graph);
  std::vector<Value> values;
  ASSERT_TRUE(session.session
                  .RunValues({}, std::vector<std::string>{"alias", "sum"}, std::vector<std::string>{"add"}, &values, {})
                  .ok());
  EXPECT_THAT(Floats(values.at(0)), ElementsAre(2));
  EXPECT_TRUE(values[0].was_alias);
  EXPECT_THAT(Floats(values.at(1)), ElementsAre(2));
  EXPECT_FALSE(values[1].was_alias);
}

TEST(HandleVariable, WhatWasReadIsASnapshot) {  // R42
  HandleVariable variable;
  variable.Assign(MakeVector<float>({1}));
  const Value before = variable.Read("reader");
  variable.Update(MakeVector<float>({2}));
  EXPECT_THAT(Now(before), ElementsAre(1));
}

class Listener : public VariableWitness {
 public:
  void OnAccess(const Resource& variable, Event event, int64_t version) override {
    EXPECT_EQ(&variable, expected);
    heard.emplace_back(event, version);
  }
  const Resource* expected = nullptr;
  std::vector<std::pair<Event, int64_t>> heard;
};

template <class V>
std::shared_ptr<V> CloneOf(const V& variable) {
  Copies copies;
  return std::dynamic_pointer_cast<V>(variable.Clone(copies));
}

using Event = VariableWitness::Event;

TEST(Variable, ItsWitnessHearsOfEachAccessOnceWithTheVersionBefore) {
  Variable variable;
  Listener witness;
  witness.expected = &variable;
  variable.SetWitness(&witness);
  variable.Declare(DType::kFloat, {1});
  EXPECT_THROW(variable.Read("reader"), Error);
  variable.Assign(MakeVector<float>({1}));
  variable.Update(MakeVector<float>({2}));
  EXPECT_THROW(variable.Update(MakeVector<float>({2, 3})), Error);
  variable.Read("reader");
  const auto clone = CloneOf(variable);
  clone->Assign(clone->Read("reader"));
  variable.SetWitness(nullptr);
  variable.Read("reader");
  EXPECT_THAT(witness.heard,
              ElementsAre(std::pair(Event::kAssign, 0), std::pair(Event::kUpdate, 1), std::pair(Event::kRead, 2)));
}

TEST(HandleVariable, ItsWitnessHearsOfEachAccessOnceWithTheVersionBefore) {
  HandleVariable variable;
  Listener witness;
  witness.expected = &variable;
  variable.SetWitness(&witness);
  EXPECT_THROW(variable.Read("reader"), Error);
  EXPECT_THROW(variable.ReadSparse("reader"), Error);
  variable.Assign(MakeVector<float>({1}));
  variable.Update(MakeVector<float>({2}));
  variable.ReadSparse("reader");
  variable.Read("reader");
  const auto clone = CloneOf(variable);
  clone->Update(clone->ReadSparse("reader"));
  variable.SetWitness(nullptr);
  variable.Assign(MakeVector<float>({3}));
  EXPECT_THAT(witness.heard, ElementsAre(std::pair(Event::kAssign, 0), std::pair(Event::kUpdate, 1),
                                         std::pair(Event::kReadSparse, 2), std::pair(Event::kRead, 2)));
}

// A step that is forked between the dereference of a variable and the use of what it gave.
TEST(Variable, AForksAliasesShowTheForksWrites) {
  TestGraph graph;
  const AttrMap kFloat = {{"T", DType::kFloat}};
  graph.Add("v", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kFloat}});
  graph.Const("one", 1.F).Const("two", 2.F);
  graph.Add("set", "Assign", {"v", "one"}, kFloat);
  graph.Add("alias", "Identity", {"v"}, kFloat).Add("double", "Assign", {"v", "two", "^alias"}, kFloat);
  graph.Add("sum", "AddV2", {"alias", "one", "^double"}, kFloat);
  const auto loaded = std::make_shared<const Graph>(Graph::Load(graph.def));
  const auto program = [&](std::vector<std::string> fetches) {
    return MakeProgram(loaded, StepRequest{{}, std::move(fetches), {}}, {}, {}, FindKernel);
  };
  FirstDriver first;
  World world;
  const StepId set = world.Start(program({"set"}));
  world.RunAll(first);
  world.Take(set);
  const StepId step = world.Start(program({"sum"}));
  std::vector<std::unique_ptr<World>> forks;
  do {
    forks.push_back(world.Clone());
  } while (world.Advance(first));
  forks.push_back(world.Clone());
  for (const auto& fork : forks) {
    fork->RunAll(first);
    EXPECT_THAT(Floats(fork->Take(step).values.at(0)), ElementsAre(3));
  }
}

}  // namespace
}  // namespace plumb::reference
