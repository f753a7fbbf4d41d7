// Systematic error over many results: catches what no limit on single elements sees, such as an accumulator that
// truncates (rule N21).
#pragma once

#include <cstdint>

#include "reference/numbers/value.h"

namespace plumb::conformance {

// For sums of high-entropy data. Honest rounding errors are as often away from zero as towards it, so the errors in the
// direction of the result, each in units of its bound, add up like a random walk.
class MagnitudeBias {
 public:
  void Add(const Tensor& actual, const reference::Value& expected);
  // Σx / √Σx²: about normal with deviation 1 when the errors x are honest.
  double Statistic() const;
  // Beyond kSpreads deviations. Never with fewer errors than kEnough.
  bool IsBiased() const;
  int64_t count() const { return count_; }

 private:
  static constexpr int64_t kEnough = 64;
  double sum_ = 0;
  double squares_ = 0;
  int64_t count_ = 0;
};

}  // namespace plumb::conformance
