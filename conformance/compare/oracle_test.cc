// The reference beside a session under test: its steps, its samples, and whose samples they are.
#include "conformance/compare/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "conformance/compare/elements.h"
#include "reference/test_graph.h"

namespace plumb::conformance {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr int64_t kRows = 16, kLength = 64, kMany = 1024;

Tensor Thirds(const Shape& shape) {
  Tensor tensor(DType::kFloat, shape);
  float next = 1;
  for (float& x : tensor.mutable_data<float>()) x = (next += 1) / 3;
  return tensor;
}

// Sums whose rounding shows: "sums" of rows; "total", of them all, added to a variable by "add"; and one that fails.
GraphDef Sums() {
  const AttrMap type = {{"T", DType::kFloat}};
  return reference::TestGraph()
      .Value("a", Thirds({kRows, kLength}))
      .Value("b", Thirds({kLength, 1}))
      .Add("sums", "MatMul", {"a", "b"}, type)
      .Add("v", "VariableV2", {}, {{"shape", PartialShape(Shape({kRows, 1}))}, {"dtype", DType::kFloat}})
      .Add("begin", "Assign", {"v", "sums"}, type)
      .Add("add", "AssignAdd", {"v", "sums"}, type)
      .Value("where", MakeVector<bool>({true, false}))
      .Add("found", "Where", {"where"}, {{"T", DType::kBool}})
      .Add("unfed", "Placeholder", {}, {{"dtype", DType::kFloat}})
      .def;
}
std::vector<reference::Value> Taken(Oracle& oracle, const std::string& fetch) {
  std::vector<reference::Value> values;
  const Status status = oracle.Run({{}, {fetch}, {}}, &values);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return values;
}

TEST(Oracle, SamplesAreRunsWithRoundingsOfTheirOwn) {
  Oracle oracle(Sums());
  const Tensor plain = Taken(oracle, "sums").at(0).tensor;
  std::vector<Tensor> all = oracle.Sample(0);
  EXPECT_EQ(all.size(), 8u);
  all.push_back(plain);
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i].shape(), plain.shape());
    for (size_t k = 0; k < i; ++k) EXPECT_FALSE(all[i].BitwiseEquals(all[k])) << i << " and " << k;
  }
}

void ExpectSamplesWithinTheBounds(Oracle& oracle, const reference::Value& value) {
  const std::vector<double> centre = ToDoubles(value.tensor);
  for (const Tensor& sample : oracle.Sample(0)) {
    const std::vector<double> moved = ToDoubles(sample);
    for (size_t i = 0; i < centre.size(); ++i) {
      EXPECT_LE(std::fabs(moved[i] - centre[i]), (*value.bound)[i] + Spacing(DType::kFloat, centre[i]));
    }
  }
}

TEST(Oracle, SamplesLieWithinTheBounds) {
  Oracle oracle(Sums());
  ExpectSamplesWithinTheBounds(oracle, Taken(oracle, "sums").at(0));
}

// All steps so far are taken once more, and none twice.
TEST(Oracle, SamplesAreOfTheLastStepAfterThoseBeforeIt) {
  Oracle oracle(Sums());
  Taken(oracle, "begin");
  for (int add = 0; add < 2; ++add) {  // to twice the sums, and to three times
    const reference::Value sum = Taken(oracle, "add").at(0);
    for (int again = 0; again < 2; ++again) ExpectSamplesWithinTheBounds(oracle, sum);
  }
}

TEST(Oracle, SamplesOfStepsThatRanTogetherAreEachOnesOwn) {
  Oracle oracle(Sums());
  const std::vector<StepRequest> steps = {{{}, {"unfed:0"}, {}}, {{}, {"sums:0", "a:0"}, {}}, {{}, {"b:0"}, {}}};
  const auto outcomes = oracle.RunTogether(steps);
  ASSERT_EQ(outcomes.size(), 3u);
  EXPECT_FALSE(outcomes[0].status.ok());
  EXPECT_THAT(oracle.Sample(0, 0), IsEmpty()) << "it failed";
  EXPECT_EQ(oracle.Sample(0, 1).at(0).shape(), Shape({kRows, 1}));
  EXPECT_EQ(oracle.Sampler(1, 1)().at(0).shape(), Shape({kRows, kLength}));
  EXPECT_EQ(oracle.Sampler(0, 2)().at(0).shape(), Shape({kLength, 1}));
  EXPECT_THAT(oracle.Sample(1, 2), IsEmpty()) << "it has one fetch";
}

// Whatever order the events of racing steps come in, samples are of the same order.
TEST(Oracle, SamplesFollowTheWalk) {
  const AttrMap type = {{"T", DType::kFloat}};
  const GraphDef graph = reference::TestGraph()
                             .Value("one", MakeScalar<float>(1))
                             .Value("two", MakeScalar<float>(2))
                             .Add("v", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kFloat}})
                             .Add("to_one", "Assign", {"v", "one"}, type)
                             .Add("to_two", "Assign", {"v", "two"}, type)
                             .Add("left", "Identity", {"v"}, type)
                             .def;
  const std::vector<StepRequest> race = {{{}, {}, {"to_one"}}, {{}, {}, {"to_two"}}};
  std::set<float> endings;
  for (uint64_t walk = 0; walk < 16; ++walk) {
    Oracle oracle(graph, Limits::kSound, {}, walk);
    for (const auto& outcome : oracle.RunTogether(race)) ASSERT_TRUE(outcome.status.ok());
    const Tensor left = Taken(oracle, "left").at(0).tensor;
    endings.insert(left.scalar<float>());
    for (const Tensor& sample : oracle.Sample(0)) EXPECT_TRUE(sample.BitwiseEquals(left)) << "walk " << walk;
  }
  EXPECT_EQ(endings, (std::set<float>{1, 2}));
}

// The rule of Where leaves open how many there are, and the oracle asks it at each node that runs.
TEST(Oracle, AsksTheShapeRules) {
  Oracle oracle(Sums());
  EXPECT_THAT(oracle.shape_rules().open(), IsEmpty());
  Taken(oracle, "found");
  EXPECT_THAT(oracle.shape_rules().open(), Contains("Where"));
  EXPECT_THAT(oracle.shape_rules().open(), Not(Contains("Const")));
}

// Of numbers that are as if drawn.
TEST(Oracle, HoldsSumsToTheSharpLimitOnDemand) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  GraphDef graph = Sums();
  for (NodeDef& node : graph.nodes) {
    if (node.name != "a" && node.name != "b") continue;
    Tensor drawn(DType::kFloat, node.name == "a" ? Shape({kRows, kMany}) : Shape({kMany, 1}));
    for (float& x : drawn.mutable_data<float>()) x = uniform(random);
    node.attrs["value"] = drawn;
  }
  Oracle sound(graph), sharp(graph, Limits::kSharp);
  const reference::Value by_proof = Taken(sound, "sums").at(0), by_chance = Taken(sharp, "sums").at(0);
  EXPECT_FALSE(by_proof.sharp);
  EXPECT_TRUE(by_chance.sharp);
  EXPECT_LT((*by_chance.bound)[0], (*by_proof.bound)[0]);
}

TEST(Oracle, AGraphThatCannotBeLoadedFailsEveryStep) {
  GraphDef graph = Sums();
  graph.nodes[0].op = "NoSuchOp";
  Oracle oracle(graph);
  ASSERT_FALSE(oracle.loaded().ok());
  const std::vector<StepRequest> steps(2);
  const auto outcomes = oracle.RunTogether(steps);
  ASSERT_EQ(outcomes.size(), 2u);
  for (const auto& outcome : outcomes) EXPECT_EQ(outcome.status.code(), oracle.loaded().code());
}

}  // namespace
}  // namespace plumb::conformance
