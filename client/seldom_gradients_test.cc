// Gradients that no law draws: of samples, of sums along axes of int64, of running logarithms of small types, of what
// optionals hold.
#include <algorithm>
#include <cmath>
#include <map>

#include "client/gradients.h"
#include "client/ops.h"
#include "client/testing.h"

namespace plumb {
namespace {

// Half of how far the next number is from 1.
double UnitOf(DType type) {
  const std::map<DType, double> units = {
      {DType::kHalf, 0x1p-11}, {DType::kBfloat16, 0x1p-8}, {DType::kFloat, 0x1p-24}, {DType::kDouble, 0x1p-53}};
  return units.at(type);
}

class SeldomGradients : public OnEachBackend {
 protected:
  Output Double(double value) { return Constant(scope_, MakeScalar(value)); }
  std::vector<double> Doubles(const std::vector<Output>& fetches) {
    std::vector<double> all;
    for (const Tensor& tensor : Evaluate(GetParam(), scope_, fetches)) {
      all.insert(all.end(), tensor.data<double>().begin(), tensor.data<double>().end());
    }
    return all;
  }
};
PLUMB_ON_EACH_BACKEND(SeldomGradients);

// A sample at a share u between two bounds stays at that share: with z, a and b in deviations from the mean it moves
// with the lower bound by (1 - u)·φ(a)/φ(z), with the upper one by u·φ(b)/φ(z), and by 1 and z with mean and deviation.
TEST_P(SeldomGradients, OfSamplesBetweenBounds) {
  const double mean = 0.5, deviation = 2, low = -1, high = 3;
  const std::vector<Output> parameters = {Double(mean), Double(deviation), Double(low), Double(high)};
  const Output shape = Constant(scope_, MakeVector<int32_t>({1})), seed = Constant(scope_, MakeVector<int64_t>({3, 5}));
  const Output y = Call("StatelessParameterizedTruncatedNormal",
                        {shape, seed, parameters[0], parameters[1], parameters[2], parameters[3]});
  const std::vector<Output> gradients = DenseGradients({y}, parameters);
  const std::vector<double> values = Doubles({y, gradients[0], gradients[1], gradients[2], gradients[3]});
  const double z = (values[0] - mean) / deviation, a = (low - mean) / deviation, b = (high - mean) / deviation;
  const auto below = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  const auto ratio = [&](double x) { return std::exp((z * z - x * x) / 2); };
  const double among = below(b) - below(a), u = (below(z) - below(a)) / among;
  const std::vector<double> expected = {1, z, (1 - u) * ratio(a), u * ratio(b)};
  // Of either side: three deviations, three shares, their two differences and a quotient, two squares, their
  // difference, an exponential, a product. Each rounds a number of this size, and a difference of shares is divided by
  // another.
  constexpr int kSteps = 2 * 14;
  const double size = std::max({1.0, ratio(a), ratio(b)}), limit = kSteps * UnitOf(DType::kDouble) * size / among;
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(values[i + 1], expected[i], limit) << i;
}

TEST_P(SeldomGradients, OfReductionsAlongAxesOfInt64) {
  const Output x = Matrix(2, 2, {1, 2, 3, 4}), axes = Constant(scope_, MakeVector<int64_t>({-1}));
  EXPECT_EQ(Value(DenseGradients({Call("Sum", {x, axes})}, {x})[0]), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(Value(DenseGradients({Call("Prod", {x, axes})}, {x})[0]), (std::vector<double>{2, 1, 4, 3}));
  EXPECT_EQ(Value(DenseGradients({Call("Max", {x, axes})}, {x})[0]), (std::vector<double>{0, 1, 0, 1}));
}

// Of one element the running logarithm is the element itself; of equal ones each has an equal share.
TEST_P(SeldomGradients, OfRunningLogarithmsOfSmallTypes) {
  for (const DType type : {DType::kHalf, DType::kBfloat16, DType::kFloat, DType::kDouble}) {
    const Output x = Call("Cast", {Floats({0, 0})}, {{"DstT", type}});
    const Output y = Call("CumulativeLogsumexp", {x, Constant(scope_, MakeScalar<int32_t>(0))});
    const Output gradient = Call("Cast", {DenseGradients({y}, {x})[0]}, {{"DstT", DType::kFloat}});
    const std::vector<double> shares = Value(gradient);
    // The logarithms of two sums, a difference of logarithms, a sum and an exponential for either sign, and the
    // difference of both, each rounded to the type; the last cast rounds to float.
    constexpr int kSteps = 2 * 5 + 1;
    const double limit = kSteps * std::max(UnitOf(type), UnitOf(DType::kFloat));
    EXPECT_NEAR(shares.at(0), 1.5, limit) << DTypeName(type);
    EXPECT_NEAR(shares.at(1), 0.5, limit) << DTypeName(type);
  }
}

TEST_P(SeldomGradients, OfWhatAnOptionalHolds) {
  const Output x = Float(3), y = Float(4);
  const std::vector<DType> types(2, DType::kFloat);
  const Output held = Call("OptionalFromValue", {x, y}, {{"Toutput_types", types}});
  const NodeId parts = scope_.builder().Add(
      "OptionalGetValue", {held.endpoint},
      {{"output_types", types}, {"output_shapes", std::vector<PartialShape>(2, PartialShape({}))}});
  const Output first{&scope_.builder(), Endpoint{parts, 0}}, second{&scope_.builder(), Endpoint{parts, 1}};
  const std::vector<Output> gradients = DenseGradients({first * first * second}, {x, y});
  EXPECT_EQ(Value(gradients[0]), std::vector<double>{24});
  EXPECT_EQ(Value(gradients[1]), std::vector<double>{9});
}

}  // namespace
}  // namespace plumb
