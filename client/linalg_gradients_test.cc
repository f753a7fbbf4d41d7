// Gradients of eigenvalues and least squares against what calculus says of them.
#include <cmath>
#include <limits>
#include <numeric>

#include "client/gradients.h"
#include "client/ops.h"
#include "client/testing.h"

namespace plumb {
namespace {

class LinalgGradients : public OnEachBackend {
 protected:
  Output Doubles(const Shape& shape, const std::vector<double>& values) {
    return Constant(scope_, MakeTensor<double>(shape, values));
  }
  // The same value, of whose shape nothing is known before the run.
  Output Unshaped(Output x) { return Call("PlaceholderWithDefault", {x}, {{"shape", PartialShape::Unknown()}}); }
  std::vector<double> Evaluated(Output fetch) {
    const Tensor result = Evaluate(GetParam(), scope_, {fetch})[0];
    return {result.data<double>().begin(), result.data<double>().end()};
  }
  Output RealPart(Output z) { return Call("Real", {z}, {{"Tout", DType::kDouble}}); }
  Output Total(Output x) {
    const Output flat = Call("Reshape", {x, Constant(scope_, MakeVector<int32_t>({-1}))});
    return Call("Sum", {flat, Constant(scope_, MakeVector<int32_t>({0}))});
  }
  // Decompositions, solutions and products of n rows are stable backwards: off by n units of what they are made of
  // (Golub and Van Loan, sections 3.5 and 7.5). A gradient is no more than kSteps of them one behind the other, of
  // numbers of this size, and what one is off by the others multiply by the condition at most.
  static double Limit(int rows, double size, double condition) {
    constexpr int kSteps = 8;
    return kSteps * rows * std::numeric_limits<double>::epsilon() * size * condition;
  }
  static void ExpectNear(const std::vector<double>& actual, const std::vector<double>& expected, double limit) {
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], limit) << i;
  }
  // ‖V‖·‖V⁻¹‖.
  double ConditionOf(Output v) {
    const auto norm = [&](Output x) { return std::sqrt(Evaluated(Total(RealPart(x * Call("Conj", {x}))))[0]); };
    return norm(v) * norm(Call("MatrixInverse", {v}));
  }
};
PLUMB_ON_EACH_BACKEND(LinalgGradients);

// Σλ² is the trace of A², whose derivative is 2Aᵀ, with and without vectors.
TEST_P(LinalgGradients, OfTheSquaresOfEigenvalues) {
  const Output a = Doubles({3, 3}, {1, 2, 0.5, -3, 0.25, 1, 2, -1, 4});
  const NodeId eig = scope_.builder().Add("Eig", {a.endpoint}, {{"Tout", DType::kComplex128}});
  const double condition = ConditionOf({&scope_.builder(), Endpoint{eig, 1}});
  for (const bool with_vectors : {true, false}) {
    const Output e = Call("Eig", {a}, {{"compute_v", with_vectors}, {"Tout", DType::kComplex128}});
    const Output loss = Total(RealPart(e * e));
    const std::vector<double> expected = {2, -6, 4, 4, 0.5, -2, 1, 2, 8};
    const double size = std::sqrt(std::inner_product(expected.begin(), expected.end(), expected.begin(), 0.0));
    ExpectNear(Evaluated(DenseGradients({loss}, {a})[0]), expected, Limit(3, size, condition));
  }
}

// The vectors of {1 x; 0 2} are (1, 0) and (x, 1)/√(x²+1). The sum of the squares of the absolute values of the first
// row, each times its own weight, is w(1) + w(2)·x²/(x²+1): by x that is w(2)·2x/(x²+1)².
TEST_P(LinalgGradients, OfUnitEigenvectors) {
  const double x = 0.75;
  const Output a = Doubles({2, 2}, {1, x, 0, 2});
  const NodeId eig = scope_.builder().Add("Eig", {a.endpoint}, {{"Tout", DType::kComplex128}});
  const Output v{&scope_.builder(), Endpoint{eig, 1}};
  const Output squares = RealPart(v * Call("Conj", {v}));
  const Output loss = Total(squares * Doubles({2, 2}, {5, 3, 0, 0}));
  const double square = x * x + 1;
  const std::vector<double> gradient = Evaluated(DenseGradients({loss}, {a})[0]);
  ASSERT_EQ(gradient.size(), 4u);
  // The values are 1 apart, and the weights are 5 and 3.
  ExpectNear({gradient[1]}, {3 * 2 * x / (square * square)}, Limit(2, 5 + 3, ConditionOf(v)));
}

// One column c and one side b: X = (c·b)/(c·c + λ). Of c·cᵀ + λ the condition is 5.5/0.5.
TEST_P(LinalgGradients, OfLeastSquaresOnOneColumn) {
  const Output known = Doubles({2, 1}, {1, 2}), b = Doubles({2, 1}, {3, -1}), lambda = Doubles({}, {0.5});
  for (const Output& c : {known, Unshaped(known)}) {
    const Output x = Call("MatrixSolveLs", {c, b, lambda});
    const double d = 5.5, product = 1, limit = Limit(2, 3 + 1, d / 0.5);
    const auto gradients = DenseGradients({x}, {c, b});
    ExpectNear(Evaluated(gradients[0]), {3 / d - 2 * product * 1 / (d * d), -1 / d - 2 * product * 2 / (d * d)}, limit);
    ExpectNear(Evaluated(gradients[1]), {1 / d, 2 / d}, limit);
  }
}

// One row r and one number b: X = r·b/(r·r + λ), of which the first element is taken.
TEST_P(LinalgGradients, OfLeastSquaresOnOneRow) {
  const Output known = Doubles({1, 2}, {1, 2}), b = Doubles({1, 1}, {3}), lambda = Doubles({}, {0.5});
  for (const Output& r : {known, Unshaped(known)}) {
    const Output x = Call("MatrixSolveLs", {r, b, lambda});
    const double d = 5.5, limit = Limit(2, 3, d / 0.5);
    const auto gradients = DenseGradients({x * Doubles({2, 1}, {1, 0})}, {r, b});
    ExpectNear(Evaluated(gradients[0]), {3 / d - 2 * 3 / (d * d), -2 * 2 * 3 / (d * d)}, limit);
    ExpectNear(Evaluated(gradients[1]), {1 / d}, limit);
  }
}

// Without a weight only one of the two systems has a solution: AᴴA is singular for a row, AAᴴ for a column.
TEST_P(LinalgGradients, OfLeastSquaresOfUnknownSizesWithoutAWeight) {
  const Output lambda = Doubles({}, {0});
  const Output row = Unshaped(Doubles({1, 2}, {1, 2})), column = Unshaped(Doubles({2, 1}, {1, 2}));
  const Output of_row = Call("MatrixSolveLs", {row, Doubles({1, 1}, {3}), lambda});
  const Output of_column = Call("MatrixSolveLs", {column, Doubles({2, 1}, {3, -1}), lambda});
  const double d = 5, limit = Limit(2, 3 + 1, 1);
  const Output first = of_row * Doubles({2, 1}, {1, 0});
  ExpectNear(Evaluated(DenseGradients({first}, {row})[0]), {3 / d - 2 * 3 / (d * d), -2 * 2 * 3 / (d * d)}, limit);
  ExpectNear(Evaluated(DenseGradients({of_column}, {column})[0]), {3 / d - 2 / (d * d), -1 / d - 2 * 2 / (d * d)},
             limit);
}

TEST_P(LinalgGradients, OfLeastSquaresByADecompositionAreNone) {
  const Output a = Doubles({2, 1}, {1, 2}), lambda = Doubles({}, {0});
  const Output x = Call("MatrixSolveLs", {a, a, lambda}, {{"fast", false}});
  EXPECT_THROW(DenseGradients({x}, {a}), Error);
}

}  // namespace
}  // namespace plumb
