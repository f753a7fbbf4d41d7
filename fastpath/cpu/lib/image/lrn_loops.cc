#include "fastpath/cpu/lib/image/lrn_loops.h"

#include <algorithm>
#include <cmath>

#include "spec/core/choice_point.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/lib/image/lrn_loops.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

namespace {
constinit ChoicePoint whole_pixels("LRN of a pixel: a tail, or whole vectors");
}

// out[c] = Σ terms[c + j] for j ≤ 2·radius: the terms have `radius` zeros on both sides.
void SumNeighbours(const LrnSize& size, const float* terms, float* out) {
  MapVectors(out, size.depth, [&](auto load) HWY_ATTR {
    auto sum = load(terms);
    for (int64_t j = 1; j <= 2 * size.radius; ++j) sum = hn::Add(sum, load(terms + j));
    return sum;
  });
}

void Norms(const LrnSize& size, const float* x, float* squares, float* norm) {
  std::fill_n(squares, size.radius, 0.0f);
  std::fill_n(squares + size.radius + size.depth, size.radius, 0.0f);
  MapVectors(squares + size.radius, size.depth, [x](auto load) HWY_ATTR { return hn::Mul(load(x), load(x)); });
  SumNeighbours(size, squares, norm);
  const hn::ScalableTag<float> d;
  whole_pixels.Chosen(size.depth % static_cast<int64_t>(hn::Lanes(d)) == 0);
  const auto bias = hn::Set(d, size.bias), alpha = hn::Set(d, size.alpha);
  MapVectors(norm, size.depth, [=](auto load) HWY_ATTR { return hn::Add(bias, hn::Mul(alpha, load(norm))); });
}

// power[c] = norm[c]^−beta. Roots, where they will do, are exact to half a unit.
void Powers(const LrnSize& size, const float* norm, float* power) {
  const hn::ScalableTag<float> d;
  const auto one = hn::Set(d, 1.0f);
  if (size.beta == 1.0f) {
    MapVectors(power, size.depth, [=](auto load) HWY_ATTR { return hn::Div(one, load(norm)); });
  } else if (size.beta == 0.5f) {
    MapVectors(power, size.depth, [=](auto load) HWY_ATTR { return hn::Div(one, hn::Sqrt(load(norm))); });
  } else if (size.beta == 0.75f) {
    MapVectors(power, size.depth, [=](auto load) HWY_ATTR {
      const auto root = hn::Sqrt(load(norm));
      return hn::Div(one, hn::Mul(root, hn::Sqrt(root)));
    });
  } else {
    for (int64_t c = 0; c < size.depth; ++c) power[c] = std::pow(norm[c], -size.beta);
  }
}

void Pixel(const LrnSize& size, const float* x, float* scratch, float* y) {
  float* const norm = scratch + size.depth + 2 * size.radius;
  float* const power = norm + size.depth;
  Norms(size, x, scratch, norm);
  Powers(size, norm, power);
  MapVectors(y, size.depth, [=](auto load) HWY_ATTR { return hn::Mul(load(x), load(power)); });
}

void PixelGradient(const LrnSize& size, const float* dy, const float* x, const float* y, float* scratch, float* dx) {
  float* const norm = scratch + size.depth + 2 * size.radius;
  float* const power = norm + size.depth;
  Norms(size, x, scratch, norm);
  Powers(size, norm, power);
  float* const terms = scratch + size.radius;
  // A gradient of zero adds nothing, whatever it would be multiplied by.
  const hn::ScalableTag<float> d;
  const auto unless_zero = [=](auto gradient, auto product)
                               HWY_ATTR { return hn::IfThenZeroElse(hn::Eq(gradient, hn::Zero(d)), product); };
  MapVectors(terms, size.depth, [=](auto load) HWY_ATTR {
    return unless_zero(load(dy), hn::Div(hn::Mul(load(dy), load(y)), load(norm)));
  });
  SumNeighbours(size, scratch, norm);
  const auto factor = hn::Set(d, 2 * size.alpha * size.beta);
  MapVectors(dx, size.depth, [=](auto load) HWY_ATTR {
    return hn::Sub(unless_zero(load(dy), hn::Mul(load(dy), load(power))),
                   hn::Mul(hn::Mul(factor, load(x)), load(norm)));
  });
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(Pixel);
HWY_EXPORT(PixelGradient);

void NormalizePixel(const LrnSize& size, const float* x, float* scratch, float* y) {
  HWY_DYNAMIC_DISPATCH(Pixel)(size, x, scratch, y);
}
void NormalizePixelGradient(const LrnSize& size, const float* dy, const float* x, const float* y, float* scratch,
                            float* dx) {
  HWY_DYNAMIC_DISPATCH(PixelGradient)(size, dy, x, y, scratch, dx);
}

}  // namespace plumb::fast::cpu
#endif
