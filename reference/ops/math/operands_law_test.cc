// A law of the formulas of two numbers: the bound holds whatever the operands may be, and says not much else, at steps
// and bends, too, where the operands' bounds let a number be on either side.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/kernel/kernel_testing.h"
#include "reference/ops/math/law_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/default_attrs.h"

namespace plumb::reference {
namespace {

constexpr double kPoints[] = {-7, -2.5, -1.3, -0.3, 0, 0.1, 0.9, 2.2, 4, 5.9, 6.1};
constexpr int kParts = 4;  // steps of a move as far as a bound lets an operand be

// Pairs of operands, and how far each may be off.
struct Pairs {
  std::vector<double> x, y;
  double bound = 0;

  static Pairs OfPoints(double bound) {
    Pairs pairs{{}, {}, bound};
    for (const double x : kPoints) {
      for (const double y : kPoints) pairs.Add(x, y);
    }
    return pairs;
  }
  void Add(double a, double b) {
    x.push_back(a);
    y.push_back(b);
  }
};

// An op on two tensors of one type, element by element.
class Formula {
 public:
  explicit Formula(const OpDef& op) : op_(op) {
    const AttrDef* const type = op.FindAttr("T");
    if (type != nullptr && Allows(*type, DType::kDouble)) dtype_ = DType::kDouble;
    AddDefaults(op, attrs_);
    if (type != nullptr) attrs_.insert_or_assign("T", dtype_);
  }

  static bool Is(const OpDef& op) {
    if (op.inputs.size() != 2 || op.outputs.size() != 1 || op.is_stateful || FindKernel(op.name) == nullptr)
      return false;
    if (op.accuracy.kind == AccuracyClass::kStatistical) return false;
    const auto is_number = [&](const ArgDef& arg) {
      return arg.number_attr.empty() && !arg.is_ref && (arg.type == DType::kFloat || arg.type_attr == "T");
    };
    const AttrDef* const type = op.FindAttr("T");
    if (type != nullptr && !Allows(*type, DType::kFloat)) return false;
    return is_number(op.inputs[0]) && is_number(op.inputs[1]) && is_number(op.outputs[0]) && Formula(op).IsOfElements();
  }

  const std::string& name() const { return op_.name; }
  // The results, with what they may be off by.
  std::vector<Real> Of(const Pairs& pairs) const {
    const auto operand = [&](const std::vector<double>& numbers) {
      Tensor tensor = ToType(numbers);
      return pairs.bound == 0 ? Value(tensor) : WithBound(tensor, std::vector<double>(numbers.size(), pairs.bound));
    };
    const Value z = KernelCall{
        .op = op_.name, .inputs = {operand(pairs.x), operand(pairs.y)}, .attrs = attrs_, .accuracy = op_.accuracy}();
    const auto numbers = Load<Real>(z);
    return {numbers.at.begin(), numbers.at.end()};
  }
  // The operands as its type has them.
  double Held(double x) const { return dtype_ == DType::kDouble ? x : static_cast<float>(x); }

 private:
  static bool Allows(const AttrDef& type, DType dtype) {
    const auto& allowed = type.allowed_types;
    return allowed.empty() || std::find(allowed.begin(), allowed.end(), dtype) != allowed.end();
  }
  Tensor ToType(const std::vector<double>& numbers) const {
    Tensor tensor(dtype_, Shape({std::ssize(numbers)}));
    if (dtype_ == DType::kDouble) {
      std::copy(numbers.begin(), numbers.end(), tensor.mutable_data<double>().begin());
    } else {
      std::copy(numbers.begin(), numbers.end(), tensor.mutable_data<float>().begin());
    }
    return tensor;
  }
  // Whether it takes two vectors, and elements that change places change the places of their results.
  bool IsOfElements() const {
    try {
      const auto one = Of({{0.5, -2}, {3, 1.5}}), other = Of({{-2, 0.5}, {1.5, 3}});
      return one.size() == 2 && other.size() == 2 && one[0].v == other[1].v && one[1].v == other[0].v;
    } catch (const Error&) {
      return false;
    }
  }

  const OpDef& op_;
  DType dtype_ = DType::kFloat;
  AttrMap attrs_;
};

// By how much more than rounding may account for the results change at each of these points, at most, when the operands
// move as far as they may be off.
std::vector<double> FarthestFrom(const Formula& f, const Pairs& points, const std::vector<Real>& results) {
  std::vector<double> farthest(results.size());
  for (int k = -kParts; k <= kParts; ++k) {
    for (int l = -kParts; l <= kParts; ++l) {
      Pairs moved;
      for (size_t i = 0; i < results.size(); ++i) {
        moved.Add(points.x[i] + points.bound * k / kParts, points.y[i] + points.bound * l / kParts);
      }
      const std::vector<Real> there = f.Of(moved);
      for (size_t i = 0; i < results.size(); ++i) {
        const double change = std::fabs(there[i].v - results[i].v) - there[i].e;
        const double steps[] = {f.Held(moved.x[i]) - f.Held(points.x[i]), f.Held(moved.y[i]) - f.Held(points.y[i])};
        const bool is_within = std::fabs(steps[0]) <= points.bound && std::fabs(steps[1]) <= points.bound;
        if (is_within && !std::isnan(change)) farthest[i] = std::max(farthest[i], change);
      }
    }
  }
  return farthest;
}

TEST(OperandsLaw, BoundsHoldAndSayMuch) {
  int formulas = 0;
  for (const OpDef* op : AllOps()) {
    if (!Formula::Is(*op)) continue;
    const Formula f(*op);
    ++formulas;
    for (const double bound : {0x1p-20, 0.4}) {
      const Pairs points = Pairs::OfPoints(bound);
      const std::vector<Real> stated = f.Of(points);
      const std::vector<double> farthest = FarthestFrom(f, points, stated);
      for (size_t i = 0; i < stated.size(); ++i) {
        if (!std::isfinite(stated[i].v)) continue;
        EXPECT_GE(stated[i].e, farthest[i])
            << f.name() << " of " << points.x[i] << " and " << points.y[i] << " ± " << bound;
        if (!std::isfinite(stated[i].e) || bound > 0.1) continue;
        EXPECT_LE(stated[i].e, kMostStated * std::max(farthest[i], bound))
            << f.name() << " of " << points.x[i] << " and " << points.y[i] << " ± " << bound;
      }
    }
  }
  EXPECT_GT(formulas, 30);
}

}  // namespace
}  // namespace plumb::reference
