// The accuracy classes of the catalogue against errors that were measured on real kernels
// (testdata/measured_errors.txt): a class must let honest kernels pass, and not much more.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <sstream>

#include "conformance/compare/compare.h"
#include "conformance/compare/elements.h"
#include "reference/kernel/kernel_testing.h"
#include "spec/files/source_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

struct Measured {
  double ulps, at;
};
using ByType = std::map<DType, Measured>;

std::map<std::string, ByType> ReadMeasured() {
  std::ifstream file(SourcePath("conformance/compare/testdata/measured_errors.txt"));
  std::map<std::string, ByType> measured;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::string op, bar;
    fields >> op;
    for (const DType type : {DType::kFloat, DType::kDouble, DType::kHalf}) {
      Measured& one = measured[op][type];
      fields >> bar >> one.ulps >> one.at;
    }
  }
  return measured;
}

// What the figures have against a class; empty: nothing. Errors of float64 are judged with those of float32, and those
// of bfloat16 are those of float16.
std::string Objection(const Accuracy& accuracy, const ByType& measured) {
  const double wide = std::max(measured.at(DType::kFloat).ulps, measured.at(DType::kDouble).ulps);
  const double narrow = measured.at(DType::kHalf).ulps;
  if (accuracy.kind == AccuracyClass::kExact) return wide > 0.5 || narrow > 0.5 ? "not exact" : "";
  if (accuracy.ulps < wide || accuracy.narrow_ulps < narrow) return "honest kernels fail";
  if (accuracy.ulps >= 2 * wide || accuracy.narrow_ulps >= 2 * narrow) return "twice what real kernels err";
  return "";
}

// The ops of the catalogue that the classes kExact and kUlps judge and of which figures are known.
std::map<const OpDef*, ByType> JudgedOps() {
  std::map<const OpDef*, ByType> judged;
  for (const auto& [name, measured] : ReadMeasured()) {
    const OpDef* op = FindOp(name);
    if (op == nullptr) continue;
    const AccuracyClass kind = op->accuracy.kind;
    if (kind == AccuracyClass::kUlps && op->accuracy.scale_ulps == 0) judged.emplace(op, measured);
  }
  return judged;
}

TEST(AccuracyClasses, AreThoseOfRealKernels) {
  const auto judged = JudgedOps();
  EXPECT_GE(judged.size(), 6u);
  for (const auto& [op, measured] : judged) EXPECT_EQ(Objection(op->accuracy, measured), "") << op->name;
}

TEST(AccuracyClasses, AClassThatIsAnotherIsNoticed) {
  for (const auto& [op, measured] : JudgedOps()) {
    for (const double factor : {1.0 / 16, 0.5, 2.0, 16.0}) {
      Accuracy wide = op->accuracy, narrow = op->accuracy;
      wide.ulps *= factor;
      narrow.narrow_ulps *= factor;
      EXPECT_NE(Objection(wide, measured), "") << op->name << ", " << factor;
      EXPECT_NE(Objection(narrow, measured), "") << op->name << ", " << factor;
    }
    EXPECT_NE(Objection(Exact(), measured), "") << op->name;
  }
}

// Of the others no figure is known.
TEST(AccuracyClasses, FiguresAreKnownOfAllButThese) {
  std::set<std::string> unknown;
  const auto measured = ReadMeasured();
  for (const OpDef* op : AllOps()) {
    if (op->accuracy.kind == AccuracyClass::kUlps && !measured.contains(op->name)) unknown.insert(op->name);
  }
  const std::set<std::string> expected = {"BesselK0", "BesselK0e",  "BesselK1",   "BesselK1e", "Dawsn",
                                          "Pow",      "FresnelCos", "FresnelSin", "Spence"};
  EXPECT_EQ(unknown, expected);
}

// ---- The same through the comparator: a kernel that errs by so many units at the worst argument
// ----------------------

// ψ, by its asymptotic series beyond 20 and the recurrence below, for numbers next to a zero: there half of the digits
// cancel.
double Digamma(double at) {
  const auto x = static_cast<long double>(at);
  if (x < 0.5L)
    return static_cast<double>(-std::numbers::pi_v<long double> / std::tan(std::numbers::pi_v<long double> * x)) +
           Digamma(static_cast<double>(1 - x));
  long double far = x, sum = 0;
  for (; far < 20; ++far) sum -= 1 / far;
  const long double square = 1 / (far * far);
  // B₂ₖ / 2k.
  constexpr long double kTerms[] = {1.0L / 12,  -1.0L / 120,     1.0L / 252, -1.0L / 240,
                                    1.0L / 132, -691.0L / 32760, 1.0L / 12};
  long double series = 0, power = square;
  for (const long double term : kTerms) series += term * power, power *= square;
  return static_cast<double>(sum + std::log(far) - 1 / (2 * far) - series);
}

const std::map<std::string, std::function<double(double)>>& Formulas() {
  static const std::map<std::string, std::function<double(double)>> formulas = {
      {"Exp", [](double x) { return std::exp(x); }},
      {"Log", [](double x) { return std::log(x); }},
      {"Log1p", [](double x) { return std::log1p(x); }},
      {"Rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"Tanh", [](double x) { return std::tanh(x); }},
      {"Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"Sin", [](double x) { return std::sin(x); }},
      {"Cos", [](double x) { return std::cos(x); }},
      {"Tan", [](double x) { return std::tan(x); }},
      {"Asin", [](double x) { return std::asin(x); }},
      {"Acos", [](double x) { return std::acos(x); }},
      {"Atan", [](double x) { return std::atan(x); }},
      {"Sinh", [](double x) { return std::sinh(x); }},
      {"Cosh", [](double x) { return std::cosh(x); }},
      {"Asinh", [](double x) { return std::asinh(x); }},
      {"Acosh", [](double x) { return std::acosh(x); }},
      {"Atanh", [](double x) { return std::atanh(x); }},
      {"Expm1", [](double x) { return std::expm1(x); }},
      {"Reciprocal", [](double x) { return 1 / x; }},
      {"Softsign", [](double x) { return x / (1 + std::fabs(x)); }},
      {"Lgamma", [](double x) { return std::lgamma(x); }},
      {"Erfc", [](double x) { return std::erfc(x); }},
      {"Erf", [](double x) { return std::erf(x); }},
      {"Digamma", Digamma},
      {"Elu", [](double x) { return x > 0 ? x : std::expm1(x); }},
      {"Selu", [](double x) { return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x)); }},
      {"Softplus", [](double x) { return std::log1p(std::exp(x)); }},
  };
  return formulas;
}

Tensor ScalarOf(DType type, double value) {
  switch (type) {
    case DType::kFloat:
      return MakeScalar<float>(static_cast<float>(value));
    case DType::kDouble:
      return MakeScalar<double>(value);
    case DType::kHalf:
      return MakeScalar<Half>(Half(static_cast<float>(value)));
    default:
      return MakeScalar<BFloat16>(BFloat16(static_cast<float>(value)));
  }
}

// A number of the type on that side of `exact` that is within so many units of it, and off by most of them.
double Erring(DType type, double exact, double ulps, double side) {
  const double unit = Spacing(type, exact);
  for (double share = 1; share > 0; share -= 1.0 / 64) {
    const double candidate = ToDoubles(ScalarOf(type, exact + side * share * ulps * unit)).at(0);
    if (std::fabs(candidate - exact) <= ulps * unit) return candidate;
  }
  return exact;
}

// Whether a kernel passes that errs by `ulps` at `at`, upwards and downwards, when the op has this class.
bool Passes(const std::string& op, const Accuracy& accuracy, DType type, double at, double ulps) {
  const Tensor x = ScalarOf(type, at);
  const double exact = Formulas().at(op)(ToDoubles(x).at(0));
  const reference::Value expected = reference::KernelCall{.op = op, .inputs = {x}, .accuracy = accuracy}();
  bool all = true;
  for (const double side : {-1.0, 1.0}) {
    all = all && Compare(ScalarOf(type, Erring(type, exact, ulps, side)), expected, {}).ok();
  }
  return all;
}

TEST(AccuracyClasses, HonestKernelsPassAndOthersFail) {
  for (const auto& [op, measured] : JudgedOps()) {
    ASSERT_TRUE(Formulas().contains(op->name)) << op->name;
    double largest = 0;
    for (const auto& [type, figure] : measured) {
      EXPECT_TRUE(Passes(op->name, op->accuracy, type, figure.at, figure.ulps)) << op->name << " " << DTypeName(type);
      EXPECT_FALSE(Passes(op->name, op->accuracy, type, figure.at, 16 * std::max(1.0, figure.ulps))) << op->name;
      if (type != DType::kHalf) largest = std::max(largest, figure.ulps);
    }
    // A class of a quarter refuses the worst of them, wherever in its binade the result lies.
    Accuracy tight = op->accuracy;
    tight.ulps /= 4;
    for (const auto& [type, figure] : measured) {
      if (figure.ulps == largest && largest > 2.5) {
        EXPECT_FALSE(Passes(op->name, tight, type, figure.at, figure.ulps)) << op->name;
      }
    }
  }
}

// ---- Formulas of several steps: their class is a running bound, which is judged where real kernels err most
// ----------

// The ops that the class kComposed judges and of which figures are known.
std::map<const OpDef*, ByType> ComposedOps() {
  std::map<const OpDef*, ByType> composed;
  for (const auto& [name, measured] : ReadMeasured()) {
    const OpDef* op = FindOp(name);
    if (op != nullptr && op->accuracy.kind == AccuracyClass::kComposed) composed.emplace(op, measured);
  }
  return composed;
}

// A running bound adds up what seldom comes together; but it is no more than so many times what is seen.
constexpr double kMostGranted = 24;

// What the figures have against the class of a formula; empty: nothing. In float32, whose units the classes count, also
// that it grants too much: float16 is rounded once, whatever the class, and to float64 the reference's own errors come.
std::string ObjectionToFormula(const std::string& op, const Accuracy& accuracy, const ByType& measured) {
  for (const auto& [type, figure] : measured) {
    if (!Passes(op, accuracy, type, figure.at, figure.ulps)) return Str("honest kernels of ", DTypeName(type), " fail");
  }
  const Measured& figure = measured.at(DType::kFloat);
  if (Passes(op, accuracy, DType::kFloat, figure.at, kMostGranted * figure.ulps))
    return "far more than is seen is taken";
  return "";
}

TEST(ComposedClasses, AreThoseOfRealKernels) {
  const auto composed = ComposedOps();
  EXPECT_GE(composed.size(), 5u);
  for (const auto& [op, measured] : composed) {
    EXPECT_EQ(ObjectionToFormula(op->name, op->accuracy, measured), "") << op->name;
  }
}

TEST(ComposedClasses, AClassThatIsAnotherIsNoticed) {
  for (const auto& [op, measured] : ComposedOps()) {
    const double ulps = op->accuracy.ulps;
    for (const Accuracy& other : {Exact(), Composed(ulps / 32), Composed(ulps * 16)}) {
      EXPECT_NE(ObjectionToFormula(op->name, other, measured), "") << op->name << ", " << other.ulps;
    }
  }
}

}  // namespace
}  // namespace plumb::conformance
