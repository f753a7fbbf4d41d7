#include "fastpath/cpu/quantization/range_loops.h"

#include <limits>

#include "fastpath/cpu/lib/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/quantization/range_loops.cc"
#include "hwy/foreach_target.h"
//
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

// Calls body(at, count) for each period of n numbers.
template <class Body>
HWY_INLINE void ForPeriods(int64_t period, int64_t n, const Body& body) {
  for (int64_t at = 0; at < n; at += period) body(at, std::min(period, n - at));
}

void Nearest(const RangeRow& r, const float* x, float* y, int64_t n) {
  ForPeriods(r.period, n, [&](int64_t at, int64_t count) HWY_ATTR {
    MapVectors(y + at, count, [=](auto load) HWY_ATTR {
      const auto number = load(x + at), low = load(r.low), high = load(r.high);
      const auto below = hn::IfThenElse(hn::Lt(high, number), high, number);
      const auto clamped = hn::IfThenElse(hn::Lt(below, low), low, below);
      const auto place = hn::Sub(hn::Mul(hn::Sub(clamped, low), load(r.inverse)), load(r.zero));
      const auto nearest = hn::Mul(hn::Floor(hn::Add(place, Like(place, 0.5))), load(r.scale));
      return hn::IfThenElseZero(hn::Gt(load(r.is_full), Like(place, 0)), nearest);
    });
  });
}

void Inside(const RangeRow& r, const float* dy, const float* x, float* dx, int64_t n) {
  ForPeriods(r.period, n, [&](int64_t at, int64_t count) HWY_ATTR {
    MapVectors(dx + at, count, [=](auto load) HWY_ATTR {
      const auto number = load(x + at), is_full = load(r.is_full), one = Like(number, 1);
      const auto within = hn::And(hn::Ge(number, load(r.low)), hn::Le(number, load(r.high)));
      return hn::Mul(load(dy + at), hn::IfThenElseZero(hn::Or(within, hn::Lt(is_full, one)), one));
    });
  });
}

// Nothing is outside of an empty range, not even what has an infinite gradient.
void Outside(const RangeRow& r, const float* dy, const float* x, int64_t n, float* below, float* above) {
  ForPeriods(r.period, n, [&](int64_t at, int64_t count) HWY_ATTR {
    const auto add = [&](float* sums, auto is_outside) HWY_ATTR {
      MapVectors(sums, count, [=](auto load) HWY_ATTR {
        const auto number = load(x + at), one = Like(number, 1);
        const auto part = hn::Mul(load(dy + at), hn::IfThenElseZero(is_outside(number, load), one));
        return hn::Add(load(sums), hn::IfThenElseZero(hn::Eq(load(r.is_full), one), part));
      });
    };
    add(below, [&](auto number, auto load) HWY_ATTR { return hn::Lt(number, load(r.low)); });
    add(above, [&](auto number, auto load) HWY_ATTR { return hn::Gt(number, load(r.high)); });
  });
}

template <class Code>
HWY_INLINE void CodesOf(const std::vector<float>& scales, const int32_t* from, Code* to, int64_t n) {
  using Limits = std::numeric_limits<Code>;
  const hn::ScalableTag<float> d;
  const hn::Rebind<int32_t, decltype(d)> whole;
  const hn::Rebind<Code, decltype(d)> narrow;
  const auto first = hn::Set(d, static_cast<float>(Limits::min())),
             last = hn::Set(d, static_cast<float>(Limits::max()));
  const auto code = [&](auto number, auto scale) HWY_ATTR {
    const auto place = hn::Mul(hn::ConvertTo(d, number), scale);
    const auto is_above = Limits::is_signed ? hn::Not(hn::Le(place, first)) : hn::Gt(place, first);
    const auto above = hn::IfThenElse(is_above, place, first);
    return hn::DemoteTo(narrow, hn::NearestInt(hn::IfThenElse(hn::Lt(above, last), above, last)));
  };
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  ForPeriods(static_cast<int64_t>(scales.size()), n, [&](int64_t at, int64_t count) HWY_ATTR {
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      hn::StoreU(code(hn::LoadU(whole, from + at + i), hn::LoadU(d, scales.data() + i)), narrow, to + at + i);
    }
    if (i == count) return;
    const auto rest = static_cast<size_t>(count - i);
    HWY_ALIGN Code codes[hn::MaxLanes(d)];
    hn::Store(code(LoadTail(whole, from + at + i, rest), LoadTail(d, scales.data() + i, rest)), narrow, codes);
    std::memcpy(to + at + i, codes, rest);
  });
}
void Codes(const std::vector<float>& scales, const int32_t* from, uint8_t* to, int64_t n) {
  CodesOf(scales, from, to, n);
}
void SignedCodes(const std::vector<float>& scales, const int32_t* from, int8_t* to, int64_t n) {
  CodesOf(scales, from, to, n);
}

}  // namespace

RangeLoops LoopsOfRanges() { return {Nearest, Inside, Outside, Codes, SignedCodes}; }

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(LoopsOfRanges);

RangeLoops FindRangeLoops() { return HWY_DYNAMIC_DISPATCH(LoopsOfRanges)(); }

}  // namespace plumb::fast::cpu
#endif
