#include "fastpath/cpu/lib/elementwise/add_loops.h"

#include "fastpath/cpu/lib/elementwise/plain_loops.h"
#include "fastpath/cpu/lib/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/lib/elementwise/add_loops.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/elementwise/formula_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

struct Sum {
  static constexpr int kTraits = kNumbers;
  template <class V>
  HWY_INLINE auto operator()(V x, V y) const {
    return Add(x, y);
  }
};
struct Difference {
  static constexpr int kTraits = kNumbers;
  template <class V>
  HWY_INLINE auto operator()(V x, V y) const {
    return Sub(x, y);
  }
};

BinaryLoop VectorSum(DType type) { return VectorBinary<Sum>(type); }
BinaryLoop VectorDifference(DType type) { return VectorBinary<Difference>(type); }

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(VectorSum);
HWY_EXPORT(VectorDifference);

BinaryLoop AddLoop(DType type) {
  const BinaryLoop loop = HWY_DYNAMIC_DISPATCH(VectorSum)(type);
  return loop != nullptr ? loop : PlainBinary<HWY_NAMESPACE::Sum>(type);
}

BinaryLoop SubtractLoop(DType type) {
  const BinaryLoop loop = HWY_DYNAMIC_DISPATCH(VectorDifference)(type);
  return loop != nullptr ? loop : PlainBinary<HWY_NAMESPACE::Difference>(type);
}

}  // namespace plumb::fast::cpu
#endif
