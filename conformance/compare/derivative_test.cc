// Derivatives and the limit of a gradient check, on formulas whose derivatives are known.
#include "conformance/compare/derivative.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/test_graph.h"

namespace plumb::conformance {
namespace {

using ::testing::ElementsAre;

constexpr double kEpsilon = 0x1p-52;
const AttrMap kDouble = {{"T", DType::kDouble}};

// total = 3 x[0] + 5 x[1], whose gradient is the constant {3, 5}.
GraphDef Weighted() {
  return reference::TestGraph()
      .Add("x", "Placeholder", {}, {{"dtype", DType::kDouble}})
      .Value("weights", MakeVector<double>({3, 5}))
      .Value("axis", MakeVector<int32_t>({0}))
      .Add("products", "Mul", {"x", "weights"}, kDouble)
      .Add("total", "Sum", {"products", "axis"}, {{"T", DType::kDouble}, {"Tidx", DType::kInt32}})
      .def;
}
NodeDef Constant(const std::string& name, const Tensor& value) {
  return {name, "Const", {}, "", {{"dtype", value.dtype()}, {"value", value}}, ""};
}
const std::vector<Direction> kAlong = {{"x:0", MakeVector<double>({1, 2}), {1, -2}}};

TEST(DerivativesAlong, FollowTheFormula) {
  const GraphDef graph = reference::TestGraph()
                             .Add("x", "Placeholder", {}, {{"dtype", DType::kDouble}})
                             .Add("square", "Mul", {"x", "x"}, kDouble)
                             .Value("same", MakeVector<double>({7, 7}))
                             .Add("identity", "Identity", {"x"}, kDouble)
                             .def;
  const auto derivatives =
      DerivativesAlong(graph, {{"x:0", MakeVector<double>({3, -4}), {0.5, 1}}}, {"square:0", "same:0", "identity:0"});
  ASSERT_EQ(derivatives.size(), 3u);
  EXPECT_THAT(derivatives[0].value.data<double>(), ElementsAre(9, 16));
  EXPECT_THAT(derivatives[0].along, ElementsAre(3, -8));  // 2 x times the direction
  EXPECT_EQ(derivatives[0].bound.size(), 2u);
  EXPECT_THAT(derivatives[1].along, ElementsAre(0, 0));
  EXPECT_THAT(derivatives[1].bound, ElementsAre(0, 0));
  EXPECT_THAT(derivatives[2].along, ElementsAre(0.5, 1));
}

TEST(DerivativesAlong, NeedANumberForEachPartOfAnElement) {
  const GraphDef graph = reference::TestGraph()
                             .Add("x", "Placeholder", {}, {{"dtype", DType::kComplex128}})
                             .Add("same", "Identity", {"x"}, {{"T", DType::kComplex128}})
                             .def;
  const Tensor value = MakeVector<std::complex<double>>({{1, 2}});
  const auto derivatives = DerivativesAlong(graph, {{"x:0", value, {3, 4}}}, {"same:0"});
  EXPECT_THAT(derivatives.at(0).along, ElementsAre(3, 4));
  EXPECT_THAT(derivatives.at(0).bound, ElementsAre(0, 0));
  for (const std::vector<double>& direction : {std::vector<double>{3}, {3, 4, 5}}) {
    EXPECT_THROW(DerivativesAlong(graph, {{"x:0", value, direction}}, {"same:0"}), Error);
  }
}

TEST(DerivativesAlong, ThrowWhatTheStepEndedWith) {
  const GraphDef graph = reference::TestGraph().Add("x", "Placeholder", {}, {{"dtype", DType::kDouble}}).def;
  EXPECT_THROW(DerivativesAlong(graph, {}, {"x:0"}), Error);
}

// 3·1 + 5·(-2) = -7, whose terms are 13 in size. Two terms may each be off by a rounding of that, the forward
// derivative by a unit of 7, and a constant gradient not at all.
TEST(CheckGradients, HasTheLimitOfItsOwnRounding) {
  const GradientCheck check = CheckGradients(Weighted(), kAlong, "total:0", {"weights:0"});
  EXPECT_EQ(check.reverse, -7);
  EXPECT_EQ(check.forward, -7);
  EXPECT_EQ(check.limit, 2 * kEpsilon * 13 + 4 * kEpsilon);
  EXPECT_TRUE(check.ok());
}

// A gradient of some bound counts with it twice, times the direction. This one is multiplied by e to the 0.
TEST(CheckGradients, HasTheBoundsOfTheGradientInItsLimit) {
  GraphDef graph = Weighted();
  graph.nodes.push_back(Constant("zeros", MakeVector<double>({0, 0})));
  graph.nodes.push_back(NodeDef{"ones", "Exp", {"zeros"}, "", kDouble, ""});
  graph.nodes.push_back(NodeDef{"gradient", "Mul", {"weights", "ones"}, "", kDouble, ""});
  const auto gradient = DerivativesAlong(graph, kAlong, {"gradient:0"}).at(0);
  ASSERT_THAT(gradient.value.data<double>(), ElementsAre(3, 5));
  ASSERT_GT(gradient.bound[0], 0);
  ASSERT_GT(gradient.bound[1], gradient.bound[0]);
  const GradientCheck check = CheckGradients(graph, kAlong, "total:0", {"gradient:0"});
  EXPECT_EQ(check.reverse, -7);
  EXPECT_DOUBLE_EQ(check.limit, 2 * (gradient.bound[0] + 2 * gradient.bound[1]) + 2 * kEpsilon * 13 + 4 * kEpsilon);
}

TEST(CheckGradients, AWrongGradientFails) {
  GraphDef graph = Weighted();
  graph.nodes.push_back(NodeDef{
      "wrong", "Const", {}, "", {{"dtype", DType::kDouble}, {"value", MakeVector<double>({3, 5 + 1e-12})}}, ""});
  EXPECT_FALSE(CheckGradients(graph, kAlong, "total:0", {"wrong:0"}).ok());
}

TEST(GradientCheck, HoldsUpToItsLimitAndForNoNan) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE((GradientCheck{1, 2, 1}.ok()));
  EXPECT_TRUE((GradientCheck{2, 1, 1}.ok()));
  EXPECT_FALSE((GradientCheck{1, 2.5, 1}.ok()));
  EXPECT_FALSE((GradientCheck{2.5, 1, 1}.ok()));
  EXPECT_FALSE((GradientCheck{kNan, 1, 1}.ok()));
  EXPECT_FALSE((GradientCheck{1, kNan, 1}.ok()));
}

}  // namespace
}  // namespace plumb::conformance
