#include "fastpath/cpu/lib/half_convert.h"

#include <bit>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/lib/half_convert.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace {
constinit ChoicePoint whole_from_bfloat16("bfloat16 to float: a tail, or whole vectors");
constinit ChoicePoint whole_to_bfloat16("float to bfloat16: a tail, or whole vectors");
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
constinit ChoicePoint whole_from_half("half to float: a tail, or whole vectors");
constinit ChoicePoint whole_to_half("float to half: a tail, or whole vectors");
#endif

constexpr hn::ScalableTag<uint32_t> kWords;
constexpr hn::Rebind<uint16_t, decltype(kWords)> kUppers;

// The upper halves of what `change` makes of each word.
template <class Change>
HWY_INLINE int64_t UpperHalvesOf(const float* from, BFloat16* to, int64_t n, const Change& change) {
  const auto* words = reinterpret_cast<const uint32_t*>(from);
  auto* bits = reinterpret_cast<uint16_t*>(to);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(kWords));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto uppers = hn::ShiftRight<16>(change(hn::LoadU(kWords, words + i)));
    hn::StoreU(hn::DemoteTo(kUppers, hn::BitCast(hn::RebindToSigned<decltype(kWords)>(), uppers)), kUppers, bits + i);
  }
  return i;
}

// As BFloat16(float) rounds, and keeps NaN.
struct Rounded {
  template <class V>
  HWY_INLINE V operator()(V word) const {
    const auto is_odd = hn::And(hn::ShiftRight<16>(word), hn::Set(kWords, 1));
    const auto rounded = hn::Add(hn::Add(word, hn::Set(kWords, 0x7fff)), is_odd);
    const auto is_nan = hn::Gt(hn::And(word, hn::Set(kWords, 0x7fffffff)), hn::Set(kWords, 0x7f800000));
    return hn::IfThenElse(is_nan, hn::Or(word, hn::Set(kWords, 0x400000)), rounded);
  }
};
struct AsItIs {
  template <class V>
  HWY_INLINE V operator()(V word) const {
    return word;
  }
};
}  // namespace

// All return how many elements they converted: whole vectors; of halves where the instruction set has the conversion.
int64_t BFloat16sToFloat(const BFloat16* from, float* to, int64_t n) {
  const auto* bits = reinterpret_cast<const uint16_t*>(from);
  auto* words = reinterpret_cast<uint32_t*>(to);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(kWords));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::ShiftLeft<16>(hn::PromoteTo(kWords, hn::LoadU(kUppers, bits + i))), kWords, words + i);
  }
  whole_from_bfloat16.Chosen(i == n);
  return i;
}

int64_t FloatsToBFloat16(const float* from, BFloat16* to, int64_t n) {
  const int64_t converted = UpperHalvesOf(from, to, n, Rounded());
  whole_to_bfloat16.Chosen(converted == n);
  return converted;
}

int64_t UpperHalves(const float* from, BFloat16* to, int64_t n) { return UpperHalvesOf(from, to, n, AsItIs()); }

int64_t HalvesToFloat([[maybe_unused]] const Half* from, [[maybe_unused]] float* to, [[maybe_unused]] int64_t n) {
  int64_t i = 0;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> half;
  const auto* bits = reinterpret_cast<const hwy::float16_t*>(from);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (; i + lanes <= n; i += lanes) hn::StoreU(hn::PromoteTo(d, hn::LoadU(half, bits + i)), d, to + i);
  whole_from_half.Chosen(i == n);
#endif
  return i;
}

int64_t FloatsToHalf([[maybe_unused]] const float* from, [[maybe_unused]] Half* to, [[maybe_unused]] int64_t n) {
  int64_t i = 0;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  const hn::ScalableTag<float> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> half;
  auto* bits = reinterpret_cast<hwy::float16_t*>(to);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (; i + lanes <= n; i += lanes) hn::StoreU(hn::DemoteTo(half, hn::LoadU(d, from + i)), half, bits + i);
  whole_to_half.Chosen(i == n);
#endif
  return i;
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(BFloat16sToFloat);
HWY_EXPORT(FloatsToBFloat16);
HWY_EXPORT(UpperHalves);
HWY_EXPORT(HalvesToFloat);
HWY_EXPORT(FloatsToHalf);

void ToFloat(DType type, const void* from, float* to, int64_t n) {
  if (type == DType::kHalf) {
    const Half* halves = static_cast<const Half*>(from);
    for (int64_t i = HWY_DYNAMIC_DISPATCH(HalvesToFloat)(halves, to, n); i < n; ++i) {
      to[i] = static_cast<float>(halves[i]);
    }
  } else {
    const BFloat16* halves = static_cast<const BFloat16*>(from);
    for (int64_t i = HWY_DYNAMIC_DISPATCH(BFloat16sToFloat)(halves, to, n); i < n; ++i) {
      to[i] = static_cast<float>(halves[i]);
    }
  }
}

void FromFloat(DType type, const float* from, void* to, int64_t n) {
  if (type == DType::kHalf) {
    Half* halves = static_cast<Half*>(to);
    for (int64_t i = HWY_DYNAMIC_DISPATCH(FloatsToHalf)(from, halves, n); i < n; ++i) halves[i] = Half(from[i]);
  } else {
    BFloat16* halves = static_cast<BFloat16*>(to);
    for (int64_t i = HWY_DYNAMIC_DISPATCH(FloatsToBFloat16)(from, halves, n); i < n; ++i) {
      halves[i] = BFloat16(from[i]);
    }
  }
}

void Truncate(const float* from, BFloat16* to, int64_t n) {
  for (int64_t i = HWY_DYNAMIC_DISPATCH(UpperHalves)(from, to, n); i < n; ++i) {
    to[i].bits = static_cast<uint16_t>(std::bit_cast<uint32_t>(from[i]) >> 16);
  }
}

Tensor AsFloat(ThreadPool& pool, const Tensor& tensor) {
  if (!IsHalfWidth(tensor.dtype())) return tensor;
  Tensor result = Allocate(DType::kFloat, tensor.shape());
  float* to = static_cast<float*>(result.mutable_raw());
  const uint16_t* from = static_cast<const uint16_t*>(tensor.raw());
  pool.ParallelFor(tensor.elements(), GrainFor(1),
                   [&](int64_t begin, int64_t end) { ToFloat(tensor.dtype(), from + begin, to + begin, end - begin); });
  return result;
}

void RoundInto(ThreadPool& pool, const Tensor& from, Tensor& to) {
  const float* values = static_cast<const float*>(from.raw());
  uint16_t* halves = static_cast<uint16_t*>(to.mutable_raw());
  pool.ParallelFor(from.elements(), GrainFor(1), [&](int64_t begin, int64_t end) {
    FromFloat(to.dtype(), values + begin, halves + begin, end - begin);
  });
}

Tensor RoundedTo(ThreadPool& pool, DType type, Tensor computed) {
  if (computed.dtype() == type) return computed;
  Tensor rounded = Allocate(type, computed.shape());
  RoundInto(pool, computed, rounded);
  return rounded;
}

}  // namespace plumb::fast::cpu
#endif
