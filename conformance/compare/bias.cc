#include "conformance/compare/bias.h"

#include <cmath>

#include "conformance/compare/compare.h"
#include "conformance/compare/elements.h"

namespace plumb::conformance {

void MagnitudeBias::Add(const Tensor& actual, const reference::Value& expected) {
  if (expected.bound == nullptr || !CompareType(actual, expected.tensor).ok()) return;
  const std::vector<double> a = ToDoubles(actual), e = ToDoubles(expected.tensor);
  for (size_t i = 0; i < e.size(); ++i) {
    const double bound = (*expected.bound)[i], error = (a[i] - e[i]) / bound;
    if (!(bound > 0) || !std::isfinite(error) || e[i] == 0) continue;
    const double outward = std::signbit(e[i]) ? -error : error;
    sum_ += outward;
    squares_ += outward * outward;
    ++count_;
  }
}

double MagnitudeBias::Statistic() const { return squares_ > 0 ? sum_ / std::sqrt(squares_) : 0; }

bool MagnitudeBias::IsBiased() const { return count_ >= kEnough && std::fabs(Statistic()) > kSpreads; }

}  // namespace plumb::conformance
