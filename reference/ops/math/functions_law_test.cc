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

// An op on one double, if it is one that rounds.
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
    return rounds && op.inputs.size() == 1 && op.outputs.size() == 1 && op.inputs[0].type_attr == "T" &&
           op.outputs[0].type_attr == "T" && op.shape_pattern == "[d...] -> [d...]" && type != nullptr &&
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

constexpr double kPoints[] = {-25, -6.2, -2.7, -1, -0.6, -1e-3, 0, 0.2, 0.3, 0.5, 0.8, 1, 1.4, 2, 3.7, 5.3, 11, 25, 70};

// By differences on both sides; nothing where there are no values, or where these have an edge.
std::optional<double> SlopeByDifferences(const Function& f, double x) {
  constexpr double kStep = 1e-4;
  const double below = f.At(x - kStep), at = f.At(x), above = f.At(x + kStep);
  if (!std::isfinite(below + at + above)) return std::nullopt;
  const double left = (at - below) / kStep, right = (above - at) / kStep;
  const double bend = std::fabs(f.At(x - 2 * kStep) - 2 * below + at) / kStep;
  if (!(std::fabs(right - left) <= 4 * bend + 1e-6 * (std::fabs(left) + std::fabs(at)))) return std::nullopt;
  // The fourth power of the step is lost.
  const double far = (f.At(x + 2 * kStep) - f.At(x - 2 * kStep)) / (4 * kStep), near = (above - below) / (2 * kStep);
  return near + (near - far) / 3;
}

TEST(FunctionsLaw, TangentsAreSlopes) {
  int compared = 0;
  for (const Function& f : Functions()) {
    for (const double x : kPoints) {
      const std::optional<double> slope = SlopeByDifferences(f, x);
      if (!slope) continue;
      const double size = std::fabs(f.At(x)) + 1;  // slopes near zero are differences of such numbers
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
        EXPECT_GE(stated, farthest) << f.name() << " at " << x << " ± " << bound;
        if (!std::isfinite(stated) || bound > 0.1) continue;
        EXPECT_LE(stated, 2 * std::max(farthest, bound)) << f.name() << " at " << x << " ± " << bound;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 600);
}

}  // namespace
}  // namespace plumb::reference
