// For tests: the slope of a function of one number, by differences, and within what it is known.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace plumb::reference {

// A number, and how far the exact one may be.
struct Within {
  double value = 0, bound = 0;
};

// By differences over two steps, whose disagreement is more than what the smaller one is off by: its error is a quarter
// of the other's. Rounding adds what the results' bounds come to over a step. Nothing where there are no values, or
// where the slope jumps: there half a step sees as much of a bend as a whole one, and half as much elsewhere.
inline std::optional<Within> SlopeByDifferences(const std::function<Within(double)>& f, double x) {
  constexpr double kStep = 0x1p-13;
  double rounding = 0;
  bool is_finite = true;
  const auto at = [&](double steps) {
    const Within y = f(x + kStep * steps);
    is_finite = is_finite && std::isfinite(y.value) && std::isfinite(y.bound);
    rounding = std::max(rounding, y.bound);
    return y.value;
  };
  const auto bend = [&](double steps) { return std::fabs(at(steps) - 2 * at(0) + at(-steps)) / (kStep * steps); };
  const double near = (at(1) - at(-1)) / (2 * kStep), far = (at(2) - at(-2)) / (4 * kStep);
  const double half = bend(0.5), whole = bend(1), twice = bend(2);
  if (!is_finite) return std::nullopt;
  const double noise = 8 * rounding / kStep;  // of four results over half a step
  const auto jumps = [&](double smaller, double larger) { return smaller > 0.75 * larger + noise; };
  if (jumps(half, whole) || jumps(whole, twice)) return std::nullopt;
  return Within{near + (near - far) / 3, std::fabs(near - far) + noise};
}

}  // namespace plumb::reference
