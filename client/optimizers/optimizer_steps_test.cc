// Several steps of every optimizer, none of its options at a value where it drops out, against its formula. Weights are
// doubles, and compared as floats: that leaves room for their roundings.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <set>

#include "client/embedding/lookup.h"
#include "client/optimizers/optimizer.h"
#include "client/program.h"
#include "client/testing.h"
#include "client/training/global_step.h"
#include "spec/ops/catalogue.h"

namespace plumb {
namespace {

using ::testing::FloatEq;
using ::testing::Pointwise;

constexpr int kSteps = 4;

// A weight, and what the optimizer keeps beside it.
struct Weight {
  double w = 0, a = 0, b = 0, c = 0;
};
using Formula = std::function<void(Weight&, double g, int step)>;  // steps count from 1
struct Case {
  std::string name;
  std::function<std::unique_ptr<Optimizer>(const Variable& global_step)> make;
  Weight start;  // of the slots
  Formula formula;
  // Also those that a sparse gradient leaves out: Adam's, as in TensorFlow, by the moments that they still have.
  bool moves_all_rows = false;
};

double Shrunk(double w, double by) { return std::copysign(std::max(std::abs(w) - by, 0.0), w); }

Case OfMomentum(bool nesterov) {
  const MomentumOptions options = {.learning_rate = 0.25, .momentum = 0.5, .nesterov = nesterov};
  const Formula formula = [nesterov](Weight& x, double g, int) {
    x.a = 0.5 * x.a + g;
    x.w -= nesterov ? 0.25 * (g + 0.5 * x.a) : 0.25 * x.a;
  };
  return {"Momentum", [options](const Variable&) { return Momentum(options); }, {}, formula};
}

// Both options are tensors, which are other numbers with each step.
Case OfChangingMomentum() {
  const auto make = [](const Variable& global_step) {
    const Output next = AsType(global_step.value() + 1, DType::kFloat);
    return Momentum({.learning_rate = next * 0.125, .momentum = next * 0.25});
  };
  const Formula formula = [](Weight& x, double g, int step) {
    x.a = 0.25 * step * x.a + g;
    x.w -= 0.125 * step * x.a;
  };
  return {"Momentum that changes", make, {}, formula};
}

Case OfAdam() {
  const AdamOptions options = {.learning_rate = 0.25, .beta1 = 0.5, .beta2 = 0.75, .epsilon = 0.125};
  const Formula formula = [](Weight& x, double g, int step) {
    x.a = 0.5 * x.a + 0.5 * g;
    x.b = 0.75 * x.b + 0.25 * g * g;
    const double rate = 0.25 * std::sqrt(1 - std::pow(0.75, step)) / (1 - std::pow(0.5, step));
    x.w -= rate * x.a / (std::sqrt(x.b) + 0.125);
  };
  return {"Adam", [options](const Variable&) { return Adam(options); }, {}, formula, true};
}

Case OfAdagrad() {
  const Formula formula = [](Weight& x, double g, int) {
    x.a += g * g;
    x.w -= 0.25 * g / std::sqrt(x.a);
  };
  const AdagradOptions options = {.learning_rate = 0.25, .initial_accumulator = 0.5};
  return {"Adagrad", [options](const Variable&) { return Adagrad(options); }, {.a = 0.5}, formula};
}

Case OfRmsProp() {
  const RmsPropOptions options = {.learning_rate = 0.25, .decay = 0.75, .momentum = 0.5, .epsilon = 0.125};
  const Formula formula = [](Weight& x, double g, int) {
    x.a = 0.75 * x.a + 0.25 * g * g;
    x.b = 0.5 * x.b + 0.25 * g / std::sqrt(x.a + 0.125);
    x.w -= x.b;
  };
  return {"RmsProp", [options](const Variable&) { return RmsProp(options); }, {.a = 1}, formula};
}

Case OfCenteredRmsProp() {
  const RmsPropOptions options = {
      .learning_rate = 0.25, .decay = 0.75, .momentum = 0.5, .epsilon = 0.125, .centered = true};
  const Formula formula = [](Weight& x, double g, int) {
    x.a = 0.75 * x.a + 0.25 * g * g;
    x.c = 0.75 * x.c + 0.25 * g;
    x.b = 0.5 * x.b + 0.25 * g / std::sqrt(x.a - x.c * x.c + 0.125);
    x.w -= x.b;
  };
  return {"RmsProp, centered", [options](const Variable&) { return RmsProp(options); }, {.a = 1}, formula};
}

Case OfFtrl(double l1, double l2_shrinkage = 0) {
  const FtrlOptions options = {.learning_rate = 0.25,
                               .learning_rate_power = -0.75,
                               .initial_accumulator = 0.5,
                               .l1 = l1,
                               .l2 = 0.125,
                               .l2_shrinkage = l2_shrinkage};
  const Formula formula = [l1, l2_shrinkage](Weight& x, double g, int) {
    const double old = std::pow(x.a, 0.75), now = std::pow(x.a + g * g, 0.75);
    x.a += g * g;
    x.b += g + 2 * l2_shrinkage * x.w - (now - old) / 0.25 * x.w;
    x.w = -Shrunk(x.b, l1) / (now / 0.25 + 2 * 0.125);
  };
  return {Str("Ftrl, l1 = ", l1, ", l2_shrinkage = ", l2_shrinkage),
          [options](const Variable&) { return Ftrl(options); },
          {.a = 0.5},
          formula};
}

Case OfAdadelta() {
  const AdadeltaOptions options = {.learning_rate = 0.5, .rho = 0.25, .epsilon = 0.125};
  const Formula formula = [](Weight& x, double g, int) {
    x.a = 0.25 * x.a + 0.75 * g * g;
    const double step = std::sqrt(x.b + 0.125) / std::sqrt(x.a + 0.125) * g;
    x.b = 0.25 * x.b + 0.75 * step * step;
    x.w -= 0.5 * step;
  };
  return {"Adadelta", [options](const Variable&) { return Adadelta(options); }, {}, formula};
}

Case OfAdagradDa() {
  const auto make = [](const Variable& global_step) {
    return AdagradDa({.learning_rate = 0.5,
                      .global_step = global_step,
                      .initial_gradient_squared_accumulator = 0.25,
                      .l1 = 0.125,
                      .l2 = 0.375});
  };
  const Formula formula = [](Weight& x, double g, int step) {
    x.a += g;
    x.b += g * g;
    x.w = -0.5 * Shrunk(x.a, 0.125 * step) / (0.375 * 0.5 * step + std::sqrt(x.b));
  };
  return {"AdagradDa", make, {.b = 0.25}, formula};
}

Case OfProximalGradientDescent() {
  const ProximalGradientDescentOptions options = {.learning_rate = 0.25, .l1 = 0.5, .l2 = 0.125};
  const Formula formula = [](Weight& x, double g, int) {
    x.w = Shrunk(x.w - 0.25 * g, 0.25 * 0.5) / (1 + 0.25 * 0.125);
  };
  const auto make = [options](const Variable&) { return ProximalGradientDescent(options); };
  return {"ProximalGradientDescent", make, {}, formula};
}

Case OfProximalAdagrad() {
  const ProximalAdagradOptions options = {.learning_rate = 0.25, .initial_accumulator = 0.5, .l1 = 0.375, .l2 = 0.125};
  const Formula formula = [](Weight& x, double g, int) {
    x.a += g * g;
    const double rate = 0.25 / std::sqrt(x.a);
    x.w = Shrunk(x.w - rate * g, rate * 0.375) / (1 + rate * 0.125);
  };
  return {"ProximalAdagrad", [options](const Variable&) { return ProximalAdagrad(options); }, {.a = 0.5}, formula};
}

std::vector<Case> Cases() {
  const Formula down = [](Weight& x, double g, int) { x.w -= 0.25 * g; };
  return {{"Sgd", [](const Variable&) { return Sgd({.learning_rate = 0.25}); }, {}, down},
          OfMomentum(false),
          OfMomentum(true),
          OfChangingMomentum(),
          OfAdam(),
          OfAdagrad(),
          OfRmsProp(),
          OfCenteredRmsProp(),
          OfFtrl(0.375),
          OfFtrl(100),
          OfFtrl(0.375, 0.0625),
          OfAdadelta(),
          OfAdagradDa(),
          OfProximalGradientDescent(),
          OfProximalAdagrad()};
}

class OptimizerSteps : public OnEachBackend {
 protected:
  // Rows of two weights after each of the steps down Σ ½ c w², for the c of each weight, of the rows that `rows` names:
  // a row that is named twice counts twice. Without rows: of all.
  std::vector<std::vector<float>> Trajectory(const Case& of, const std::vector<int32_t>& rows) {
    Scope scope;
    const auto doubles = [&](const std::vector<double>& values) {
      return Constant(scope, MakeTensor<double>({3, 2}, values));
    };
    const Variable weights = MakeVariable(scope, doubles(kStart)), global_step = MakeGlobalStep(scope);
    const Output ids = Constant(scope, MakeTensor<int32_t>({static_cast<int64_t>(rows.size())}, rows));
    const auto picked = [&](Output all) { return rows.empty() ? all : EmbeddingLookup(scope, {all}, ids); };
    const Output w = rows.empty() ? weights.value() : EmbeddingLookup(scope, {weights}, ids);
    const Output squares = w * w * picked(doubles(kSteepness)) * 0.5;
    const Output loss = scope.Call("Sum", {squares, Constant<int32_t>(scope, {0, 1})});
    const NodeId train = of.make(global_step)->Minimize(scope, loss, &global_step);
    const NodeId init = InitializeAll(scope);
    Program program(scope, OpenSession(GetParam()));
    program.Run(init);
    std::vector<std::vector<float>> trajectory;
    for (int step = 1; step <= kSteps; ++step) {
      program.Run(train);
      const Tensor now = program.Fetch(weights.value());
      trajectory.emplace_back(now.data<double>().begin(), now.data<double>().end());
    }
    return trajectory;
  }

  static std::vector<float> Expected(const Case& of, const std::vector<double>& times_read, int steps, bool is_sparse) {
    std::vector<float> weights;
    for (size_t i = 0; i < kStart.size(); ++i) {
      Weight x = of.start;
      x.w = kStart[i];
      const double times = times_read[i / 2];
      for (int step = 1; step <= steps; ++step) {
        if (times > 0 || !is_sparse || of.moves_all_rows) of.formula(x, times * kSteepness[i] * x.w, step);
      }
      weights.push_back(static_cast<float>(x.w));
    }
    return weights;
  }

  void Check(const Case& of, const std::vector<int32_t>& rows, const std::vector<double>& times_read) {
    const auto trajectory = Trajectory(of, rows);
    for (int step = 1; step <= kSteps; ++step) {
      EXPECT_THAT(trajectory[static_cast<size_t>(step - 1)],
                  Pointwise(FloatEq(), Expected(of, times_read, step, !rows.empty())))
          << of.name << ", step " << step;
    }
  }

  const inline static std::vector<double> kStart = {1, -2, 0.5, 3, -1.5, 2.5};
  const inline static std::vector<double> kSteepness = {0.5, 1, 1.5, 0.25, 0.75, 1.25};
};

TEST_P(OptimizerSteps, FollowTheirFormulas) {
  for (const Case& of : Cases()) Check(of, {}, {1, 1, 1});
}

// Row 1 is read twice, row 0 never.
TEST_P(OptimizerSteps, OfSlicesFollowThemToo) {
  for (const Case& of : Cases()) Check(of, {1, 2, 1}, {0, 2, 1});
}

// Row 0 is read by the first step alone.
TEST_P(OptimizerSteps, LeaveTheBitsOfRowsThatAreNotRead) {
  for (const Case& of : Cases()) {
    Scope scope;
    const Variable weights = MakeVariable(scope, Constant(scope, MakeTensor<double>({3, 2}, kStart)));
    const Variable global_step = MakeGlobalStep(scope);
    const Output ids = scope.Call("Placeholder", {}, {{"dtype", DType::kInt32}, {"shape", PartialShape({-1})}});
    const Output read = EmbeddingLookup(scope, {weights}, ids);
    const Output loss = scope.Call("Sum", {read * read, Constant<int32_t>(scope, {0, 1})});
    const NodeId train = of.make(global_step)->Minimize(scope, loss, &global_step);
    const NodeId init = InitializeAll(scope);
    Program program(scope, OpenSession(GetParam()));
    program.Run(init);
    const auto first_row_after = [&](const std::vector<int32_t>& rows) {
      program.Run(train, {{ids, MakeTensor<int32_t>({static_cast<int64_t>(rows.size())}, rows)}});
      const Tensor now = program.Fetch(weights.value());
      return std::array{std::bit_cast<int64_t>(now.data<double>()[0]), std::bit_cast<int64_t>(now.data<double>()[1])};
    };
    const auto before = first_row_after({0, 1});
    EXPECT_EQ(first_row_after({1, 2, 1}) != before, of.moves_all_rows) << of.name;
  }
}

PLUMB_ON_EACH_BACKEND(OptimizerSteps);

TEST(OptimizersOfSlices, UseEveryOpThatThereIsForThem) {
  const auto is_of_slices = [](const OpDef& op) { return op.name.starts_with("SparseApply"); };
  std::set<std::string> used, all;
  for (const Case& of : Cases()) {
    Scope scope;
    const Variable weights = MakeVariable(scope, Filled(scope, DType::kFloat, {2, 1}, 1));
    const Output read = EmbeddingLookup(scope, {weights}, Constant(scope, {0}));
    of.make(MakeGlobalStep(scope))->Minimize(scope, scope.Call("Sum", {read, Constant(scope, {0, 1})}));
    for (const Node& node : scope.builder().graph().nodes()) {
      if (is_of_slices(*node.op)) used.insert(node.op->name);
    }
  }
  for (const OpDef* op : AllOps()) {
    if (is_of_slices(*op)) all.insert(op->name);
  }
  all.erase("SparseApplyAdagradV2");  // Keras's, whose divisor has an epsilon
  EXPECT_EQ(used, all);
}

}  // namespace
}  // namespace plumb
