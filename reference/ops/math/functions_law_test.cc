// Laws of the functions of one number: the tangent is the slope, at points where a formula has a case of its own too,
// and the bound holds whatever the argument may be, and not much else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "reference/kernel/kernel_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::reference {
namespace {

// An op on one double, if it is one that rounds and not one of steps, whose gradient is that of what it rounds.
class Function {
 public:
  explicit Function(const OpDef& op) : op_(op) {
    for (const AttrDef& attr : op.attrs) {
      if (attr.default_value) attrs_.emplace(attr.name, *attr.default_value);
    }
    attrs_.insert_or_assign("T", DType::kDouble);
  }

  static bool Is(const OpDef& op) {
    const AttrDef* type = op.FindAttr("T");
    const bool rounds = op.accuracy.kind == AccuracyClass::kUlps || op.accuracy.kind == AccuracyClass::kComposed;
    return rounds && op.name.find("Quantize") == std::string::npos && op.inputs.size() == 1 && op.outputs.size() == 1 &&
           op.inputs[0].type_attr == "T" && op.outputs[0].type_attr == "T" && op.shape_pattern == "[d...] -> [d...]" &&
           type != nullptr &&
           std::find(type->allowed_types.begin(), type->allowed_types.end(), DType::kDouble) !=
               type->allowed_types.end() &&
           FindKernel(op.name) != nullptr;
  }

  const std::string& name() const { return op_.name; }
  double At(double x) const { return Of(MakeScalar(x)).tensor.scalar<double>(); }
  double SlopeAt(double x) const { return Tangents(Of(WithTangent(MakeScalar(x), {1})))[0]; }
  double BoundAt(double x, double bound) const { return Bounds(Of(WithBound(MakeScalar(x), {bound})))[0]; }

 private:
  Value Of(Value x) const {
    return KernelCall{.op = op_.name, .inputs = {std::move(x)}, .attrs = attrs_, .accuracy = op_.accuracy}();
  }

  const OpDef& op_;
  AttrMap attrs_;
};

std::vector<Function> Functions() {
  std::vector<Function> functions;
  for (const OpDef* op : AllOps()) {
    if (Function::Is(*op)) functions.emplace_back(*op);
  }
  return functions;
}

// What may be lost of a difference of two results.
constexpr double kRounding = 0x1p-20;
constexpr double kPoints[] = {-25, -6.2, -2.7, -1, -0.6, 0, 0.2, 0.3, 0.5, 0.8, 1, 1.4, 2, 3.7, 5.3, 11, 25, 70};

// By differences on both sides; nothing where there are no values, or where these or their slopes have an edge.
std::optional<double> SlopeByDifferences(const Function& f, double x) {
  constexpr double kStep = 1e-4;
  const auto at = [&](int steps) { return f.At(x + kStep * steps); };
  const auto bend = [&](int steps) { return (at(steps + 1) - 2 * at(steps) + at(steps - 1)) / (kStep * kStep); };
  for (int steps = -2; steps <= 2; ++steps) {
    if (!std::isfinite(at(steps))) return std::nullopt;
  }
  const double left = bend(-1), middle = bend(0), right = bend(1);
  const double noise = 1e-6 * (1 + std::fabs(at(0)) + std::fabs(at(1) - at(-1)) / kStep);
  const auto are_close = [&](double a, double b) {
    return std::fabs(a - b) <= 0.05 * (std::fabs(a) + std::fabs(b)) + noise;
  };
  if (!are_close(left, middle) || !are_close(middle, right)) return std::nullopt;
  // The fourth power of the step is lost.
  const double far = (at(2) - at(-2)) / (4 * kStep), near = (at(1) - at(-1)) / (2 * kStep);
  if (!(std::fabs(near - far) <= 1e-5 * std::fabs(near) + noise)) return std::nullopt;  // next to a pole
  return near + (near - far) / 3;
}

TEST(FunctionsLaw, TangentsAreSlopes) {
  int compared = 0;
  for (const Function& f : Functions()) {
    for (const double x : kPoints) {
      const std::optional<double> slope = SlopeByDifferences(f, x);
      if (!slope) continue;
      const double size = 2 * std::fabs(f.At(x)) + 3;  // slopes near zero are differences of such numbers
      EXPECT_FLOAT_EQ(static_cast<float>(f.SlopeAt(x) + size), static_cast<float>(*slope + size))
          << f.name() << " at " << x;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

// What an argument that is off by its bound makes of the result; infinite next to a pole.
double FarthestFrom(const Function& f, double x, double bound) {
  constexpr int kParts = 16;
  double farthest = 0;
  for (int k = -kParts; k <= kParts; ++k) {
    const double moved = std::fabs(f.At(x + bound * k / kParts) - f.At(x));
    if (!std::isnan(moved)) farthest = std::max(farthest, moved);
  }
  return farthest;
}

TEST(FunctionsLaw, BoundsHoldAndSayMuch) {
  int compared = 0;
  for (const Function& f : Functions()) {
    for (const double x : kPoints) {
      if (!std::isfinite(f.At(x))) continue;
      for (const double bound : {1e-6, 1e-3, 0.4}) {
        const double farthest = FarthestFrom(f, x, bound), stated = f.BoundAt(x, bound);
        EXPECT_GE(stated, farthest * (1 - kRounding)) << f.name() << " at " << x << " ± " << bound;
        if (!std::isfinite(stated) || bound > 0.1) continue;
        EXPECT_LE(stated, 5 * std::max(farthest, bound)) << f.name() << " at " << x << " ± " << bound;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 600);
}

}  // namespace
}  // namespace plumb::reference
