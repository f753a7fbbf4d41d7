// L-BFGS against the inverse Hessian that its two loops stand for, written out as a matrix. Weights are doubles, and
// compared as floats: that leaves room for their roundings.
#include <algorithm>
#include <array>
#include <deque>

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

}  // namespace
}  // namespace plumb
