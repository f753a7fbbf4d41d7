// Random rounding, whose samples set the measured limit, is itself judged: by what uniform draws from ± the bound do.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "conformance/compare/elements.h"
#include "reference/kernel/kernel_testing.h"
#include "reference/numbers/perturb.h"

namespace plumb::conformance {
namespace {

using reference::Value;

constexpr int64_t kMany = 4096;
constexpr double kBound = 0.125;

Value Bounded() {
  Tensor ones(DType::kDouble, {kMany});
  for (double& one : ones.mutable_data<double>()) one = 1;
  return reference::WithBound(ones, std::vector<double>(kMany, kBound));
}

// By how much each number was moved, in bounds.
std::vector<double> Moves(uint64_t seed, int64_t execution) {
  Value value = Bounded();
  reference::Perturb({&value}, seed, execution);
  std::vector<double> moves = ToDoubles(value.tensor);
  for (double& move : moves) move = (move - 1) / kBound;
  return moves;
}

// What speaks against so many draws from [-1, 1]; empty: nothing. The limits are six deviations of the statistic.
std::string Objection(const std::vector<double>& moves) {
  const double n = static_cast<double>(moves.size());
  double sum = 0, squares = 0, products = 0;
  for (size_t i = 0; i < moves.size(); ++i) {
    if (std::fabs(moves[i]) > 1) return "beyond the bound";
    sum += moves[i];
    squares += moves[i] * moves[i];
    products += moves[i] * moves[(i + 1) % moves.size()];
  }
  if (std::fabs(sum / n) > 6 * std::sqrt(1 / (3 * n))) return "leans to one side";
  if (std::fabs(squares / n - 1.0 / 3) > 6 * std::sqrt(4 / (45 * n))) return "too near or too far";
  if (std::fabs(products / n) > 6 * std::sqrt(1 / (9 * n))) return "neighbours move alike";
  return "";
}

TEST(RandomRounding, MovesEvenlyWithinTheBound) {
  for (const uint64_t seed : {1, 2, 3}) EXPECT_EQ(Objection(Moves(seed, 7)), "");
}

TEST(RandomRounding, AWrongSamplerIsNoticed) {
  const std::vector<double> honest = Moves(1, 7);
  const auto spoiled = [&](const std::function<double(double, size_t)>& spoil) {
    std::vector<double> moves = honest;
    for (size_t i = 0; i < moves.size(); ++i) moves[i] = spoil(honest[i], i);
    return Objection(moves);
  };
  EXPECT_EQ(spoiled([](double, size_t) { return 0; }), "too near or too far");
  EXPECT_EQ(spoiled([](double move, size_t) { return move / 2; }), "too near or too far");
  EXPECT_EQ(spoiled([](double move, size_t) { return std::copysign(1, move); }), "too near or too far");
  EXPECT_EQ(spoiled([](double move, size_t) { return 2 * move; }), "beyond the bound");
  EXPECT_EQ(spoiled([](double move, size_t) { return std::fabs(move); }), "leans to one side");
  EXPECT_EQ(spoiled([&](double, size_t i) { return honest[i / 2]; }), "neighbours move alike");
}

TEST(RandomRounding, HangsOnSeedAndExecutionAlone) {
  EXPECT_EQ(Moves(1, 7), Moves(1, 7));
  EXPECT_NE(Moves(1, 7), Moves(2, 7));
  EXPECT_NE(Moves(1, 7), Moves(1, 8));
}

TEST(RandomRounding, LeavesWhatIsExactAndLosesWhatIsUnknown) {
  Value value = reference::WithBound(MakeVector<double>({1, 2, 3}), {0, 0, INFINITY});
  reference::Perturb({&value}, 1, 1);
  EXPECT_EQ(value.tensor.data<double>()[0], 1);
  EXPECT_EQ(value.tensor.data<double>()[1], 2);
  EXPECT_TRUE(std::isnan(value.tensor.data<double>()[2]));
}

}  // namespace
}  // namespace plumb::conformance
