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

void SumOfProductsFloat(const float* a, const float* b, std::span<const Meeting> meetings, int64_t channels,
                        float* out) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t c = 0;
  for (; c + lanes <= channels; c += lanes) {
    auto sum = hn::Zero(d);
    for (const Meeting& m : meetings) sum = hn::MulAdd(hn::LoadU(d, a + m.a + c), hn::LoadU(d, b + m.b + c), sum);
    hn::StoreU(sum, d, out + c);
  }
  const auto rest = static_cast<size_t>(channels - c);
  if (rest == 0) return;
  auto sum = hn::Zero(d);
  for (const Meeting& m : meetings) {
    sum = hn::MulAdd(LoadTail(d, a + m.a + c, rest), LoadTail(d, b + m.b + c, rest), sum);
  }
  StoreTail(sum, d, out + c, rest);
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(SumOfProductsFloat);

void SumOfProducts(const float* a, const float* b, std::span<const Meeting> meetings, int64_t channels, float* out) {
  HWY_DYNAMIC_DISPATCH(SumOfProductsFloat)(a, b, meetings, channels, out);
}

void SumOfProducts(const double* a, const double* b, std::span<const Meeting> meetings, int64_t channels, double* out) {
  std::fill_n(out, channels, 0.0);
  for (const Meeting& m : meetings) {
    for (int64_t c = 0; c < channels; ++c) out[c] += a[m.a + c] * b[m.b + c];
  }
}

}  // namespace plumb::fast::cpu
#endif
