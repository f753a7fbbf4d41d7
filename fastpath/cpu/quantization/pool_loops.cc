#include "fastpath/cpu/quantization/pool_loops.h"

#include <algorithm>
#include <limits>

#include "spec/core/choice_point.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/quantization/pool_loops.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

constinit ChoicePoint enough_channels("quantised pooling: channel by channel, or whole vectors");

// Calls vector(c) for vectors of channels from c on, the last of which may overlap the one before it, or one(c) for
// each channel where they are fewer.
template <class Vector, class One>
HWY_INLINE void ForCodes(int64_t channels, int64_t lanes, const Vector& vector, const One& one) {
  if (enough_channels.Chosen(channels >= lanes)) {
    for (int64_t c = 0; c < channels; c += lanes) vector(std::min(c, channels - lanes));
  } else {
    for (int64_t c = 0; c < channels; ++c) one(c);
  }
}

template <class Code>
HWY_INLINE void Max(const Code* input, WindowPixels pixels, int64_t channels, Code* out) {
  constexpr Code kLowest = std::numeric_limits<Code>::min();
  const hn::ScalableTag<Code> d;
  const auto vector = [&](int64_t c) HWY_ATTR {
    auto best = hn::Set(d, kLowest);
    for (const int64_t pixel : pixels) best = hn::Max(best, hn::LoadU(d, input + pixel + c));
    hn::StoreU(best, d, out + c);
  };
  ForCodes(channels, static_cast<int64_t>(hn::Lanes(d)), vector, [&](int64_t c) {
    Code best = kLowest;
    for (const int64_t pixel : pixels) best = std::max(best, input[pixel + c]);
    out[c] = best;
  });
}

// Sums of up to so many codes are exact in float32, and no quotient of them is rounded to the next whole number.
constexpr size_t kExactSum = size_t{1} << 16;

template <class Code>
HWY_INLINE void Mean(const Code* input, WindowPixels pixels, int64_t channels, Code* out) {
  const hn::ScalableTag<float> real;
  const hn::Rebind<int32_t, decltype(real)> whole;
  const hn::Rebind<Code, decltype(real)> d;
  const auto count = static_cast<int32_t>(pixels.size());
  const auto vector = [&](int64_t c) HWY_ATTR {
    auto sum = hn::Zero(whole);
    for (const int64_t pixel : pixels) sum = hn::Add(sum, hn::PromoteTo(whole, hn::LoadU(d, input + pixel + c)));
    const auto mean = hn::Div(hn::ConvertTo(real, sum), hn::Set(real, static_cast<float>(count)));
    hn::StoreU(hn::DemoteTo(d, hn::ConvertTo(whole, mean)), d, out + c);
  };
  const auto lanes = pixels.size() <= kExactSum ? static_cast<int64_t>(hn::Lanes(d)) : channels + 1;
  ForCodes(channels, lanes, vector, [&](int64_t c) {
    int32_t sum = 0;
    for (const int64_t pixel : pixels) sum += input[pixel + c];
    out[c] = static_cast<Code>(sum / count);
  });
}

}  // namespace

void MaxSigned(const int8_t* input, WindowPixels pixels, int64_t channels, int8_t* out) {
  Max(input, pixels, channels, out);
}
void MaxUnsigned(const uint8_t* input, WindowPixels pixels, int64_t channels, uint8_t* out) {
  Max(input, pixels, channels, out);
}
void MeanSigned(const int8_t* input, WindowPixels pixels, int64_t channels, int8_t* out) {
  Mean(input, pixels, channels, out);
}
void MeanUnsigned(const uint8_t* input, WindowPixels pixels, int64_t channels, uint8_t* out) {
  Mean(input, pixels, channels, out);
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(MaxSigned);
HWY_EXPORT(MaxUnsigned);
HWY_EXPORT(MeanSigned);
HWY_EXPORT(MeanUnsigned);

void MaxOfCodes(const int8_t* input, WindowPixels pixels, int64_t channels, int8_t* out) {
  HWY_DYNAMIC_DISPATCH(MaxSigned)(input, pixels, channels, out);
}
void MaxOfCodes(const uint8_t* input, WindowPixels pixels, int64_t channels, uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(MaxUnsigned)(input, pixels, channels, out);
}
void MeanOfCodes(const int8_t* input, WindowPixels pixels, int64_t channels, int8_t* out) {
  HWY_DYNAMIC_DISPATCH(MeanSigned)(input, pixels, channels, out);
}
void MeanOfCodes(const uint8_t* input, WindowPixels pixels, int64_t channels, uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(MeanUnsigned)(input, pixels, channels, out);
}

}  // namespace plumb::fast::cpu
#endif
