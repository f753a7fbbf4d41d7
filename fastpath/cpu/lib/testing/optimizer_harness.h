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
// A handle to a variable, and what that holds.
inline Entry Handle(KernelHarness& harness, std::initializer_list<double> values) {
  static int made = 0;
  const AttrMap attrs = {{"dtype", DType::kDouble}, {"shape", PartialShape()}, {"shared_name", Str("slot", made++)}};
  const Entry handle = harness.Run("VarHandleOp", {}, attrs)[0];
  harness.Run("AssignVariableOp", {handle, In(MakeVector<double>(values))});
  return handle;
}
inline Doubles Held(KernelHarness& harness, const Entry& handle) {
  return Values<double>(harness.Value("ReadVariableOp", {handle}, {{"dtype", DType::kDouble}}));
}
inline Entry Scalar(double value) { return In(MakeScalar<double>(value)); }
inline Entry Gradient(std::initializer_list<double> values) { return In(MakeVector<double>(values)); }

}  // namespace plumb::fast::cpu
