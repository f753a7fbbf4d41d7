#include "fastpath/cpu/quantization/code_loops.h"

#include <algorithm>

#include "fastpath/cpu/lib/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/quantization/code_loops.cc"
#include "hwy/foreach_target.h"
//
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

// Of |x| from 2^23 on, x is whole.
template <CodeRounding rounding, class V>
HWY_INLINE V Rounded(V x) {
  if constexpr (rounding == CodeRounding::kToEven) return hn::Round(x);
  if constexpr (rounding == CodeRounding::kTowardsZero) return x;
  const V size = hn::Abs(x), up = hn::Trunc(hn::Add(size, Like(x, 0x1.fffffep-2F)));
  return hn::IfThenElse(hn::Lt(size, Like(x, 0x1p23F)), hn::CopySign(up, x), x);
}

template <CodeRounding rounding, class Code>
void Codes(const CodePlaces& places, const float* from, void* to, int64_t n) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> whole;
  const hn::RebindToUnsigned<decltype(d)> bits;
  const hn::Rebind<Code, decltype(d)> narrow;
  const auto low = hn::Set(d, places.low), high = hn::Set(d, places.high), first = hn::Set(d, places.first);
  const auto scale = hn::Set(d, places.scale), offset = hn::Set(d, places.offset), limit = hn::Set(d, 0x1p31F);
  const auto codes_of = [=](auto x) HWY_ATTR {
    const auto below = hn::IfThenElse(hn::Lt(high, x), high, x),
               inside = hn::IfThenElse(hn::Lt(below, low), low, below);
    const auto place = Rounded<rounding>(hn::Add(hn::Mul(hn::Sub(inside, first), scale), offset));
    const auto fits = hn::And(hn::Ge(place, hn::Neg(limit)), hn::Lt(place, limit));
    const auto number = hn::ConvertTo(whole, hn::IfThenElseZero(fits, place));
    return hn::TruncateTo(narrow, hn::BitCast(bits, number));
  };
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  Code* const codes = static_cast<Code*>(to);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(codes_of(hn::LoadU(d, from + i)), narrow, codes + i);
  if (i >= n) return;
  const auto rest = static_cast<size_t>(std::min(n - i, lanes));
  StoreTail(codes_of(LoadTail(d, from + i, rest)), narrow, codes + i, rest);
}

template <CodeRounding rounding>
CodeLoop LoopOf(bool has_16_bits) {
  return has_16_bits ? Codes<rounding, uint16_t> : Codes<rounding, uint8_t>;
}

}  // namespace

CodeLoop LoopOfCodes(CodeRounding rounding, bool has_16_bits) {
  if (rounding == CodeRounding::kToEven) return LoopOf<CodeRounding::kToEven>(has_16_bits);
  if (rounding == CodeRounding::kAway) return LoopOf<CodeRounding::kAway>(has_16_bits);
  return LoopOf<CodeRounding::kTowardsZero>(has_16_bits);
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(LoopOfCodes);

CodeLoop FindCodeLoop(CodeRounding rounding, bool has_16_bits) {
  return HWY_DYNAMIC_DISPATCH(LoopOfCodes)(rounding, has_16_bits);
}

}  // namespace plumb::fast::cpu
#endif
