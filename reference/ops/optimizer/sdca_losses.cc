#include "reference/ops/optimizer/sdca_losses.h"

#include <limits>

namespace plumb::reference {
namespace {

constexpr int kNewtonSteps = 10;

// A root by Newton's steps from `x`; step(x) gives the function and its slope there. What the inputs may be off by
// counts in the last step alone: where the one before ended is a matter of convergence, not of them.
template <class F>
Real Root(double x, const F& step) {
  Real at = x;
  for (int i = 0; i < kNewtonSteps; ++i) {
    const auto [value, slope] = step(Real(at.v));
    at = Real(at.v) - value / slope;
  }
  return at;
}
struct Line {
  Real value, slope;
};

Real Within(Real x, double low, double high) { return Max(Real(low), Min(Real(high), x)); }

class SquaredLoss final : public DualLoss {
 public:
  Real Label(Real label) const override { return label; }
  Real BestDual(const DualStep& s) const override { return s.dual + (s.label - s.dual - s.wx) / (Real(1) + s.scale); }
  Real Primal(Real wx, Real label) const override { return Square(wx - label) * 0.5; }
  Real Slope(Real wx, Real label) const override { return wx - label; }
  Real Dual(Real dual, Real label) const override { return dual * (dual * 0.5 - label); }
  double Smoothness() const override { return 1; }
};

class PoissonLoss final : public DualLoss {
 public:
  Real Label(Real label) const override {
    Require(!(label < 0), "a label of the Poisson loss is not negative, as ", label.v, " is");
    return label;
  }
  Real BestDual(const DualStep& s) const override {
    const double room = s.label.v - s.dual.v;
    const Real x = Root(room > 0 ? std::log(room) : 0, [&](Real at) {
      const Real power = Exp(at);
      return Line{at - s.wx - s.scale * (s.label - s.dual - power), Real(1) + s.scale * power};
    });
    return s.label - Exp(x);
  }
  Real Primal(Real wx, Real label) const override { return Exp(wx) - wx * label; }
  Real Slope(Real wx, Real label) const override { return Exp(wx) - label; }
  Real Dual(Real dual, Real label) const override {
    const Real room = label - dual;
    if (room.v == 0) return 0;
    if (room.v < 0) return INFINITY;
    return room * (Log(room) - 1);
  }
  double Smoothness() const override { return 1; }
};

class LossOfClasses : public DualLoss {
 public:
  Real Label(Real label) const override {
    Require(label == 0 || label == 1, "a label is 0 or 1, not ", label.v);
    return label == 0 ? Real(-1) : label;
  }
};

class LogisticLoss final : public LossOfClasses {
 public:
  Real BestDual(const DualStep& s) const override {
    const Real x = Root(0, [&](Real at) {
      const Real tanh = Tanh(at);
      const Real value = s.label * at * -2 - s.wx - s.scale * ((tanh + 1) * 0.5 / s.label - s.dual);
      return Line{value, s.label * -2 - s.scale * (Real(1) - tanh * tanh) * 0.5 / s.label};
    });
    return (Tanh(x) + 1) * 0.5 / s.label;
  }
  Real Primal(Real wx, Real label) const override {
    const Real margin = label * wx;
    return margin > 0 ? Log1p(Exp(-margin)) : Log1p(Exp(margin)) - margin;
  }
  Real Slope(Real wx, Real label) const override { return -label * Sigmoid(-(label * wx)); }
  Real Dual(Real dual, Real label) const override {
    const auto entropy = [](Real part) { return part > 0 ? part * Log(part) : Real(0); };
    const Real part = dual * label;
    return entropy(part) + entropy(Real(1) - part);
  }
  double Smoothness() const override { return 4; }
};

class HingeLoss final : public LossOfClasses {
 public:
  Real BestDual(const DualStep& s) const override {
    return s.label * Within(s.label * (s.dual + (s.label - s.wx) / s.scale), 0, 1);
  }
  Real Primal(Real wx, Real label) const override { return Max(Real(0), Real(1) - label * wx); }
  Real Slope(Real wx, Real label) const override { return TakenIf(label.v * wx.v < 1, label * wx, 1, -label); }
  Real Dual(Real dual, Real label) const override {
    const Real part = dual * label;
    return part < 0 || part > 1 ? Real(INFINITY) : -part;
  }
  double Smoothness() const override { return 0; }
};

class SmoothHingeLoss final : public LossOfClasses {
 public:
  Real BestDual(const DualStep& s) const override {
    return s.label * Within(s.label * (s.dual + (s.label - s.wx - s.dual) / (s.scale + 1)), 0, 1);
  }
  Real Primal(Real wx, Real label) const override {
    const Real missing = Real(1) - label * wx;
    if (missing.v <= 0) return TakenIf(false, missing, 0, Square(missing) * 0.5);
    return missing.v >= 1 ? missing - 0.5 : Square(missing) * 0.5;
  }
  Real Slope(Real wx, Real label) const override { return -label * Within(Real(1) - label * wx, 0, 1); }
  Real Dual(Real dual, Real label) const override {
    const Real part = dual * label;
    return part < 0 || part > 1 ? Real(INFINITY) : dual * dual * 0.5 - part;
  }
  double Smoothness() const override { return 1; }
};

}  // namespace

const DualLoss& DualLossNamed(const std::string& name) {
  static const LogisticLoss logistic;
  static const SquaredLoss squared;
  static const HingeLoss hinge;
  static const SmoothHingeLoss smooth_hinge;
  static const PoissonLoss poisson;
  if (name == "logistic_loss") return logistic;
  if (name == "squared_loss") return squared;
  if (name == "hinge_loss") return hinge;
  return name == "smooth_hinge_loss" ? static_cast<const DualLoss&>(smooth_hinge) : poisson;
}

}  // namespace plumb::reference
