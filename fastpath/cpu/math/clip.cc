// ClipByValue: two elementwise loops, piece by piece, so that what lies between them stays in the cache.
#include <algorithm>
#include <complex>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/simd_targets.h"
#include "fastpath/device/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/math/clip.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/elementwise/formula_loops-inl.h"
#include "fastpath/cpu/lib/elementwise/plain_loops.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

// NaN in the first operand stays; in the second it limits nothing.
struct Least {
  static constexpr int kTraits = kReals;
  template <class V>
  HWY_INLINE auto operator()(V t, V limit) const {
    return IfThenElse(Lt(limit, t), limit, t);
  }
};
struct Most {
  static constexpr int kTraits = kReals;
  template <class V>
  HWY_INLINE auto operator()(V t, V limit) const {
    return IfThenElse(Lt(t, limit), limit, t);
  }
};

BinaryLoop VectorLeast(DType type) { return VectorBinary<Least>(type); }
BinaryLoop VectorMost(DType type) { return VectorBinary<Most>(type); }

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(VectorLeast);
HWY_EXPORT(VectorMost);

constexpr int64_t kPiece = 4096;  // elements that stay in the first cache from one loop to the next

constinit ChoicePoint pieces("ClipByValue: one piece, or several");
constinit ChoicePoint half_pieces("ClipByValue of 16 bits: one piece, or several");

// Each part of a complex number has the limits' same part.
struct LeastOfParts {
  static constexpr int kTraits = kComplex;
  template <class C>
  C operator()(const C& t, const C& limit) const {
    return C(limit.real() < t.real() ? limit.real() : t.real(), limit.imag() < t.imag() ? limit.imag() : t.imag());
  }
};
struct MostOfParts {
  static constexpr int kTraits = kComplex;
  template <class C>
  C operator()(const C& t, const C& limit) const {
    return C(t.real() < limit.real() ? limit.real() : t.real(), t.imag() < limit.imag() ? limit.imag() : t.imag());
  }
};

struct Limit {
  const char* at;
  int64_t step;  // bytes; 0: a scalar
  Operands operands() const { return step == 0 ? Operands::kScalarY : Operands::kBoth; }
};

class ClipByValue final : public Kernel {
 public:
  explicit ClipByValue(const Node& node) : type_(InputType(node, 0)), size_(static_cast<int64_t>(ElementSize(type_))) {
    const DType type = ComputeType(type_);
    least_ = HWY_DYNAMIC_DISPATCH(VectorLeast)(type);
    most_ = HWY_DYNAMIC_DISPATCH(VectorMost)(type);
    if (least_ == nullptr) least_ = PlainBinary<HWY_NAMESPACE::Least>(type);
    if (most_ == nullptr) most_ = PlainBinary<HWY_NAMESPACE::Most>(type);
    if (least_ == nullptr) least_ = PlainBinary<LeastOfParts>(type);
    if (most_ == nullptr) most_ = PlainBinary<MostOfParts>(type);
  }

  void Run(KernelContext& context) override {
    const Tensor& t = context.input(0);
    const Shape shape = t.shape();
    const Limit low = LimitOf(context.input(1), shape), high = LimitOf(context.input(2), shape);
    const char* const from = static_cast<const char*>(t.raw());
    char* const to = static_cast<char*>(context.ForwardOrAllocate(0, 0, type_, shape).mutable_raw());
    context.pool().ParallelFor(shape.elements(), GrainFor(2), [&](int64_t begin, int64_t end) {
      if (IsHalfWidth(type_)) return RunHalf(from, low, high, to, begin, end);
      pieces.Chosen(end - begin > kPiece);
      for (int64_t i = begin; i < end; i += kPiece) {
        const int64_t n = std::min(kPiece, end - i);
        least_(from + i * size_, high.at + i * high.step, to + i * size_, n, high.operands());
        most_(to + i * size_, low.at + i * low.step, to + i * size_, n, low.operands());
      }
    });
  }

 private:
  Limit LimitOf(const Tensor& limit, const Shape& shape) const {
    Require(limit.rank() == 0 || limit.shape() == shape, "a limit must be a scalar or have the shape of t, ",
            shape.ToString(), ", not ", limit.shape().ToString());
    return {static_cast<const char*>(limit.raw()), limit.rank() == 0 ? 0 : size_};
  }

  void RunHalf(const char* from, Limit low, Limit high, char* to, int64_t begin, int64_t end) const {
    float values[kFloatPiece], limits[kFloatPiece];
    half_pieces.Chosen(end - begin > kFloatPiece);
    for (int64_t i = begin; i < end; i += kFloatPiece) {
      const int64_t n = std::min(kFloatPiece, end - i);
      ToFloat(type_, from + i * size_, values, n);
      ToFloat(type_, high.at + i * high.step, limits, high.step == 0 ? 1 : n);
      least_(values, limits, values, n, high.operands());
      ToFloat(type_, low.at + i * low.step, limits, low.step == 0 ? 1 : n);
      most_(values, limits, values, n, low.operands());
      FromFloat(type_, values, to + i * size_, n);
    }
  }

  const DType type_;
  const int64_t size_;
  BinaryLoop least_, most_;
};

constexpr KernelRow kRows[] = {
    {"ClipByValue", Make<ClipByValue>},
};

}  // namespace

std::span<const KernelRow> MathClip() { return kRows; }

}  // namespace plumb::fast::cpu
#endif
