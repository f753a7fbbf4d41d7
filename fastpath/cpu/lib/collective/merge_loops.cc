#include "fastpath/cpu/lib/collective/merge_loops.h"

#include "fastpath/cpu/lib/elementwise/add_loops.h"
#include "fastpath/cpu/lib/elementwise/plain_loops.h"
#include "fastpath/cpu/lib/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/lib/collective/merge_loops.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/elementwise/formula_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

struct Product {
  static constexpr int kTraits = kReals;
  template <class V>
  HWY_INLINE auto operator()(V x, V y) const {
    return Mul(x, y);
  }
};
struct Quotient {
  static constexpr int kTraits = kReals;
  template <class V>
  HWY_INLINE auto operator()(V x, V y) const {
    return Div(x, y);
  }
};
// N12: NaN from either side goes through; of equal operands the first is taken.
struct Larger {
  static constexpr int kTraits = kReals;
  template <class V>
  HWY_INLINE auto operator()(V x, V y) const {
    return IfThenElse(Or(Lt(x, y), IsNaN(y)), y, x);
  }
};
struct Smaller {
  static constexpr int kTraits = kReals;
  template <class V>
  HWY_INLINE auto operator()(V x, V y) const {
    return IfThenElse(Or(Lt(y, x), IsNaN(y)), y, x);
  }
};

BinaryLoop VectorProduct(DType type) { return VectorBinary<Product>(type); }
BinaryLoop VectorQuotient(DType type) { return VectorBinary<Quotient>(type); }
BinaryLoop VectorLarger(DType type) { return VectorBinary<Larger>(type); }
BinaryLoop VectorSmaller(DType type) { return VectorBinary<Smaller>(type); }

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(VectorProduct);
HWY_EXPORT(VectorQuotient);
HWY_EXPORT(VectorLarger);
HWY_EXPORT(VectorSmaller);

BinaryLoop MergeLoop(MergeOp merge, DType type) {
  BinaryLoop loop = nullptr;
  switch (merge) {
    case MergeOp::kAdd:
      return AddLoop(type);
    case MergeOp::kMul:
      loop = HWY_DYNAMIC_DISPATCH(VectorProduct)(type);
      return loop != nullptr ? loop : PlainBinary<HWY_NAMESPACE::Product>(type);
    case MergeOp::kMax:
      loop = HWY_DYNAMIC_DISPATCH(VectorLarger)(type);
      return loop != nullptr ? loop : PlainBinary<HWY_NAMESPACE::Larger>(type);
    case MergeOp::kMin:
      break;
  }
  loop = HWY_DYNAMIC_DISPATCH(VectorSmaller)(type);
  return loop != nullptr ? loop : PlainBinary<HWY_NAMESPACE::Smaller>(type);
}

BinaryLoop QuotientLoop(DType type) { return HWY_DYNAMIC_DISPATCH(VectorQuotient)(type); }

}  // namespace plumb::fast::cpu
#endif
