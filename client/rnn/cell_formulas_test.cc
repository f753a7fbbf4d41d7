// Single steps of every cell with gates that are neither shut nor open, biases, several units and tanh, against the
// formulas of cells.h. Cells compute in doubles, and are compared as floats: that leaves room for their roundings.
#include <algorithm>
#include <cmath>

#include "client/program.h"
#include "client/rnn/cells.h"
#include "client/testing.h"

namespace plumb {
namespace {

using Row = std::vector<double>;

constexpr int64_t kInputs = 2, kUnits = 3;

// The numbers of a weight, by their place.
double OfKernel(int64_t i) { return static_cast<double>(i * 7 % 11 - 5) / 8; }
double OfBias(int64_t i) { return static_cast<double>(i * 5 % 7 - 3) / 4; }
Initializer Numbered(double (*number)(int64_t)) {
  return [number](Scope& scope, DType, const Shape& shape) {
    std::vector<double> numbers;
    for (int64_t i = 0; i < shape.elements(); ++i) numbers.push_back(number(i));
    return Constant(scope, MakeTensor<double>(shape, numbers));
  };
}

const Row kX = {0.5, -0.75}, kH = {0.25, 1, -0.5}, kC = {1, -1.5, 0.625};

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
Row Joined(Row a, const Row& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
// row · kernel + bias, of a kernel as wide as `columns`.
Row Affine(const Row& row, int64_t columns, bool has_bias = true) {
  Row result;
  for (int64_t column = 0; column < columns; ++column) {
    double sum = has_bias ? OfBias(column) : 0;
    for (size_t i = 0; i < row.size(); ++i) sum += row[i] * OfKernel(static_cast<int64_t>(i) * columns + column);
    result.push_back(sum);
  }
  return result;
}
std::vector<float> Floats32(const Row& row) { return {row.begin(), row.end()}; }

class CellFormulas : public OnEachBackend {
 protected:
  // The output and the parts of the state after a step.
  void Check(const CellPtr& cell, const std::vector<Row>& state, const std::vector<Row>& expected) {
    const auto row = [&](const Row& of) {
      return Constant(scope_, MakeTensor<double>({1, static_cast<int64_t>(of.size())}, of));
    };
    RnnState rows;
    for (const Row& part : state) rows.push_back(row(part));
    const RnnStep step = cell->Next(scope_, row(kX), rows);
    const NodeId init = InitializeAll(scope_);
    Program program(scope_, OpenSession(GetParam()));
    program.Run(init);
    std::vector<Output> fetches = {step.output};
    fetches.insert(fetches.end(), step.state.begin(), step.state.end());
    const std::vector<Tensor> values = program.Fetch(fetches);
    ASSERT_EQ(values.size(), expected.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const auto numbers = values[i].data<double>();
      EXPECT_THAT(Floats32({numbers.begin(), numbers.end()}),
                  ::testing::Pointwise(::testing::FloatEq(), Floats32(expected[i])))
          << "part " << i;
    }
  }

  const CellOptions options_ = {.kernel = Numbered(OfKernel), .bias = Numbered(OfBias)};
};
PLUMB_ON_EACH_BACKEND(CellFormulas);

TEST_P(CellFormulas, BasicRnn) {
  Row h = Affine(Joined(kX, kH), kUnits);
  for (double& number : h) number = std::tanh(number);
  Check(BasicRnnCell(kUnits, options_), {kH}, {h, h});
}

TEST_P(CellFormulas, Gru) {
  const Row gates = Affine(Joined(kX, kH), 2 * kUnits);
  Row reset, h;
  for (size_t i = 0; i < kUnits; ++i) reset.push_back(Sigmoid(gates[i]) * kH[i]);
  const Row candidate = Affine(Joined(kX, reset), kUnits);
  for (size_t i = 0; i < kUnits; ++i) {
    const double update = Sigmoid(gates[kUnits + i]);
    h.push_back(update * kH[i] + (1 - update) * std::tanh(candidate[i]));
  }
  Check(GruCell(kUnits, options_), {kH}, {h, h});
}

TEST_P(CellFormulas, BasicLstm) {
  const Row gates = Affine(Joined(kX, kH), 4 * kUnits);
  Row c, h;
  for (size_t i = 0; i < kUnits; ++i) {
    c.push_back(Sigmoid(gates[2 * kUnits + i] + 0.375) * kC[i] + Sigmoid(gates[i]) * std::tanh(gates[kUnits + i]));
    h.push_back(Sigmoid(gates[3 * kUnits + i]) * std::tanh(c[i]));
  }
  Check(BasicLstmCell(kUnits, 0.375, options_), {kC, kH}, {h, c, h});
}

// With peepholes, of which each is the same numbers here, a projection on two numbers, and clips that cut some numbers.
TEST_P(CellFormulas, Lstm) {
  constexpr int64_t kProjection = 2;
  constexpr double kCellClip = 0.25, kProjectionClip = 0.046875;
  LstmOptions options;
  options.forget_bias = 0.375;
  options.use_peepholes = true;
  options.cell = options_;
  options.cell_clip = kCellClip;
  options.projection = kProjection;
  options.projection_clip = kProjectionClip;
  const Row before = {0.25, -0.5};
  const Row gates = Affine(Joined(kX, before), 4 * kUnits);
  Row c, h;
  bool is_clipped = false;
  for (size_t i = 0; i < kUnits; ++i) {
    const double peephole = OfKernel(static_cast<int64_t>(i));
    const double free = Sigmoid(gates[2 * kUnits + i] + 0.375 + peephole * kC[i]) * kC[i] +
                        Sigmoid(gates[i] + peephole * kC[i]) * std::tanh(gates[kUnits + i]);
    c.push_back(std::clamp(free, -kCellClip, kCellClip));
    is_clipped |= c[i] != free;
    h.push_back(Sigmoid(gates[3 * kUnits + i] + peephole * c[i]) * std::tanh(c[i]));
  }
  EXPECT_TRUE(is_clipped);
  const Row free = Affine(h, kProjection, /*has_bias=*/false);
  Row projected;
  for (const double number : free) projected.push_back(std::clamp(number, -kProjectionClip, kProjectionClip));
  EXPECT_NE(projected, free);
  Check(LstmCell(kUnits, options), {kC, before}, {projected, c, projected});
}

}  // namespace
}  // namespace plumb
