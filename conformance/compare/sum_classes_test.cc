// The class of sums against errors that were measured on real kernels (testdata/measured_sums.txt): it lets honest
// kernels pass, whatever their order, and not much more.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "conformance/compare/compare.h"
#include "conformance/compare/elements.h"
#include "reference/kernel/kernel_testing.h"
#include "spec/files/source_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

using reference::KernelCall;
using reference::Value;

struct Measured {
  std::string op;
  int64_t terms;
  std::map<DType, double> units;  // of u·Σ|aᵢ·bᵢ|
};

std::vector<Measured> ReadMeasured() {
  std::ifstream file(SourcePath("conformance/compare/testdata/measured_sums.txt"));
  std::vector<Measured> all;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::string bar;
    Measured one;
    fields >> one.op >> bar >> one.terms >> bar >> one.units[DType::kFloat] >> bar >> one.units[DType::kDouble];
    all.push_back(one);
  }
  return all;
}

Tensor Of(DType type, Shape shape, const std::vector<double>& numbers) {
  Tensor tensor(type, shape);
  if (type == DType::kFloat) std::copy(numbers.begin(), numbers.end(), tensor.mutable_data<float>().begin());
  if (type == DType::kDouble) std::copy(numbers.begin(), numbers.end(), tensor.mutable_data<double>().begin());
  return tensor;
}

// Terms of changing signs, each a little larger than the one before: sums so far are as small as a term, whatever the
// order says of their size.
std::vector<double> Terms(int64_t count) {
  std::vector<double> terms;
  for (int64_t i = 0; i < count; ++i) {
    const double size = 1 + static_cast<double>(i) / 1024;
    terms.push_back(i % 2 == 0 ? size : -size);
  }
  return terms;
}

// The reference's answer to the sum of these terms.
Value SumOf(const Measured& sum, DType type, const Accuracy& accuracy) {
  const int64_t n = sum.terms;
  const std::vector<double> terms = Terms(n), ones(static_cast<size_t>(n), 1);
  KernelCall call{.op = sum.op, .inputs = {}, .accuracy = accuracy};
  if (sum.op == "MatMul") {
    call.inputs = {Of(type, {1, n}, terms), Of(type, {n, 1}, ones)};
    call.attrs = {{"transpose_a", false}, {"transpose_b", false}};
  } else if (sum.op == "UnsortedSegmentSum") {
    Tensor ids(DType::kInt32, {n});
    for (int32_t& id : ids.mutable_data<int32_t>()) id = 0;
    call.inputs = {Of(type, {n}, terms), ids, MakeScalar<int32_t>(1)};
  } else if (sum.op == "BiasAddGrad") {
    call.inputs = {Of(type, {n, 1}, terms)};
  } else {
    call.inputs = {Of(type, {n}, terms), MakeScalar<int32_t>(0)};
    call.attrs = {{"keep_dims", false}};
  }
  return call();
}

// Whether a kernel passes that is off by so many units of u·Σ|aᵢ·bᵢ|.
bool Passes(const Measured& sum, DType type, const Accuracy& accuracy, double units) {
  const Value expected = SumOf(sum, type, accuracy);
  const double exact = ToDoubles(expected.tensor).at(0), u = Spacing(type, 1) / 2;
  double size = 0;
  for (const double term : Terms(sum.terms)) size += std::fabs(term);
  const auto is_taken = [&](double side) {
    const Tensor off = Of(type, expected.tensor.shape(), {exact + side * units * u * size});
    return Compare(off, expected, {}).ok();
  };
  return is_taken(-1) && is_taken(1);
}

// What no order of the terms errs by: a unit for each. The reference adds in float64, whose own errors are as many
// again on either side.
double MostOfAnyOrder(const Measured& sum, DType type) {
  const auto terms = static_cast<double>(sum.terms);
  return type == DType::kDouble ? 3 * terms : terms;
}

// What the figures have against a class; empty: nothing.
std::string Objection(const Measured& sum, const Accuracy& accuracy) {
  for (const auto& [type, units] : sum.units) {
    if (!Passes(sum, type, accuracy, units)) return "honest kernels fail";
    if (!Passes(sum, type, accuracy, MostOfAnyOrder(sum, type) / 2)) return "an order of the terms fails";
    if (Passes(sum, type, accuracy, 1.5 * MostOfAnyOrder(sum, type))) return "more than any order errs is taken";
  }
  return "";
}

TEST(SumClasses, AreThoseOfRealKernels) {
  const std::vector<Measured> all = ReadMeasured();
  ASSERT_EQ(all.size(), 8u);
  for (const Measured& sum : all) {
    const OpDef& op = GetOp(sum.op);
    EXPECT_EQ(op.accuracy.kind, AccuracyClass::kSummation) << sum.op;
    EXPECT_EQ(Objection(sum, op.accuracy), "") << sum.op << " of " << sum.terms;
  }
}

// kComposed is none for these kernels: they add in one way, whose bound holds for every order.
TEST(SumClasses, AClassThatIsAnotherIsNoticed) {
  for (const Measured& sum : ReadMeasured()) EXPECT_NE(Objection(sum, Exact()), "") << sum.op;
}

}  // namespace
}  // namespace plumb::conformance
