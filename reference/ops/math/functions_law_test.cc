// Laws of the functions of one number: the tangent is the slope, at points where a formula has a case of its own too,
// and the bound holds whatever the argument may be, and not much else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/kernel/kernel_testing.h"
#include "reference/kernel/slope_testing.h"
#include "reference/ops/math/law_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/default_attrs.h"

namespace plumb::reference {
namespace {

// An op on one double, if it is one that rounds and not one of steps, whose gradient is that of what it rounds.
class Function {
 public:
  explicit Function(const OpDef& op) : op_(op) {
    AddDefaults(op, attrs_);
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
  // A tangent is computed in double, in as many steps as the result, whose bound is of as many of its units.
  Within SlopeAt(double x) const {
    const double slope = Tangents(Of(WithTangent(MakeScalar(x), {1})))[0], result = std::fabs(At(x));
    const double units = BoundAt(x, 0) / std::max(result, std::numeric_limits<double>::min());
    return {slope, std::max(units, 0x1p-52) * std::fabs(slope)};
  }
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

constexpr double kPoints[] = {-25, -6.2, -2.7, -1, -0.6, 0, 0.2, 0.3, 0.5, 0.8, 1, 1.4, 2, 3.7, 5.3, 11, 25, 70};

TEST(FunctionsLaw, TangentsAreSlopes) {
  int compared = 0;
  for (const Function& f : Functions()) {
    for (const double x : kPoints) {
      const auto slope = SlopeByDifferences([&](double at) { return Within{f.At(at), f.BoundAt(at, 0)}; }, x);
      if (!slope) continue;
      const Within tangent = f.SlopeAt(x);
      EXPECT_LE(std::fabs(tangent.value - slope->value), slope->bound + tangent.bound) << f.name() << " at " << x;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

// What an argument that is off by its bound makes of the result, and what rounding may add to it; infinite next to a
// pole.
Within FarthestFrom(const Function& f, double x, double bound) {
  constexpr int kParts = 16;
  Within farthest;
  for (int k = -kParts; k <= kParts; ++k) {
    double moved = x + bound * k / kParts;
    if (std::fabs(moved - x) > bound) moved = std::nextafter(moved, x);
    const double change = std::fabs(f.At(moved) - f.At(x));
    if (std::isnan(change)) continue;
    farthest.value = std::max(farthest.value, change);
    farthest.bound = std::max(farthest.bound, f.BoundAt(moved, 0));
  }
  return farthest;
}

TEST(FunctionsLaw, BoundsHoldAndSayMuch) {
  int compared = 0;
  for (const Function& f : Functions()) {
    for (const double x : kPoints) {
      if (!std::isfinite(f.At(x))) continue;
      for (const double bound : {0x1p-20, 0x1p-10, 0.4}) {
        const Within farthest = FarthestFrom(f, x, bound);
        const double stated = f.BoundAt(x, bound);
        EXPECT_GE(stated + farthest.bound, farthest.value) << f.name() << " at " << x << " ± " << bound;
        if (!std::isfinite(stated) || bound > 0.1) continue;
        EXPECT_LE(stated, kMostStated * std::max(farthest.value, bound)) << f.name() << " at " << x << " ± " << bound;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 600);
}

}  // namespace
}  // namespace plumb::reference
