// Steps of every optimizer, worked out by hand in numbers that floats hold exactly.
#include "client/optimizers/optimizer.h"

#include <numeric>

#include "client/ops.h"
#include "client/program.h"
#include "client/testing.h"
#include "spec/ops/op_def.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class Optimizers : public OnEachBackend {
 protected:
  // The variable [1, 2] after `steps` updates with the gradient `slope`.
  std::vector<double> After(Optimizer& optimizer, std::initializer_list<float> slope, int steps = 1) {
    const Variable w = MakeVariable(scope_, Floats({1, 2}));
    const Output loss = scope_.Call("Sum", {w.value() * Floats(slope), Constant<int32_t>(scope_, {0})});
    return Train(optimizer, w, loss, steps);
  }

  // The rows [1], [2], [3] after an update for a loss that reads row 1 twice.
  std::vector<double> AfterGather(Optimizer& optimizer) {
    const Variable rows = MakeVariable(scope_, Matrix(3, 1, {1, 2, 3}));
    const Output read = scope_.Call("GatherV2", {rows, Constant<int32_t>(scope_, {1, 1}), Int(0)});
    return Train(optimizer, rows, scope_.Call("Sum", {read, Constant<int32_t>(scope_, {0, 1})}), 1);
  }

  // Weights that all start at `start`, after so many steps down Σ steepness · w².
  std::vector<double> AfterBowl(Optimizer& optimizer, float start, std::vector<float> steepness, int steps) {
    const auto size = static_cast<int64_t>(steepness.size());
    const Output scale = Constant(scope_, MakeTensor<float>({size}, steepness));
    const Variable w = MakeVariable(scope_, Filled(scope_, DType::kFloat, {size}, start));
    return Train(optimizer, w, ops::Sum(scope_, w.value() * w.value() * scale, Constant<int32_t>(scope_, {0})), steps);
  }

 private:
  std::vector<double> Train(Optimizer& optimizer, const Variable& variable, Output loss, int steps) {
    const NodeId train = optimizer.Minimize(scope_, loss);
    const NodeId init = InitializeAll(scope_);
    Program program(scope_, OpenSession(GetParam()));
    program.Run(init);
    for (int step = 0; step < steps; ++step) program.Run(train);
    return Numbers(program.Fetch(variable.value()));
  }
};

TEST_P(Optimizers, SgdGoesDownTheGradient) {
  EXPECT_THAT(After(*Sgd({.learning_rate = 0.5}), {1, -1}), ElementsAre(0.5, 2.5));
}

TEST_P(Optimizers, MomentumKeepsHalfOfItsSpeed) {
  const MomentumOptions options = {.learning_rate = 0.5, .momentum = 0.5};
  EXPECT_THAT(After(*Momentum(options), {1, -1}, 2), ElementsAre(1 - 0.5 - 0.75, 2 + 0.5 + 0.75));
}

TEST_P(Optimizers, NesterovLooksAhead) {
  const MomentumOptions options = {.learning_rate = 0.5, .momentum = 0.5, .nesterov = true};
  EXPECT_THAT(After(*Momentum(options), {1, -1}), ElementsAre(1 - 0.75, 2 + 0.75));
}

TEST_P(Optimizers, AdamsFirstStepHasTheLengthOfItsRate) {
  const AdamOptions options = {.learning_rate = 0.5, .beta1 = 0.5, .beta2 = 0.75, .epsilon = 0};
  EXPECT_THAT(After(*Adam(options), {4, -0.5}), ElementsAre(0.5, 2.5));
}

// Equal gradients leave m / (1 − β₁ᵗ) and v / (1 − β₂ᵗ) as they are, so the second step is as long as the first.
TEST_P(Optimizers, AdamMovesItsPowersOnAfterEachStep) {
  const AdamOptions options = {.learning_rate = 0.5, .beta1 = 0.5, .beta2 = 0, .epsilon = 0};
  EXPECT_THAT(After(*Adam(options), {4, -2}, 2), ElementsAre(0, 3));
}

// √(3¾ + ½²) is 2, √(3¾ + 3½²) is 4.
TEST_P(Optimizers, AdagradDividesByTheRootOfAllSquares) {
  const AdagradOptions options = {.learning_rate = 0.5, .initial_accumulator = 3.75};
  EXPECT_THAT(After(*Adagrad(options), {0.5, -3.5}), ElementsAre(1 - 0.125, 2 + 0.4375));
}

// As TensorFlow, whose accumulators divide.
TEST_P(Optimizers, AdagradsAccumulatorBeginsAboveZero) {
  const Output step = Constant(scope_, int64_t{0});
  for (const double initial : {0.0, -1.0}) {
    const auto refuses = [](const auto& make) {
      return Refuses(make, Code::kInvalidArgument, "accumulator above zero");
    };
    EXPECT_TRUE(refuses([&] { Adagrad({.initial_accumulator = initial}); })) << initial;
    EXPECT_TRUE(refuses([&] { ProximalAdagrad({.learning_rate = 1, .initial_accumulator = initial}); })) << initial;
    EXPECT_TRUE(refuses([&] {
      AdagradDa({.learning_rate = 1, .global_step = step, .initial_gradient_squared_accumulator = initial});
    })) << initial;
  }
}

TEST_P(Optimizers, RmsPropStartsWithAMeanSquareOfOne) {
  const RmsPropOptions options = {.learning_rate = 0.5, .decay = 0.75, .momentum = 0, .epsilon = 0};
  EXPECT_THAT(After(*RmsProp(options), {1, -1}), ElementsAre(0.5, 2.5));
}

// ms = ¾ · 1 + ¼ · 4 is 1¾, mg = ¼ · 2 is ½: 1¾ − ¼ + 2½ is 4, and ½ · 2 / √4 is ½.
TEST_P(Optimizers, RmsPropMayDivideByTheVariance) {
  const RmsPropOptions options = {.learning_rate = 0.5, .decay = 0.75, .momentum = 0, .epsilon = 2.5, .centered = true};
  EXPECT_THAT(After(*RmsProp(options), {2, -2}), ElementsAre(0.5, 2.5));
}

TEST_P(Optimizers, FtrlWithoutPenaltiesIsAdagrad) {
  const FtrlOptions options = {.learning_rate = 0.5, .initial_accumulator = 0};
  EXPECT_THAT(After(*Ftrl(options), {1, -1}), ElementsAre(0.5, 2.5));
}

TEST_P(Optimizers, FtrlLeavesSmallWeightsAtZero) {
  const FtrlOptions options = {.learning_rate = 0.5, .initial_accumulator = 0, .l1 = 100};
  EXPECT_THAT(After(*Ftrl(options), {1, -1}), ElementsAre(0, 0));
}

// The accumulator takes the gradient alone and becomes 1; the linear term takes 2 · ½ · w besides: 1 + 1 − 2 · 1 and
// −1 + 2 − 2 · 2, of which the weights are −½.
TEST_P(Optimizers, FtrlShrinksWeightsBesideTheirAccumulator) {
  const FtrlOptions options = {.learning_rate = 0.5, .initial_accumulator = 0, .l2_shrinkage = 0.5};
  EXPECT_THAT(After(*Ftrl(options), {1, -1}), ElementsAre(0, 1.5));
}

TEST_P(Optimizers, FtrlRefusesWhatTensorFlowDoes) {
  const auto refuses = [](const FtrlOptions& options, const char* what) {
    return Refuses([&] { Ftrl(options); }, Code::kInvalidArgument, what);
  };
  EXPECT_TRUE(refuses({.initial_accumulator = -0.5}, "initial accumulator of at least zero"));
  EXPECT_TRUE(refuses({.l1 = -0.5}, "l1 of at least zero"));
  EXPECT_TRUE(refuses({.l2 = -0.5}, "l2 of at least zero"));
  EXPECT_TRUE(refuses({.l2_shrinkage = -0.5}, "l2_shrinkage of at least zero"));
  EXPECT_TRUE(refuses({.learning_rate_power = 0.5}, "learning rate power of at most zero"));
}

TEST_P(Optimizers, SgdTouchesOnlyTheRowsThatWereRead) {
  EXPECT_THAT(AfterGather(*Sgd({.learning_rate = 0.5})), ElementsAre(1, 1, 3));
}

// R68: the two slices of row 1 are summed before they are squared: 2 / √(12 + 4).
TEST_P(Optimizers, AdagradSumsRepeatedRowsFirst) {
  const AdagradOptions options = {.learning_rate = 0.5, .initial_accumulator = 12};
  EXPECT_THAT(AfterGather(*Adagrad(options)), ElementsAre(1, 1.75, 3));
}

// 2 / √4.
TEST_P(Optimizers, FtrlSumsRepeatedRowsFirst) {
  const FtrlOptions options = {.learning_rate = 0.5, .initial_accumulator = 0};
  EXPECT_THAT(AfterGather(*Ftrl(options)), ElementsAre(1, 1.5, 3));
}

// √(0 + 16) / √(¾ · 64 + 16) · 8 = 4.
TEST_P(Optimizers, AdadeltaStepsByItsOwnPastSteps) {
  const AdadeltaOptions options = {.learning_rate = 0.5, .rho = 0.25, .epsilon = 16};
  EXPECT_THAT(After(*Adadelta(options), {8, -8}), ElementsAre(-1, 4));
}

// The gradient of row 1 is 2: √1 / √(¾ · 4 + 1) · 2 = 1.
TEST_P(Optimizers, AdadeltaSumsRepeatedRowsFirst) {
  const AdadeltaOptions options = {.learning_rate = 0.5, .rho = 0.25, .epsilon = 1};
  EXPECT_THAT(AfterGather(*Adadelta(options)), ElementsAre(1, 1.5, 3));
}

// −1 · (1 − ½) / (1 · 1 + √(8 + 1)): the first step counts as 1, and the weight before does not matter.
TEST_P(Optimizers, AdagradDaForgetsTheWeight) {
  const AdagradDaOptions options = {.learning_rate = 1,
                                    .global_step = Constant(scope_, int64_t{0}),
                                    .initial_gradient_squared_accumulator = 8,
                                    .l1 = 0.5,
                                    .l2 = 1};
  EXPECT_THAT(After(*AdagradDa(options), {1, -1}), ElementsAre(-0.125, 0.125));
  const auto wrong = [&] { AdagradDa({.learning_rate = 1, .global_step = Float(0)}); };
  EXPECT_TRUE(Refuses(wrong, Code::kInvalidArgument, "int64 scalar"));
}

// The two slices of row 1 are summed before they are squared: −(2 − ½) / √(12 + 4). Others have not been read, and
// stay.
TEST_P(Optimizers, AdagradDaSumsRepeatedRowsFirst) {
  const AdagradDaOptions options = {.learning_rate = 1,
                                    .global_step = Constant(scope_, int64_t{0}),
                                    .initial_gradient_squared_accumulator = 12,
                                    .l1 = 0.5};
  EXPECT_THAT(AfterGather(*AdagradDa(options)), ElementsAre(1, -0.375, 3));
}

// (1 − ½ − ½ · ½) / (1 + ½ · 2).
TEST_P(Optimizers, ProximalGradientDescentShrinks) {
  const ProximalGradientDescentOptions options = {.learning_rate = 0.5, .l1 = 0.5, .l2 = 2};
  EXPECT_THAT(After(*ProximalGradientDescent(options), {1, -1}), ElementsAre(0.125, 1.125));
}

TEST_P(Optimizers, ProximalGradientDescentTouchesOnlyTheRowsThatWereRead) {
  const ProximalGradientDescentOptions options = {.learning_rate = 0.5, .l1 = 0.5, .l2 = 2};
  EXPECT_THAT(AfterGather(*ProximalGradientDescent(options)), ElementsAre(1, 0.375, 3));
}

// The rate is ½ / √(3 + 1): (1 − ¼ − ¼ · ½) / (1 + ¼ · 4).
TEST_P(Optimizers, ProximalAdagradShrinks) {
  const ProximalAdagradOptions options = {.learning_rate = 0.5, .initial_accumulator = 3, .l1 = 0.5, .l2 = 4};
  EXPECT_THAT(After(*ProximalAdagrad(options), {1, -1}), ElementsAre(0.3125, 1.0625));
}

// The rate is ½ / √(12 + 4): 2 − ⅛ · 2 − ⅛ · ½.
TEST_P(Optimizers, ProximalAdagradSumsRepeatedRowsFirst) {
  const ProximalAdagradOptions options = {.learning_rate = 0.5, .initial_accumulator = 12, .l1 = 0.5};
  EXPECT_THAT(AfterGather(*ProximalAdagrad(options)), ElementsAre(1, 1.6875, 3));
}

// ¼ w² has the slope ½ w: from 8 the first step is 4, made 1 long. The second knows the curve, and that the bottom is
// at 0.
TEST_P(Optimizers, LbfgsFindsTheBottomOfAParabola) { EXPECT_THAT(AfterBowl(*Lbfgs({}), 8, {0.25}, 1), ElementsAre(7)); }
TEST_P(Optimizers, LbfgsFindsTheBottomOfAParabolaInTwoSteps) {
  EXPECT_THAT(AfterBowl(*Lbfgs({}), 8, {0.25}, 2), ElementsAre(0));
}

// Curves of different steepness, for which one rate cannot be right.
TEST_P(Optimizers, LbfgsIsFasterThanTheGradientInANarrowValley) {
  const auto distance = [](const std::vector<double>& weights) {
    return std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
  };
  const double newton = distance(AfterBowl(*Lbfgs({.history = 3}), 4, {0.25, 2}, 6));
  EXPECT_LT(newton, distance(AfterBowl(*Sgd({.learning_rate = 0.25}), 4, {0.25, 2}, 6)));
}

TEST_P(Optimizers, LbfgsMovesAllVariables) {
  const Variable a = MakeVariable(scope_, Float(3)), b = MakeVariable(scope_, Matrix(1, 3, {4, 0, 1}));
  const NodeId train = Lbfgs({})->Minimize(scope_, a.value() + ops::Sum(scope_, b, Constant<int32_t>(scope_, {0, 1})));
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  program.Run(train);
  // A gradient of ones, four numbers long, makes a first step of a quarter each.
  EXPECT_THAT(Numbers(program.Fetch(a.value())), ElementsAre(2.75));
  EXPECT_THAT(Numbers(program.Fetch(b.value())), ElementsAre(3.75, -0.25, 0.75));
  EXPECT_TRUE(Refuses([] { Lbfgs({.history = 0}); }, Code::kInvalidArgument, "at least one step"));
}

// A checkpoint of a TensorFlow program's training is taken up by these names.
TEST(OptimizerSlots, AreNamedAsTensorFlowNamesThem) {
  using Names = std::vector<std::string>;
  const auto slots = [](Optimizer& optimizer) {
    Scope scope;
    Variable weights = [&] {
      const auto layer = scope.Sub("layer");
      return MakeVariable(scope, Constant(scope, {1.0f, 2.0f}), {"W"});
    }();
    optimizer.Minimize(scope, ops::Sum(scope, weights, Constant(scope, 0)));
    Names names;
    for (const Variable& variable : scope.variables()) names.push_back(scope.NameOf(variable.ref().node()));
    return names;
  };
  EXPECT_EQ(slots(*Sgd({})), (Names{"layer/W"}));
  EXPECT_EQ(slots(*Momentum({})), (Names{"layer/W", "layer/W/Momentum"}));
  EXPECT_EQ(slots(*Adam({})), (Names{"layer/W", "beta1_power", "beta2_power", "layer/W/Adam", "layer/W/Adam_1"}));
  EXPECT_EQ(slots(*Adagrad({})), (Names{"layer/W", "layer/W/Adagrad"}));
  EXPECT_EQ(slots(*RmsProp({})), (Names{"layer/W", "layer/W/RMSProp", "layer/W/RMSProp_1"}));
  EXPECT_EQ(slots(*RmsProp({.centered = true})),
            (Names{"layer/W", "layer/W/RMSProp", "layer/W/RMSProp_1", "layer/W/RMSProp_2"}));
  EXPECT_EQ(slots(*Ftrl({})), (Names{"layer/W", "layer/W/Ftrl", "layer/W/Ftrl_1"}));
  EXPECT_EQ(slots(*Adadelta({})), (Names{"layer/W", "layer/W/Adadelta", "layer/W/Adadelta_1"}));
  EXPECT_EQ(slots(*ProximalAdagrad({.learning_rate = 1})), (Names{"layer/W", "layer/W/ProximalAdagrad"}));
}

TEST(OptimizerSlots, AreSharedByAllUpdatesOfOneOptimizer) {
  Scope scope;
  const Variable w = MakeVariable(scope, Constant(scope, {1.0f, 2.0f}), {"w"});
  const Output loss = ops::Sum(scope, w, Constant(scope, 0));
  const auto adam = Adam({});
  adam->Minimize(scope, loss);
  EXPECT_EQ(scope.variables().size(), 5u);
  adam->Minimize(scope, loss);
  EXPECT_EQ(scope.variables().size(), 5u);
  Adam({})->Minimize(scope, loss);
  EXPECT_EQ(scope.variables().size(), 9u) << "another optimizer has its own";
  Scope other;
  const Variable there = MakeVariable(other, Constant(other, {1.0f, 2.0f}), {"w"});
  adam->Minimize(other, ops::Sum(other, there, Constant(other, 0)));
  EXPECT_EQ(other.variables().size(), 5u);
}

// Of a dense variable and of one whose rows are read: whether every update holds its locks.
std::vector<bool> LocksOf(const std::function<std::unique_ptr<Optimizer>(Output global_step)>& make) {
  Scope scope;
  const Variable w = MakeVariable(scope, Filled(scope, DType::kFloat, {2, 1}, 1));
  const Variable rows = MakeVariable(scope, Filled(scope, DType::kFloat, {2, 1}, 1));
  const Output read = scope.Call("GatherV2", {rows, Constant(scope, {0, 1}), Constant(scope, 0)});
  make(Constant(scope, int64_t{0}))->Minimize(scope, ops::Sum(scope, w.value() * read, Constant(scope, {0, 1})));
  std::vector<bool> locks;
  for (const Node& node : scope.builder().graph().nodes()) {
    const bool is_update = node.op->name.find("Apply") != std::string::npos || node.IsOp("ScatterSub");
    if (is_update) locks.push_back(GetAttr<bool>(node.attrs, "use_locking"));
  }
  return locks;
}

TEST(OptimizerLocks, AreHeldByEveryUpdateThatShallHoldThem) {
  for (const bool lock : {false, true}) {
    const std::vector<bool> both = {lock, lock};
    EXPECT_EQ(LocksOf([&](Output) { return Sgd({.use_locking = lock}); }), both);
    EXPECT_EQ(LocksOf([&](Output) { return Momentum({.use_locking = lock}); }), both);
    EXPECT_EQ(LocksOf([&](Output) { return Adam({.use_locking = lock}); }), both);
    EXPECT_EQ(LocksOf([&](Output) { return Adagrad({.use_locking = lock}); }), both);
    EXPECT_EQ(LocksOf([&](Output) { return RmsProp({.use_locking = lock}); }), both);
    EXPECT_EQ(LocksOf([&](Output) { return RmsProp({.centered = true, .use_locking = lock}); }), both);
    EXPECT_EQ(LocksOf([&](Output) { return Ftrl({.use_locking = lock}); }), both);
    EXPECT_EQ(LocksOf([&](Output) { return Ftrl({.l2_shrinkage = 1, .use_locking = lock}); }), both);
    EXPECT_EQ(LocksOf([&](Output) { return Adadelta({.use_locking = lock}); }), both);
    EXPECT_EQ(
        LocksOf([&](Output step) { return AdagradDa({.learning_rate = 1, .global_step = step, .use_locking = lock}); }),
        both);
    EXPECT_EQ(LocksOf([&](Output) { return ProximalGradientDescent({.learning_rate = 1, .use_locking = lock}); }),
              both);
    EXPECT_EQ(LocksOf([&](Output) { return ProximalAdagrad({.learning_rate = 1, .use_locking = lock}); }), both);
  }
}

TEST_P(Optimizers, RefuseALossWithoutVariables) {
  const Output loss = Float(1);
  EXPECT_THROW(Sgd({})->Minimize(scope_, loss), Error);
}

INSTANTIATE_TEST_SUITE_P(Backends, Optimizers, ::testing::Values("reference", "cpu"));

}  // namespace
}  // namespace plumb
