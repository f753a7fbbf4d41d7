// For tests of optimizers: variables, scalars and gradients of doubles, for values chosen so that every step of the
// formulas is exact in binary.
#pragma once

#include <initializer_list>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {

using Doubles = std::vector<double>;

inline Entry Slot(KernelHarness& harness, std::initializer_list<double> values) {
  return harness.Ref(MakeVector<double>(values));
}
inline Entry Scalar(double value) { return In(MakeScalar<double>(value)); }
inline Entry Gradient(std::initializer_list<double> values) { return In(MakeVector<double>(values)); }

}  // namespace plumb::fast::cpu
