#include "fastpath/cpu/convolution/depthwise_loops.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/convolution/depthwise_loops.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

namespace {

// The sum for one vector of channels; load(p) reads it from the row at p. Images take turns in two sums, so that an
// addition need not wait for the one before it.
template <class D, class Load>
HWY_INLINE hn::Vec<D> SumOf(D d, const float* a, const float* b, std::span<const Meeting> meetings,
                            const Images& images, const Load& load) {
  auto even = hn::Zero(d), odd = hn::Zero(d);
  int64_t i = 0;
  for (; i + 1 < images.count; i += 2) {
    const float *const first_a = a + i * images.a, *const first_b = b + i * images.b;
    const float *const second_a = first_a + images.a, *const second_b = first_b + images.b;
    for (const Meeting& m : meetings) {
      even = hn::MulAdd(load(first_a + m.a), load(first_b + m.b), even);
      odd = hn::MulAdd(load(second_a + m.a), load(second_b + m.b), odd);
    }
  }
  if (i < images.count) {
    const float *const last_a = a + i * images.a, *const last_b = b + i * images.b;
    for (const Meeting& m : meetings) even = hn::MulAdd(load(last_a + m.a), load(last_b + m.b), even);
  }
  return hn::Add(even, odd);
}

// Stores for each image the sum for one vector of channels, by store(sum, p).
template <class D, class Load, class Store>
HWY_INLINE void StoreSums(D d, const float* a, const float* b, std::span<const Meeting> meetings, const Images& images,
                          int64_t step, float* out, const Load& load, const Store& store) {
  for (int64_t i = 0; i < images.count; ++i, a += images.a, b += images.b, out += step) {
    auto sum = hn::Zero(d);
    for (const Meeting& m : meetings) sum = hn::MulAdd(load(a + m.a), load(b + m.b), sum);
    store(sum, out);
  }
}

}  // namespace

void SumsOfProductsFloat(const float* a, const float* b, std::span<const Meeting> meetings, const Images& images,
                         int64_t channels, int64_t step, float* out) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t c = 0;
  for (; c + lanes <= channels; c += lanes) {
    const auto load = [d](const float* p) HWY_ATTR { return hn::LoadU(d, p); };
    const auto store = [d](V sum, float* p) HWY_ATTR { hn::StoreU(sum, d, p); };
    StoreSums(d, a + c, b + c, meetings, images, step, out + c, load, store);
  }
  const auto rest = static_cast<size_t>(channels - c);
  if (rest == 0) return;
  const auto load = [d, rest](const float* p) HWY_ATTR { return LoadTail(d, p, rest); };
  const auto store = [d, rest](V sum, float* p) HWY_ATTR { StoreTail(sum, d, p, rest); };
  StoreSums(d, a + c, b + c, meetings, images, step, out + c, load, store);
}

void SumOfProductsFloat(const float* a, const float* b, std::span<const Meeting> meetings, const Images& images,
                        int64_t channels, float* out) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t c = 0;
  for (; c + lanes <= channels; c += lanes) {
    const auto load = [d](const float* p) HWY_ATTR { return hn::LoadU(d, p); };
    hn::StoreU(SumOf(d, a + c, b + c, meetings, images, load), d, out + c);
  }
  const auto rest = static_cast<size_t>(channels - c);
  if (rest == 0) return;
  const auto load = [d, rest](const float* p) HWY_ATTR { return LoadTail(d, p, rest); };
  StoreTail(SumOf(d, a + c, b + c, meetings, images, load), d, out + c, rest);
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(SumOfProductsFloat);
HWY_EXPORT(SumsOfProductsFloat);

void SumOfProducts(const float* a, const float* b, std::span<const Meeting> meetings, const Images& images,
                   int64_t channels, float* out) {
  HWY_DYNAMIC_DISPATCH(SumOfProductsFloat)(a, b, meetings, images, channels, out);
}

void SumsOfProducts(const float* a, const float* b, std::span<const Meeting> meetings, const Images& images,
                    int64_t channels, int64_t step, float* out) {
  HWY_DYNAMIC_DISPATCH(SumsOfProductsFloat)(a, b, meetings, images, channels, step, out);
}

void SumsOfProducts(const double* a, const double* b, std::span<const Meeting> meetings, const Images& images,
                    int64_t channels, int64_t step, double* out) {
  for (int64_t i = 0; i < images.count; ++i) {
    SumOfProducts(a + i * images.a, b + i * images.b, meetings, {}, channels, out + i * step);
  }
}

void SumOfProducts(const double* a, const double* b, std::span<const Meeting> meetings, const Images& images,
                   int64_t channels, double* out) {
  std::fill_n(out, channels, 0.0);
  for (int64_t i = 0; i < images.count; ++i, a += images.a, b += images.b) {
    for (const Meeting& m : meetings) {
      for (int64_t c = 0; c < channels; ++c) out[c] += a[m.a + c] * b[m.b + c];
    }
  }
}

}  // namespace plumb::fast::cpu
#endif
