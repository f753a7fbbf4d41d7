// Rates, the global step and moving averages, worked out by hand.
#include <cmath>

#include "client/optimizers/optimizer.h"
#include "client/program.h"
#include "client/testing.h"
#include "client/training/global_step.h"
#include "client/training/learning_rates.h"
#include "client/training/moving_average.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

class LearningRates : public OnEachBackend {
 protected:
  LearningRates() : step_(Input({}, "step", DType::kInt64)) {}
  // At this step; exact where `rate` can be computed without rounding.
  float At(Output rate, int64_t step) { return static_cast<float>(Value(rate, {{"step", MakeScalar(step)}}).at(0)); }
  Output step_;
};

TEST_P(LearningRates, DecayExponentially) {
  const DecayOptions options = {.learning_rate = 4, .decay_steps = 10, .decay_rate = 0.25};
  const Output smooth = ExponentialDecay(scope_, step_, options);
  DecayOptions in_steps = options;
  in_steps.staircase = true;
  const Output stairs = ExponentialDecay(scope_, step_, in_steps);
  EXPECT_THAT((std::vector<float>{At(smooth, 0), At(smooth, 5), At(smooth, 10), At(smooth, 20)}),
              ElementsAre(FloatEq(4), FloatEq(2), FloatEq(1), FloatEq(0.25)));
  EXPECT_THAT((std::vector<float>{At(stairs, 9), At(stairs, 10), At(stairs, 19)}),
              ElementsAre(FloatEq(4), FloatEq(1), FloatEq(1)));
}

TEST_P(LearningRates, DecayNaturallyAndByInverseTime) {
  const DecayOptions options = {.learning_rate = 8, .decay_steps = 4, .decay_rate = 0.5};
  EXPECT_THAT(At(NaturalExponentialDecay(scope_, step_, options), 8), FloatEq(8 * std::exp(-1.0f)));
  EXPECT_THAT(At(InverseTimeDecay(scope_, step_, options), 8), FloatEq(4));
  EXPECT_THAT(At(InverseTimeDecay(scope_, step_, options), 0), FloatEq(8));
}

TEST_P(LearningRates, DecayAlongAPolynomial) {
  const PolynomialDecayOptions options = {
      .learning_rate = 5, .decay_steps = 4, .end_learning_rate = 1, .power = 2, .cycle = false};
  const Output once = PolynomialDecay(scope_, step_, options);
  EXPECT_THAT((std::vector<float>{At(once, 0), At(once, 2), At(once, 4), At(once, 6)}),
              ElementsAre(FloatEq(5), FloatEq(2), FloatEq(1), FloatEq(1)));
  PolynomialDecayOptions cycling = options;
  cycling.cycle = true;
  const Output again = PolynomialDecay(scope_, step_, cycling);
  EXPECT_THAT((std::vector<float>{At(again, 0), At(again, 4), At(again, 6), At(again, 8)}),
              ElementsAre(FloatEq(5), FloatEq(1), FloatEq(1.25), FloatEq(1)));
}

TEST_P(LearningRates, DecayAlongACosine) {
  const Output rate = CosineDecay(scope_, step_, {.learning_rate = 2, .decay_steps = 4, .alpha = 0.5});
  EXPECT_THAT((std::vector<float>{At(rate, 0), At(rate, 2), At(rate, 4), At(rate, 9)}),
              ElementsAre(FloatEq(2), FloatEq(1.5), FloatEq(1), FloatEq(1)));
}

// The second decay is as long as two, the third as four.
TEST_P(LearningRates, RestartTheirCosines) {
  const CosineRestartsOptions options = {.learning_rate = 8, .first_decay_steps = 4, .t_mul = 2, .m_mul = 0.5};
  const Output longer = CosineDecayRestarts(scope_, step_, options);
  EXPECT_THAT((std::vector<float>{At(longer, 0), At(longer, 2), At(longer, 8), At(longer, 20)}),
              ElementsAre(FloatEq(8), FloatEq(4), FloatEq(2), FloatEq(1)));
  CosineRestartsOptions equal_options = options;
  equal_options.t_mul = 1;
  equal_options.alpha = 0.5;
  const Output equal = CosineDecayRestarts(scope_, step_, equal_options);
  EXPECT_THAT((std::vector<float>{At(equal, 2), At(equal, 4), At(equal, 6)}),
              ElementsAre(FloatEq(6), FloatEq(6), FloatEq(5)));
  equal_options.t_mul = 0.5;
  EXPECT_TRUE(Refuses([&] { CosineDecayRestarts(scope_, step_, equal_options); }, Code::kInvalidArgument, "t_mul"));
}

TEST_P(LearningRates, DecayAlongALineTimesACosine) {
  const LinearCosineOptions options = {.learning_rate = 4, .decay_steps = 8, .num_periods = 1, .alpha = 1, .beta = 0.5};
  const Output rate = LinearCosineDecay(scope_, step_, options);
  // (1 + 1) · 1 + ½, then (1 + ½) · 0 + ½, then (1 + 0) · 1 + ½, each times 4.
  EXPECT_THAT((std::vector<float>{At(rate, 0), At(rate, 4), At(rate, 8), At(rate, 9)}),
              ElementsAre(FloatEq(10), FloatEq(2), FloatEq(6), FloatEq(6)));
  const Output silent = NoisyLinearCosineDecay(scope_, step_, options, /*initial_variance=*/0);
  EXPECT_THAT(At(silent, 4), FloatEq(2));
  const Output noisy = NoisyLinearCosineDecay(scope_, step_, options, /*initial_variance=*/1, 0.5, /*seed=*/7);
  EXPECT_NE(At(noisy, 0), 10) << "noise on the line";
  EXPECT_THAT(At(noisy, 4), FloatEq(2)) << "the cosine is zero, whatever the line is";
}

TEST_P(LearningRates, AreConstantInPieces) {
  const Output rate = PiecewiseConstant(scope_, step_, {2, 5}, {1, 0.5, 0.25});
  EXPECT_THAT((std::vector<float>{At(rate, 0), At(rate, 2), At(rate, 3), At(rate, 5), At(rate, 6)}),
              ElementsAre(1, 1, 0.5, 0.5, 0.25));
  EXPECT_TRUE(Refuses([&] { PiecewiseConstant(scope_, step_, {2}, {1}); }, Code::kInvalidArgument, "one rate more"));
  EXPECT_TRUE(Refuses([&] { PiecewiseConstant(scope_, step_, {2, 2}, {1, 2, 3}); }, Code::kInvalidArgument, "grow"));
  EXPECT_TRUE(Refuses([&] { CosineDecay(scope_, step_, {.decay_steps = 0}); }, Code::kInvalidArgument, "0 steps"));
}

// The first step that float32 does not have: it would be that of the boundary.
TEST_P(LearningRates, TellEachStepFromTheNext) {
  constexpr int64_t kBoundary = int64_t{1} << 24;
  const Output rate = PiecewiseConstant(scope_, step_, {kBoundary}, {1, 0.5});
  EXPECT_THAT((std::vector<float>{At(rate, kBoundary), At(rate, kBoundary + 1)}), ElementsAre(1, 0.5));
  const Output of_int32 = PiecewiseConstant(scope_, Int(1 << 24) + 1, {kBoundary, int64_t{1} << 40}, {1, 0.5, 0.25});
  EXPECT_THAT(Value(of_int32), ElementsAre(0.5)) << "the last boundary is beyond all int32 steps";
}
PLUMB_ON_EACH_BACKEND(LearningRates);

class Training : public OnEachBackend {
 protected:
  // The average of decay 0.5 that a variable of 8 has after it became 0, by then of so many updates.
  std::vector<double> AverageOf8And0(DType dtype, Output num_updates) {
    const Variable w = MakeVariable(scope_, AsType(Float(8), dtype));
    ExponentialMovingAverage average({.decay = 0.5, .num_updates = num_updates});
    const NodeId clear = scope_.Add("Assign", {w.ref(), AsType(Float(0), dtype)});
    NodeId update = NodeId::kNone;
    {
      const auto after = scope_.After({clear});
      update = average.Apply(scope_, {w});
    }
    const NodeId init = InitializeAll(scope_);
    Program program(scope_, OpenSession(GetParam()));
    program.Run(init);
    program.Run(update);
    return Numbers(program.Fetch(AsType(average.Average(w).value(), DType::kFloat)));
  }
  // The average of pairs that are fed one after the other, after each of them.
  std::vector<std::vector<float>> AveragesOf(ExponentialMovingAverage& average, Output x,
                                             const std::vector<std::vector<float>>& pairs) {
    const NodeId update = average.Apply(scope_, {}, {x}), init = InitializeAll(scope_);
    Program program(scope_, OpenSession(GetParam()));
    program.Run(init);
    std::vector<std::vector<float>> averages;
    for (const std::vector<float>& pair : pairs) {
      program.Run(update, {{x, MakeTensor<float>({2}, pair)}});
      const std::vector<double> numbers = Numbers(program.Fetch(average.Average(x)));
      averages.emplace_back(numbers.begin(), numbers.end());
    }
    return averages;
  }
  static std::vector<std::string> NamesOf(const std::vector<SavedVariable>& all) {
    std::vector<std::string> names;
    for (const SavedVariable& saved : all) names.push_back(saved.name);
    return names;
  }
};

// The gradient is 1, so the variable falls by 1, then by 1, then by a half.
TEST_P(Training, TheRateFollowsTheGlobalStep) {
  const Variable step = MakeGlobalStep(scope_);
  const Variable w = MakeVariable(scope_, Float(8));
  const Output rate = PiecewiseConstant(scope_, step.value(), {1}, {1, 0.5});
  const NodeId train = Sgd({.learning_rate = rate})->Minimize(scope_, w.value() * 1, &step);
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  for (int i = 0; i < 3; ++i) program.Run(train);
  EXPECT_THAT(Numbers(program.Fetch(w.value())), ElementsAre(5.5));
  EXPECT_EQ(program.Fetch(step.value()).scalar<int64_t>(), 3);
}

// w goes 8, 4, 2; its average 8, 8 − ½·4 = 6, 6 − ½·4 = 4.
TEST_P(Training, AveragesFollowTheirVariables) {
  const Variable w = MakeVariable(scope_, Float(8));
  ExponentialMovingAverage average({.decay = 0.5});
  const NodeId halve = scope_.Add("Assign", {w.ref(), w.value() * 0.5});
  NodeId update = NodeId::kNone;
  {
    const auto after = scope_.After({halve});
    update = average.Apply(scope_, {w});
  }
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  EXPECT_THAT(Numbers(program.Fetch(average.Average(w).value())), ElementsAre(8));
  EXPECT_EQ(average.Average(w).name(), "Variable/ExponentialMovingAverage");
  program.Run(update);
  EXPECT_THAT(Numbers(program.Fetch(average.Average(w).value())), ElementsAre(6));
  program.Run(update);
  EXPECT_THAT(Numbers(program.Fetch(average.Average(w).value())), ElementsAre(4));
}

// (1 + 2) / (10 + 2) is less than the decay.
TEST_P(Training, YoungAveragesForgetFaster) { EXPECT_THAT(AverageOf8And0(DType::kFloat, Int(2)), ElementsAre(2)); }

// 100,000 updates are more than a float16 can count.
TEST_P(Training, AveragesOfHalvesTakeAnyNumberOfUpdates) {
  EXPECT_THAT(AverageOf8And0(DType::kHalf, Constant(scope_, int64_t{100'000})), ElementsAre(4));
}

// The values [4, 8] and [1, 2]: ½ · 4 is 2, and ½ · 2 + ½ · 1 is 1½.
TEST_P(Training, AveragesOfTensorsStartAtZero) {
  const Output x = Input(Shape({2}), "x");
  ExponentialMovingAverage average({.decay = 0.5});
  EXPECT_THAT(AveragesOf(average, x, {{4, 8}, {1, 2}}), ElementsAre(ElementsAre(2, 4), ElementsAre(1.5, 3)));
}

// The first is of ½, the second of ¾ of the values; the third, of ⅞, as TensorFlow has it.
TEST_P(Training, AveragesOfTensorsMayBeFreeOfTheirStart) {
  const Output x = Input(Shape({2}), "x");
  ExponentialMovingAverage average({.decay = 0.5, .zero_debias = true});
  EXPECT_THAT(
      AveragesOf(average, x, {{4, 8}, {1, 2}, {0, -6}}),
      ElementsAre(ElementsAre(4, 8), ElementsAre(2, 4), ElementsAre(FloatEq(0.85714287f), FloatEq(-1.7142857f))));
}

// What an average starts as waits for nothing that its update waits for.
TEST_P(Training, AveragesOfTensorsStartBeforeTheStepsThatTheyFollow) {
  const Variable w = MakeVariable(scope_, Float(1), {.name = "w"});
  const Output more = scope_.Call("AssignAdd", {w.ref(), Float(3)});
  ExponentialMovingAverage average({.decay = 0.5, .zero_debias = true});
  NodeId update = NodeId::kNone;
  Output now;
  {
    const auto after = scope_.After({more.node()});
    now = scope_.Call("Identity", {w.ref()});
    update = average.Apply(scope_, {}, {now});
  }
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  EXPECT_THAT(Numbers(program.Fetch(w)), ElementsAre(1));
  program.Run(update);
  EXPECT_THAT(Numbers(program.Fetch(average.Average(now))), ElementsAre(4));
}

TEST_P(Training, AveragesOfTensorsHaveTensorFlowsNames) {
  const NodeId split = scope_.Add("Split", {Int(0), Floats({1, 2})}, {{"num_split", int64_t{2}}}, "split");
  const Variable w = MakeVariable(scope_, Float(8), {.name = "w"});
  ExponentialMovingAverage average({.decay = 0.5, .zero_debias = true});
  average.Apply(scope_, {w}, {OutputOf(split, 0), OutputOf(split, 1)});
  EXPECT_EQ(average.Average(OutputOf(split, 1)).name(), "split/ExponentialMovingAverage_1");
  EXPECT_THAT(
      NamesOf(SavedByName(scope_)),
      ::testing::UnorderedElementsAre(
          "w", "w/ExponentialMovingAverage", "split/ExponentialMovingAverage", "split/ExponentialMovingAverage_1",
          "split/ExponentialMovingAverage/biased", "split/ExponentialMovingAverage/local_step",
          "split/ExponentialMovingAverage_1/biased", "split/ExponentialMovingAverage_1/local_step"));
}

// As TensorFlow's map: variables that are trained or averaged by their averages' names, the rest by their own.
TEST_P(Training, AveragesAreRestoredInThePlaceOfValues) {
  const Variable w = MakeVariable(scope_, Float(8), {.name = "w"}), step = MakeGlobalStep(scope_);
  const Variable kept = MakeVariable(scope_, Float(1), {.name = "kept", .trainable = false});
  ExponentialMovingAverage average({.decay = 0.5});
  const NodeId update = average.Apply(scope_, {w, kept}), clear = scope_.Add("Assign", {w.ref(), Float(0)});
  const std::vector<SavedVariable> restored = average.VariablesToRestore(scope_);
  const auto names =
      ::testing::UnorderedElementsAre("w/ExponentialMovingAverage", "kept/ExponentialMovingAverage", "global_step");
  EXPECT_THAT(NamesOf(restored), names);
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/m";
  Saver all(scope_, SavedByName(scope_)), averages(scope_, restored);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(InitializeAll(scope_));
  program.Run(clear);
  program.Run(update);
  all.Save(program, path);
  averages.Restore(program, path);
  EXPECT_THAT(Numbers(program.Fetch(w)), ElementsAre(4));
}

// In a graph that only evaluates.
TEST_P(Training, AveragesAreRestoredWithoutBeingKept) {
  MakeVariable(scope_, Float(8), {.name = "w"});
  MakeVariable(scope_, Float(1), {.name = "fixed", .trainable = false});
  EXPECT_THAT(NamesOf(ExponentialMovingAverage({}).VariablesToRestore(scope_)),
              ElementsAre("w/ExponentialMovingAverage", "fixed"));
}

TEST_P(Training, AveragesAreOfGivenFloats) {
  const Variable w = MakeVariable(scope_, Float(1)), count = MakeVariable(scope_, Int(1));
  ExponentialMovingAverage average({});
  EXPECT_TRUE(Refuses([&] { average.Average(w); }, Code::kInvalidArgument, "was not given"));
  EXPECT_TRUE(Refuses([&] { average.Apply(scope_, {count}); }, Code::kInvalidArgument, "int32"));
  EXPECT_TRUE(Refuses([&] { average.Apply(scope_, {w, w}); }, Code::kInvalidArgument, "twice"));
  EXPECT_TRUE(Refuses([&] { average.Apply(scope_, {}, {Int(1)}); }, Code::kInvalidArgument, "int32"));
  const Output long_or_short = Input(PartialShape({-1}), "x");
  EXPECT_TRUE(Refuses([&] { average.Apply(scope_, {}, {long_or_short}); }, Code::kInvalidArgument, "must be known"));
}
PLUMB_ON_EACH_BACKEND(Training);

}  // namespace
}  // namespace plumb
