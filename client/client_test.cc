#include <cmath>

#include "client/clip.h"
#include "client/control_flow/while_loop.h"
#include "client/ops.h"
#include "client/tensor_array.h"
#include "client/testing.h"
#include "client/variable.h"
#include "spec/ops/op_def.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class Client : public OnEachBackend {};
PLUMB_ON_EACH_BACKEND(Client);

TEST_P(Client, ArithmeticIsWrittenAsSuch) {
  const Output x = Floats({1, 2});
  EXPECT_THAT(Value((x + 1.0) * x - 3.0 / x), ElementsAre(-1, 4.5));
  EXPECT_THAT(Value(1.0 - -x), ElementsAre(2, 3));
}

TEST_P(Client, OpFunctionsTakeAttributesByName) {
  const Output a = Matrix(1, 2, {1, 2});
  const Output product = ops::MatMul(scope_, a, a, {.name = "product", .transpose_b = true});
  EXPECT_EQ(product.name(), "product");
  EXPECT_EQ(product.shape(), PartialShape({1, 1}));
  EXPECT_THAT(Value(product), ElementsAre(5));
}

TEST_P(Client, OpFunctionsGiveAllOutputs) {
  const Output x = Floats({1, 5, 3, 4});
  const ops::TopKV2Outputs top = ops::TopKV2(scope_, x, Int(2));
  EXPECT_THAT(Value(top.values), ElementsAre(5, 4));
  EXPECT_THAT(Value(top.indices), ElementsAre(1, 3));
  const std::vector<Output> halves = ops::Split(scope_, Int(0), x, 2);
  ASSERT_EQ(halves.size(), 2u);
  EXPECT_THAT(Value(halves[1]), ElementsAre(3, 4));
}

TEST_P(Client, VariablesKeepWhatTheyAreGiven) {
  const Variable v = MakeVariable(scope_, Floats({1, 2}), {.name = "v"});
  const NodeId init = InitializeAll(scope_);
  const Output added = ops::AssignAdd(scope_, v.ref(), Floats({10, 20}));
  const auto values = Evaluate(GetParam(), scope_, {added}, {}, {scope_.NameOf(init)});
  EXPECT_THAT(Numbers(values[0]), ElementsAre(11, 22));
  EXPECT_EQ(v.name(), "v");
  EXPECT_EQ(scope_.NameOf(v.initializer()), "v/Assign");
}

TEST_P(Client, AFetchedReferenceShowsWhatTheStepWrote) {  // F28
  const Variable v = MakeVariable(scope_, Floats({1, 2}), {.name = "v"});
  const NodeId init = InitializeAll(scope_);
  const Output added = ops::AssignAdd(scope_, v.ref(), Floats({10, 20}));
  const auto values = Evaluate(GetParam(), scope_, {v.ref(), added}, {}, {scope_.NameOf(init)});
  EXPECT_THAT(Numbers(values[0]), ElementsAre(11, 22));
  EXPECT_THAT(Numbers(values[1]), ElementsAre(11, 22));
}

TEST_P(Client, AVariableMadeInALoopBelongsOutside) {
  const Output five = Float(5);
  const LoopVars last = WhileLoop(
      scope_, {Int(0), Float(0)}, [&](const LoopVars& v) { return v[0] < 2; },
      [&](const LoopVars& v) {
        const Variable step = MakeVariable(scope_, five, {.name = "step"});
        return LoopVars{v[0] + 1, v[1] + step.value()};
      });
  const NodeId init = InitializeAll(scope_);
  EXPECT_THAT(Numbers(Evaluate(GetParam(), scope_, {last[1]}, {}, {scope_.NameOf(init)})[0]), ElementsAre(10));
}

TEST_P(Client, TensorArraysAreWrittenAndStacked) {
  TensorArray list(scope_, DType::kFloat, Int(2));
  list = list.Write(Int(1), Floats({3, 4})).Write(Int(0), Floats({1, 2}));
  EXPECT_EQ(list.Stack().shape().dim(1), 2);
  EXPECT_THAT(Value(list.Read(Int(1))), ElementsAre(3, 4));
  EXPECT_THAT(Value(list.Stack()), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Value(list.Concat()), ElementsAre(1, 2, 3, 4));
  const TensorArray pieces =
      TensorArray(scope_, DType::kFloat, Int(2)).Split(Floats({1, 2, 3}), Constant(scope_, {int64_t{1}, int64_t{2}}));
  EXPECT_THAT(Value(pieces.Read(Int(1))), ElementsAre(2, 3));
}

TEST_P(Client, ClippingByValueAndByNorm) {
  EXPECT_THAT(Value(ClipByValue(scope_, Floats({-5, 0, 5}), -1, 2)), ElementsAre(-1, 0, 2));
  EXPECT_THAT(Value(ClipByNorm(scope_, Floats({3, 4}), 2.5)), ElementsAre(1.5, 2));
  EXPECT_THAT(Value(ClipByNorm(scope_, Floats({3, 4}), 8)), ElementsAre(3, 4));
  EXPECT_THAT(Value(ClipByNorm(scope_, Floats({0, 0}), 8)), ElementsAre(0, 0));
}

// Rows are 5 and 2 long, columns 3 and √20.
TEST_P(Client, ClippingByNormMayBeOfEachRow) {
  const Output rows = Matrix(2, 2, {3, 4, 0, 2});
  EXPECT_THAT(Value(ClipByNorm(scope_, rows, 2.5, {1})), ElementsAre(1.5, 2, 0, 2));
  EXPECT_THAT(Value(ClipByNorm(scope_, rows, 1.5, {0}))[0], 1.5);
}

TEST_P(Client, ClippingByGlobalNormScalesAllAlike) {
  const std::vector<GradientValue> values = {Endpoint(Floats({3, 0})), GradientValue::None(), Endpoint(Float(4))};
  const auto clipped = ClipByGlobalNorm(scope_, values, 2.5);
  EXPECT_THAT(Value(GlobalNorm(scope_, values)), ElementsAre(5));
  EXPECT_THAT(Value({&scope_.builder(), clipped[0].values}), ElementsAre(1.5, 0));
  EXPECT_TRUE(clipped[1].IsNone());
  EXPECT_THAT(Value({&scope_.builder(), clipped[2].values}), ElementsAre(2));
  const auto kept = ClipByGlobalNorm(scope_, values, 8);
  EXPECT_THAT(Value({&scope_.builder(), kept[0].values}), ElementsAre(3, 0)) << "they are shorter";
  EXPECT_THAT(Value({&scope_.builder(), kept[2].values}), ElementsAre(4));
}

TEST_P(Client, AnInfiniteGlobalNormClipsToNothingUseful) {
  const std::vector<GradientValue> values = {Endpoint(Floats({INFINITY, 1}))};
  const auto clipped = ClipByGlobalNorm(scope_, values, 1);
  for (const double number : Value({&scope_.builder(), clipped[0].values})) EXPECT_TRUE(std::isnan(number));
}

TEST(ClientRefuses, IntegerDivisionThatDoesNotSayHowItRounds) {
  Scope scope;
  const Output x = Constant(scope, 7);
  EXPECT_TRUE(Refuses([&] { x / 2.0; }, Code::kInvalidArgument, "FloorDiv"));
}

TEST(ClientRefuses, AVariableThatStartsAsAValueOfALoop) {
  Scope scope;
  const auto body = [&](const LoopVars& v) { return LoopVars{MakeVariable(scope, v[0] + 1.0).value()}; };
  const auto build = [&] {
    WhileLoop(
        scope, {Constant(scope, 0.0f)}, [](const LoopVars& v) { return v[0] < 1.0; }, body);
  };
  EXPECT_TRUE(Refuses(build, Code::kInvalidArgument, "inside a loop or a branch"));
}

TEST(ClientRefuses, AVariableOfUnknownShape) {
  Scope scope;
  const Output x = ops::Placeholder(scope, DType::kFloat);
  EXPECT_TRUE(Refuses([&] { MakeVariable(scope, x); }, Code::kInvalidArgument, "known shape"));
}

}  // namespace
}  // namespace plumb
