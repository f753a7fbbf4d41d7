// L-BFGS against the inverse Hessian that its two loops stand for, written out as a matrix. Weights are doubles, and
// compared as floats: that leaves room for their roundings. Then what holds wherever it goes.
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>

#include "client/embedding/lookup.h"
#include "client/gradients.h"
#include "client/optimizers/optimizer.h"
#include "client/program.h"
#include "client/testing.h"

namespace plumb {
namespace {

constexpr size_t kSize = 3;
constexpr int kSteps = 6;
constexpr double kRate = 0.75;
using Vector = std::array<double, kSize>;
using Square = std::array<Vector, kSize>;

// The loss is ½ wᵀ A w.
constexpr Square kA = {Vector{2, 0.5, 0}, Vector{0.5, 1, -0.25}, Vector{0, -0.25, 0.5}};
constexpr Vector kStart = {1, -2, 4};

double Dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector Times(const Square& m, const Vector& v) { return {Dot(m[0], v), Dot(m[1], v), Dot(m[2], v)}; }
Vector Minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Square Times(const Square& a, const Square& b) {
  Square product = {};
  for (size_t i = 0; i < kSize; ++i) {
    for (size_t j = 0; j < kSize; ++j) {
      for (size_t k = 0; k < kSize; ++k) product[i][j] += a[i][k] * b[k][j];
    }
  }
  return product;
}
// factor · identity − scale · a bᵀ.
Square WithoutOuter(double factor, double scale, const Vector& a, const Vector& b) {
  Square m = {};
  for (size_t i = 0; i < kSize; ++i) {
    for (size_t j = 0; j < kSize; ++j) m[i][j] = (i == j ? factor : 0) - scale * a[i] * b[j];
  }
  return m;
}

struct Pair {
  Vector step, change;
};

// Nocedal and Wright, (7.16): H ← (1 − s yᵀ / sᵀy) H (1 − y sᵀ / sᵀy) + s sᵀ / sᵀy for each pair, the oldest first,
// from sᵀy / yᵀy of the last.
Square InverseHessian(const std::deque<Pair>& pairs) {
  if (pairs.empty()) return WithoutOuter(1, 0, {}, {});
  const auto& [last_step, last_change] = pairs.back();
  Square h = WithoutOuter(Dot(last_step, last_change) / Dot(last_change, last_change), 0, {}, {});
  for (const auto& [s, y] : pairs) {
    const double inverse = 1 / Dot(s, y);
    h = Times(Times(WithoutOuter(1, inverse, s, y), h), WithoutOuter(1, inverse, y, s));
    const Square more = WithoutOuter(0, -inverse, s, s);
    for (size_t i = 0; i < kSize; ++i) {
      for (size_t j = 0; j < kSize; ++j) h[i][j] += more[i][j];
    }
  }
  return h;
}

std::vector<std::vector<float>> Textbook(size_t history) {
  std::vector<std::vector<float>> trajectory;
  std::deque<Pair> pairs;
  Vector w = kStart;
  for (int step = 0; step < kSteps; ++step) {
    const Vector gradient = Times(kA, w);
    const Vector direction = Times(InverseHessian(pairs), gradient);
    double length = 0;
    for (const double slope : gradient) length += std::abs(slope);
    const double rate = kRate * (step == 0 ? 1 / std::max(length, 1.0) : 1);
    Vector next = w;
    for (size_t i = 0; i < kSize; ++i) next[i] -= rate * direction[i];
    pairs.push_back({Minus(next, w), Minus(Times(kA, next), gradient)});
    if (pairs.size() > history) pairs.pop_front();
    w = next;
    trajectory.emplace_back(w.begin(), w.end());
  }
  return trajectory;
}

class LbfgsSteps : public OnEachBackend {
 protected:
  std::vector<std::vector<float>> Trajectory(int history) {
    Scope scope;
    std::vector<double> numbers;
    for (const Vector& row : kA) numbers.insert(numbers.end(), row.begin(), row.end());
    const Output a = Constant(scope, MakeTensor<double>({3, 3}, numbers));
    const Variable w = MakeVariable(scope, Constant(scope, MakeTensor<double>({3, 1}, {1, -2, 4})));
    const Output squares = w * scope.Call("MatMul", {a, w}) * 0.5;
    const Output loss = scope.Call("Sum", {squares, Constant<int32_t>(scope, {0, 1})});
    const NodeId train = Lbfgs({.learning_rate = kRate, .history = history})->Minimize(scope, loss);
    const NodeId init = InitializeAll(scope);
    Program program(scope, OpenSession(GetParam()));
    program.Run(init);
    std::vector<std::vector<float>> trajectory;
    for (int step = 0; step < kSteps; ++step) {
      program.Run(train);
      const Tensor now = program.Fetch(w.value());
      trajectory.emplace_back(now.data<double>().begin(), now.data<double>().end());
    }
    return trajectory;
  }
};

// A history of one pair, one that the steps fill and outgrow, and one that they do not fill.
TEST_P(LbfgsSteps, AreTheTextbooks) {
  for (const int history : {1, 2, 3, 10}) {
    const auto actual = Trajectory(history), expected = Textbook(static_cast<size_t>(history));
    for (int step = 0; step < kSteps; ++step) {
      const auto at = static_cast<size_t>(step);
      EXPECT_THAT(actual[at], ::testing::Pointwise(::testing::FloatEq(), expected[at]))
          << "history " << history << ", step " << step + 1;
    }
  }
}

PLUMB_ON_EACH_BACKEND(LbfgsSteps);

double EpsilonOf(DType dtype) {
  if (dtype == DType::kDouble) return std::numeric_limits<double>::epsilon();
  if (dtype == DType::kFloat) return std::numeric_limits<float>::epsilon();
  constexpr int kFractionBitsOfHalf = 10;
  return std::ldexp(1, -kFractionBitsOfHalf);
}

class LbfgsAtTheBottom : public OnEachBackend {
 protected:
  // How far the weight that is farthest from it is from the bottom of Σ d (w − bottom)², after each of the steps.
  std::vector<double> Distances(DType dtype, double rate, double bottom) {
    Scope scope;
    const auto numbers = [&](const std::vector<double>& values) {
      return AsType(Constant(scope, MakeTensor<double>({3}, values)), dtype);
    };
    const Variable w = MakeVariable(scope, numbers({1, -2, 4}));
    const Output away = w.value() - bottom;
    const Output loss = scope.Call("Sum", {numbers({0.5, 1, 2}) * away * away, Constant<int32_t>(scope, {0})});
    const NodeId train = Lbfgs({.learning_rate = rate})->Minimize(scope, loss);
    const NodeId init = InitializeAll(scope);
    const Output distance =
        scope.Call("Max", {scope.Call("Abs", {AsType(away, DType::kDouble)}), Constant(scope, int32_t{0})});
    Program program(scope, OpenSession(GetParam()));
    program.Run(init);
    std::vector<double> distances;
    for (int step = 0; step < kSteps; ++step) {
      program.Run(train);
      distances.push_back(program.Fetch(distance).scalar<double>());
    }
    return distances;
  }

  static constexpr int kDescent = 60, kSteps = 90;
  static constexpr double kFarthest = 4;  // at the start
};

// Around zero all that is multiplied becomes ever smaller, until it underflows; around another number the weights end
// at its neighbours.
TEST_P(LbfgsAtTheBottom, StaysThere) {
  for (const DType dtype : {DType::kFloat, DType::kDouble, DType::kHalf}) {
    for (const double rate : {0.5, 0.75, 1.0, 1.25}) {
      for (const double bottom : {0.0, 1.5}) {
        const std::vector<double> distances = Distances(dtype, rate, bottom);
        EXPECT_THAT(std::vector<double>(distances.begin() + kDescent, distances.end()),
                    ::testing::Each(::testing::Le(kFarthest * EpsilonOf(dtype))))
            << DTypeName(dtype) << ", rate " << rate << ", bottom " << bottom;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Backends, LbfgsAtTheBottom, ::testing::Values("reference", "cpu"));

// How many rows a step reads is known when it runs. Two slices of row 1 have a sum of 2, which makes a first step of
// length 1.
class LbfgsOfSlices : public OnEachBackend {};
TEST_P(LbfgsOfSlices, NeedsNoKnownNumberOfThem) {
  const Variable rows = MakeVariable(scope_, Matrix(3, 1, {1, 2, 3}));
  const Output ids = Input(PartialShape({-1}), "ids", DType::kInt32);
  const Output read = EmbeddingLookup(scope_, {rows}, ids);
  const NodeId train = Lbfgs({})->Minimize(scope_, Call("Sum", {read, Constant<int32_t>(scope_, {0, 1})}));
  const NodeId init = InitializeAll(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  program.Run(train, {{ids, MakeTensor<int32_t>({2}, {1, 1})}});
  EXPECT_THAT(Numbers(program.Fetch(rows.value())), ::testing::ElementsAre(1, 1, 3));
}
PLUMB_ON_EACH_BACKEND(LbfgsOfSlices);

class LbfgsMemory : public OnEachBackend {
 protected:
  using Updates = std::function<std::vector<NodeId>(Scope& scope, const std::vector<VariableGradient>& gradients)>;

  // Two variables after steps that run the updates in turn, and how many variables there are in all.
  std::pair<std::vector<double>, size_t> After(const Updates& make, int steps) {
    Scope scope;
    const Variable a = MakeVariable(scope, Constant(scope, 3.0F));
    const Variable b = MakeVariable(scope, Constant(scope, {4.0F, -1.0F}));
    const Output squares = scope.Call("Sum", {b * b * Constant(scope, {1.0F, 0.25F}), Constant(scope, int32_t{0})});
    const auto slopes = Gradients(scope.builder(), {squares + a * a * 0.5 + a * squares * 0.125}, {a.ref(), b.ref()});
    const std::vector<NodeId> updates = make(scope, {{a, slopes[0]}, {b, slopes[1]}});
    const NodeId init = InitializeAll(scope);
    Program program(scope, OpenSession(GetParam()));
    program.Run(init);
    for (int step = 0; step < steps; ++step) program.Run(updates[static_cast<size_t>(step) % updates.size()]);
    std::vector<double> weights = Numbers(program.Fetch(b.value()));
    weights.push_back(Numbers(program.Fetch(a.value()))[0]);
    return {weights, scope.variables().size()};
  }
};

TEST_P(LbfgsMemory, IsOneForAllUpdatesOfTheSameVariables) {
  const auto once = [](Scope& scope, const std::vector<VariableGradient>& gradients) {
    return std::vector<NodeId>{Lbfgs({})->Apply(scope, gradients)};
  };
  const auto twice = [](Scope& scope, const std::vector<VariableGradient>& gradients) {
    const auto lbfgs = Lbfgs({});
    const std::vector<VariableGradient> backwards(gradients.rbegin(), gradients.rend());
    return std::vector<NodeId>{lbfgs->Apply(scope, gradients), lbfgs->Apply(scope, backwards)};
  };
  EXPECT_EQ(After(once, 5), After(twice, 5));
}

TEST_P(LbfgsMemory, IsAnotherForOtherVariables) {
  const auto each = [](Scope& scope, const std::vector<VariableGradient>& gradients, auto&& optimizer_of) {
    std::vector<NodeId> updates;
    for (const VariableGradient& one : gradients) updates.push_back(optimizer_of()->Apply(scope, {&one, 1}));
    return updates;
  };
  const auto by_one = [&](Scope& scope, const std::vector<VariableGradient>& gradients) {
    const std::shared_ptr<Optimizer> lbfgs = Lbfgs({});
    return each(
        scope, gradients, [&]() -> const auto& { return lbfgs; });
  };
  const auto by_two = [&](Scope& scope, const std::vector<VariableGradient>& gradients) {
    return each(scope, gradients, [] { return Lbfgs({}); });
  };
  EXPECT_EQ(After(by_one, 10), After(by_two, 10));
}
PLUMB_ON_EACH_BACKEND(LbfgsMemory);

}  // namespace
}  // namespace plumb
