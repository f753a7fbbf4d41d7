#include "fastpath/cpu/image/hue_loop.h"

#include "fastpath/cpu/image/colors.h"
#include "spec/core/choice_point.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/image/hue_loop.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

// The channels of pixels in order, and in which part of the colour circle their hues are.
template <class V>
struct OrderedPixels {
  V largest, middle, smallest, part;
};

// OrderOf, of which each branch is a mask.
template <class V>
HWY_INLINE OrderedPixels<V> Ordered(V red, V green, V blue) {
  const auto is_rising = hn::Lt(red, green);
  const V high = hn::IfThenElse(is_rising, green, red), low = hn::IfThenElse(is_rising, red, green);
  const auto is_below = hn::Lt(blue, low), is_above = hn::Gt(blue, high);
  const auto of = [&](V below, V above, V between)
                      HWY_ATTR { return hn::IfThenElse(is_below, below, hn::IfThenElse(is_above, above, between)); };
  const auto either = [&](double rising, double falling)
                          HWY_ATTR { return hn::IfThenElse(is_rising, Like(red, rising), Like(red, falling)); };
  return {of(high, blue, high), of(low, high, blue), of(blue, low, low), of(either(1, 0), either(3, 4), either(2, 5))};
}

// x in an even part of the circle, 1 − x in an odd one.
template <class V>
HWY_INLINE V Along(V part, V x) {
  const V half = hn::Mul(part, Like(part, 0.5));
  return hn::IfThenElse(hn::Eq(hn::Floor(half), half), x, hn::Sub(Like(x, 1), x));
}

// MoveHue::Of, step by step.
template <class V>
HWY_INLINE void MoveHuesOf(V turn, V& red, V& green, V& blue) {
  const OrderedPixels<V> from = Ordered(red, green, blue);
  const V range = hn::Sub(from.largest, from.smallest), zero = Like(range, 0), six = Like(range, 6);
  const V share = hn::Div(hn::Sub(from.middle, from.smallest), range);
  V place = hn::Add(from.part, Along(from.part, share));
  place = hn::Add(hn::IfThenElse(hn::Eq(from.largest, from.smallest), zero, place), turn);
  place = hn::Sub(place, hn::Mul(six, hn::Floor(hn::Div(place, six))));
  const auto is_inside = hn::And(hn::Ge(place, zero), hn::Lt(place, six));
  const V part = hn::IfThenElse(is_inside, hn::Trunc(place), Like(range, 5));
  const V middle = hn::Add(from.smallest, hn::Mul(Along(part, hn::Sub(place, part)), range));
  const auto is_one_of = [&](double a, double b)
                             HWY_ATTR { return hn::Or(hn::Eq(part, Like(part, a)), hn::Eq(part, Like(part, b))); };
  const auto channel = [&](auto is_largest, auto is_middle) HWY_ATTR {
    return hn::IfThenElse(is_largest, from.largest, hn::IfThenElse(is_middle, middle, from.smallest));
  };
  red = channel(is_one_of(0, 5), is_one_of(1, 4));
  green = channel(is_one_of(1, 2), is_one_of(0, 3));
  blue = channel(is_one_of(3, 4), is_one_of(2, 5));
}

}  // namespace

// Returns how many pixels there were in whole vectors.
int64_t MoveHuesInVectors(const float* from, float delta, int64_t n, float* to) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto turn = hn::Set(d, delta * 6);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::Vec<decltype(d)> red, green, blue;
    hn::LoadInterleaved3(d, from + 3 * i, red, green, blue);
    MoveHuesOf(turn, red, green, blue);
    hn::StoreInterleaved3(red, green, blue, d, to + 3 * i);
  }
  return i;
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(MoveHuesInVectors);

namespace {
constinit ChoicePoint whole_vectors("hues moved: a tail of pixels, or whole vectors");
}  // namespace

void MoveHues(const float* from, float delta, int64_t n, float* to) {
  int64_t i = HWY_DYNAMIC_DISPATCH(MoveHuesInVectors)(from, delta, n, to);
  whole_vectors.Chosen(i == n);
  for (; i < n; ++i) {
    const Rgb<float> pixel = MoveHue::Of({from[3 * i], from[3 * i + 1], from[3 * i + 2]}, delta);
    std::copy(pixel.begin(), pixel.end(), to + 3 * i);
  }
}

}  // namespace plumb::fast::cpu
#endif
