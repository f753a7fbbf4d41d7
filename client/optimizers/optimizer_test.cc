// Steps of every optimizer, worked out by hand in numbers that floats hold exactly.
#include "client/optimizers/optimizer.h"

#include "client/program.h"
#include "client/testing.h"

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

TEST_P(Optimizers, AdagradDividesByTheRootOfAllSquares) {
  const AdagradOptions options = {.learning_rate = 0.5, .initial_accumulator = 0};
  EXPECT_THAT(After(*Adagrad(options), {0.5, -4}), ElementsAre(0.5, 2.5));
}

TEST_P(Optimizers, RmsPropStartsWithAMeanSquareOfOne) {
  const RmsPropOptions options = {.learning_rate = 0.5, .decay = 0.75, .momentum = 0, .epsilon = 0};
  EXPECT_THAT(After(*RmsProp(options), {1, -1}), ElementsAre(0.5, 2.5));
}

TEST_P(Optimizers, FtrlWithoutPenaltiesIsAdagrad) {
  const FtrlOptions options = {.learning_rate = 0.5, .initial_accumulator = 0};
  EXPECT_THAT(After(*Ftrl(options), {1, -1}), ElementsAre(0.5, 2.5));
}

TEST_P(Optimizers, FtrlLeavesSmallWeightsAtZero) {
  const FtrlOptions options = {.learning_rate = 0.5, .initial_accumulator = 0, .l1 = 100};
  EXPECT_THAT(After(*Ftrl(options), {1, -1}), ElementsAre(0, 0));
}

TEST_P(Optimizers, SgdTouchesOnlyTheRowsThatWereRead) {
  EXPECT_THAT(AfterGather(*Sgd({.learning_rate = 0.5})), ElementsAre(1, 1, 3));
}

// R68: the two slices of row 1 are summed before they are squared: 2 / √4.
TEST_P(Optimizers, AdagradSumsRepeatedRowsFirst) {
  const AdagradOptions options = {.learning_rate = 0.5, .initial_accumulator = 0};
  EXPECT_THAT(AfterGather(*Adagrad(options)), ElementsAre(1, 1.5, 3));
}

TEST_P(Optimizers, FtrlSumsRepeatedRowsFirst) {
  const FtrlOptions options = {.learning_rate = 0.5, .initial_accumulator = 0};
  EXPECT_THAT(AfterGather(*Ftrl(options)), ElementsAre(1, 1.5, 3));
}

TEST_P(Optimizers, RefuseALossWithoutVariables) {
  const Output loss = Float(1);
  EXPECT_THROW(Sgd({})->Minimize(scope_, loss), Error);
}

INSTANTIATE_TEST_SUITE_P(Backends, Optimizers, ::testing::Values("reference", "cpu"));

}  // namespace
}  // namespace plumb
