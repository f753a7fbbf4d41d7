// The losses of SdcaOptimizer, in float64: each with its conjugate, and the dual variable that is best for one example
// while all others stay. Labels are −1 or 1 but for the losses that fit numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace plumb::fast::cpu {

// Of one example: the prediction by the weights as they are now, and how far it moves with the dual variable.
struct DualStep {
  double label, dual, wx, scale;
};

constexpr int kNewtonSteps = 10;

struct SquaredLoss {
  static constexpr double kSmoothness = 1;
  static constexpr bool kHasClasses = false, kTakesNegative = true;
  static double BestDual(const DualStep& s) { return s.dual + (s.label - s.dual - s.wx) / (1 + s.scale); }
  static double Primal(double wx, double label) { return 0.5 * (wx - label) * (wx - label); }
  static double Slope(double wx, double label) { return wx - label; }
  static double Dual(double dual, double label) { return dual * (0.5 * dual - label); }
};

struct PoissonLoss {
  static constexpr double kSmoothness = 1;
  static constexpr bool kHasClasses = false, kTakesNegative = false;
  static double BestDual(const DualStep& s) {
    const double room = s.label - s.dual;
    double x = room > 0 ? std::log(room) : 0;
    for (int i = 0; i < kNewtonSteps; ++i) {
      const double power = std::exp(x);
      x -= (x - s.wx - s.scale * (room - power)) / (1 + s.scale * power);
    }
    return s.label - std::exp(x);
  }
  static double Primal(double wx, double label) { return std::exp(wx) - wx * label; }
  static double Slope(double wx, double label) { return std::exp(wx) - label; }
  static double Dual(double dual, double label) {
    const double room = label - dual;
    if (room < 0) return std::numeric_limits<double>::infinity();
    return room == 0 ? 0 : room * (std::log(room) - 1);
  }
};

struct LogisticLoss {
  static constexpr double kSmoothness = 4;
  static constexpr bool kHasClasses = true, kTakesNegative = false;
  static double BestDual(const DualStep& s) {
    double x = 0;
    for (int i = 0; i < kNewtonSteps; ++i) {
      const double tanh = std::tanh(x);
      const double value = -2 * s.label * x - s.wx - s.scale * (0.5 * (1 + tanh) / s.label - s.dual);
      x -= value / (-2 * s.label - s.scale * (1 - tanh * tanh) * 0.5 / s.label);
    }
    return 0.5 * (1 + std::tanh(x)) / s.label;
  }
  static double Primal(double wx, double label) {
    const double margin = label * wx;
    return std::log1p(std::exp(-std::fabs(margin))) + std::max(0.0, -margin);
  }
  static double Slope(double wx, double label) { return -label / (1 + std::exp(label * wx)); }
  static double Dual(double dual, double label) {
    const auto entropy = [](double part) { return part > 0 ? part * std::log(part) : 0; };
    return entropy(dual * label) + entropy(1 - dual * label);
  }
};

struct HingeLoss {
  static constexpr double kSmoothness = 0;
  static constexpr bool kHasClasses = true, kTakesNegative = false;
  static double BestDual(const DualStep& s) {
    return s.label * std::clamp(s.label * (s.dual + (s.label - s.wx) / s.scale), 0.0, 1.0);
  }
  static double Primal(double wx, double label) { return std::max(0.0, 1 - label * wx); }
  static double Slope(double wx, double label) { return label * wx < 1 ? -label : 0; }
  static double Dual(double dual, double label) {
    const double part = dual * label;
    return part < 0 || part > 1 ? std::numeric_limits<double>::infinity() : -part;
  }
};

struct SmoothHingeLoss {
  static constexpr double kSmoothness = 1;
  static constexpr bool kHasClasses = true, kTakesNegative = false;
  static double BestDual(const DualStep& s) {
    return s.label * std::clamp(s.label * (s.dual + (s.label - s.wx - s.dual) / (s.scale + 1)), 0.0, 1.0);
  }
  static double Primal(double wx, double label) {
    const double missing = std::max(0.0, 1 - label * wx);
    return missing >= 1 ? missing - 0.5 : 0.5 * missing * missing;
  }
  static double Slope(double wx, double label) { return -label * std::clamp(1 - label * wx, 0.0, 1.0); }
  static double Dual(double dual, double label) {
    const double part = dual * label;
    return part < 0 || part > 1 ? std::numeric_limits<double>::infinity() : 0.5 * dual * dual - part;
  }
};

}  // namespace plumb::fast::cpu
