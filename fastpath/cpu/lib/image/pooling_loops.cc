#include "fastpath/cpu/lib/image/pooling_loops.h"

#include <algorithm>
#include <type_traits>

#include "spec/core/choice_point.h"
#include "spec/core/dtype.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/lib/image/pooling_loops.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

namespace {
constinit ChoicePoint whole_channels("pooling: a tail of channels, or whole vectors");
}

// Calls body(c, n) for each group of n channels from c on: whole vectors, then what is left.
template <class Body>
HWY_INLINE void ForChannels(int64_t channels, int64_t lanes, const Body& body) {
  int64_t c = 0;
  for (; c + lanes <= channels; c += lanes) body(c, lanes);
  if (!whole_channels.Chosen(c == channels)) body(c, channels - c);
}

template <class D>
HWY_INLINE hn::Vec<D> LoadSome(D d, const hn::TFromD<D>* p, int64_t n) {
  return n == static_cast<int64_t>(hn::Lanes(d)) ? hn::LoadU(d, p) : LoadTail(d, p, static_cast<size_t>(n));
}
template <class D>
HWY_INLINE void StoreSome(hn::Vec<D> v, D d, hn::TFromD<D>* p, int64_t n) {
  if (n == static_cast<int64_t>(hn::Lanes(d))) {
    hn::StoreU(v, d, p);
  } else {
    StoreTail(v, d, p, static_cast<size_t>(n));
  }
}

// Sets out[c] = end(fold(… fold(fold(start, pixel), …)) for all channels: in four vectors at once, so that none waits
// for the step before it, then in one.
template <class D, class Fold, class End>
HWY_INLINE void FoldPixels(D d, const float* input, WindowPixels pixels, int64_t channels, float* out, float start,
                           const Fold& fold, const End& end) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto first = hn::Set(d, start);
  int64_t c = 0;
  for (; c + 4 * lanes <= channels; c += 4 * lanes) {
    auto v0 = first, v1 = first, v2 = first, v3 = first;
    for (const int64_t pixel : pixels) {
      const float* const x = input + pixel + c;
      v0 = fold(v0, hn::LoadU(d, x));
      v1 = fold(v1, hn::LoadU(d, x + lanes));
      v2 = fold(v2, hn::LoadU(d, x + 2 * lanes));
      v3 = fold(v3, hn::LoadU(d, x + 3 * lanes));
    }
    hn::StoreU(end(v0), d, out + c);
    hn::StoreU(end(v1), d, out + c + lanes);
    hn::StoreU(end(v2), d, out + c + 2 * lanes);
    hn::StoreU(end(v3), d, out + c + 3 * lanes);
  }
  ForChannels(channels - c, lanes, [&](int64_t at, int64_t n) HWY_ATTR {
    auto value = first;
    for (const int64_t pixel : pixels) value = fold(value, LoadSome(d, input + pixel + c + at, n));
    StoreSome(end(value), d, out + c + at, n);
  });
}

void MaxFloat(const float* input, WindowPixels pixels, int64_t channels, float lowest, float* out) {
  const hn::ScalableTag<float> d;
  FoldPixels(
      d, input, pixels, channels, out, lowest,
      [](auto best, auto x) HWY_ATTR { return hn::IfThenElse(hn::Lt(best, x), x, best); },
      [](auto best) HWY_ATTR { return best; });
}

void AddToMaxFloat(const float* input, WindowPixels pixels, int64_t channels, const float* gradient, float* sums) {
  const hn::ScalableTag<float> d;
  if (pixels.empty()) return;
  ForChannels(channels, static_cast<int64_t>(hn::Lanes(d)), [&](int64_t c, int64_t n) HWY_ATTR {
    auto best = LoadSome(d, input + pixels[0] + c, n), winner = hn::Zero(d);
    float number = 0;  // exact: windows have fewer pixels than 2^24
    for (const int64_t pixel : pixels) {
      const auto x = LoadSome(d, input + pixel + c, n);
      const auto larger = hn::Lt(best, x);
      best = hn::IfThenElse(larger, x, best);
      winner = hn::IfThenElse(larger, hn::Set(d, number), winner);
      number += 1;
    }
    const auto dy = LoadSome(d, gradient + c, n);
    number = 0;
    for (const int64_t pixel : pixels) {
      float* const at = sums + pixel + c;
      const auto share = hn::IfThenElseZero(hn::Eq(winner, hn::Set(d, number)), dy);
      StoreSome(hn::Add(LoadSome(d, at, n), share), d, at, n);
      number += 1;
    }
  });
}

void MeanFloat(const float* input, WindowPixels pixels, int64_t channels, float* out) {
  const hn::ScalableTag<float> d;
  const auto count = hn::Set(d, static_cast<float>(pixels.size()));
  FoldPixels(
      d, input, pixels, channels, out, 0, [](auto sum, auto x) HWY_ATTR { return hn::Add(sum, x); },
      [count](auto sum) HWY_ATTR { return hn::Div(sum, count); });
}

void AddMeanFloat(WindowPixels pixels, int64_t channels, const float* gradient, float* sums) {
  const hn::ScalableTag<float> d;
  const auto count = hn::Set(d, static_cast<float>(pixels.size()));
  ForChannels(channels, static_cast<int64_t>(hn::Lanes(d)), [&](int64_t c, int64_t n) HWY_ATTR {
    const auto share = hn::Div(LoadSome(d, gradient + c, n), count);
    for (const int64_t pixel : pixels) {
      float* const at = sums + pixel + c;
      StoreSome(hn::Add(LoadSome(d, at, n), share), d, at, n);
    }
  });
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(MaxFloat);
HWY_EXPORT(AddToMaxFloat);
HWY_EXPORT(MeanFloat);
HWY_EXPORT(AddMeanFloat);

namespace {
// Integers wrap, as TensorFlow's do.
template <class T>
T Sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return a + b;
  }
}
}  // namespace

template <class T>
void MaxOfWindow(const T* input, WindowPixels pixels, int64_t channels, T lowest, T* out) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(MaxFloat)(input, pixels, channels, lowest, out);
  } else {
    std::fill_n(out, channels, lowest);
    for (const int64_t pixel : pixels) {
      for (int64_t c = 0; c < channels; ++c) out[c] = out[c] < input[pixel + c] ? input[pixel + c] : out[c];
    }
  }
}

template <class T>
void AddToMaxOfWindow(const T* input, WindowPixels pixels, int64_t channels, const T* gradient, T* sums) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(AddToMaxFloat)(input, pixels, channels, gradient, sums);
  } else {
    for (int64_t c = 0; c < channels && !pixels.empty(); ++c) {
      int64_t winner = pixels[0] + c;
      for (const int64_t pixel : pixels) {
        if (input[winner] < input[pixel + c]) winner = pixel + c;
      }
      sums[winner] = Sum(sums[winner], gradient[c]);
    }
  }
}

template <class T>
void MeanOfWindow(const T* input, WindowPixels pixels, int64_t channels, T* out) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(MeanFloat)(input, pixels, channels, out);
  } else {
    for (int64_t c = 0; c < channels; ++c) {
      T sum = 0;
      for (const int64_t pixel : pixels) sum += input[pixel + c];
      out[c] = sum / static_cast<T>(pixels.size());
    }
  }
}

template <class T>
void AddMeanToWindow(WindowPixels pixels, int64_t channels, const T* gradient, T* sums) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(AddMeanFloat)(pixels, channels, gradient, sums);
  } else {
    for (const int64_t pixel : pixels) {
      for (int64_t c = 0; c < channels; ++c) sums[pixel + c] += gradient[c] / static_cast<T>(pixels.size());
    }
  }
}

#define PLUMB_INSTANTIATE_MAX(T)                                        \
  template void MaxOfWindow<T>(const T*, WindowPixels, int64_t, T, T*); \
  template void AddToMaxOfWindow<T>(const T*, WindowPixels, int64_t, const T*, T*);
#define PLUMB_INSTANTIATE_MEAN(T)                                     \
  template void MeanOfWindow<T>(const T*, WindowPixels, int64_t, T*); \
  template void AddMeanToWindow<T>(WindowPixels, int64_t, const T*, T*);
PLUMB_INSTANTIATE_MAX(float)
PLUMB_INSTANTIATE_MAX(double)
PLUMB_INSTANTIATE_MAX(int8_t)
PLUMB_INSTANTIATE_MAX(int16_t)
PLUMB_INSTANTIATE_MAX(int32_t)
PLUMB_INSTANTIATE_MAX(int64_t)
PLUMB_INSTANTIATE_MAX(uint8_t)
PLUMB_INSTANTIATE_MAX(uint16_t)
PLUMB_INSTANTIATE_MAX(uint32_t)
PLUMB_INSTANTIATE_MAX(uint64_t)
PLUMB_INSTANTIATE_MEAN(float)
PLUMB_INSTANTIATE_MEAN(double)
#undef PLUMB_INSTANTIATE_MAX
#undef PLUMB_INSTANTIATE_MEAN

}  // namespace plumb::fast::cpu
#endif
