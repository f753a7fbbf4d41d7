// Vector loops over numbers whose channels have ranges of their own. All start at the first channel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace plumb::fast::cpu {

// What channels have, repeated until it fills whole vectors; many channels stand once.
inline int64_t PeriodOf(int64_t channels) {
  constexpr int64_t kMany = 64, kLanes = 8;
  const int64_t some = std::max<int64_t>(1, channels);
  return some >= kMany ? some : some * std::max(kLanes, kMany / some);
}
inline std::vector<float> Repeated(const std::vector<float>& channels) {
  std::vector<float> all(channels.empty() ? 0 : static_cast<size_t>(PeriodOf(static_cast<int64_t>(channels.size()))));
  for (size_t i = 0; i < all.size(); ++i) all[i] = channels[i % channels.size()];
  return all;
}

// The places of ranges (fastpath/formulas/quantization/fake_quant-inl.h), `period` of each; is_full is 0 where a range
// is empty and 1 elsewhere.
struct RangeRow {
  int64_t period;
  const float *low, *high, *scale, *inverse, *zero, *is_full;
};

struct RangeLoops {
  // y = the place next to x
  void (*nearest)(const RangeRow& ranges, const float* x, float* y, int64_t n) = nullptr;
  // dx = dy where x is inside.
  void (*inside)(const RangeRow& ranges, const float* dy, const float* x, float* dx, int64_t n) = nullptr;
  // Adds each dy whose x is below to that of `period` sums, and each whose x is above.
  void (*outside)(const RangeRow& ranges, const float* dy, const float* x, int64_t n, float* below,
                  float* above) = nullptr;
  // to = from·scale, rounded to even, within the type. What is no number is the first code, or the last signed one.
  void (*codes)(const std::vector<float>& scales, const int32_t* from, uint8_t* to, int64_t n) = nullptr;
  void (*signed_codes)(const std::vector<float>& scales, const int32_t* from, int8_t* to, int64_t n) = nullptr;
};
RangeLoops FindRangeLoops();

}  // namespace plumb::fast::cpu
