#include "fastpath/cpu/lib/image/batch_norm_loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/lib/image/batch_norm_loops.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

namespace {

constinit ChoicePoint in_runs("batch norm: channels side by side, or a run of each");
constinit ChoicePoint whole_channels("batch norm, channels side by side: a tail, or whole vectors");
constinit ChoicePoint whole_runs("batch norm, a run of each channel: a tail, or whole vectors");

// Whether each channel has several elements together.
bool HasRuns(const ChannelView& view) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  if (!in_runs.Chosen(view.inner > 1)) {
    whole_channels.Chosen(view.channels % lanes == 0);
    return false;
  }
  whole_runs.Chosen(view.inner % lanes == 0);
  return true;
}

}  // namespace

// Calls body(first element, channel) for every run of `inner` elements of one channel.
template <class Body>
HWY_INLINE void ForRuns(const ChannelView& view, int64_t begin, int64_t end, const Body& body) {
  for (int64_t i = begin; i < end; ++i) {
    for (int64_t c = 0; c < view.channels; ++c) body(i * view.step() + c * view.inner, c);
  }
}

// The sum of n elements; map(load) is a vector of them, of arrays that load(p) reads.
template <class Map>
HWY_INLINE float SumRun(int64_t n, const Map& map) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto sum = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    sum = hn::Add(sum, map([d, i](const float* p) HWY_ATTR { return hn::LoadU(d, p + i); }));
  }
  if (i < n) {
    const auto rest = static_cast<size_t>(n - i);
    const auto last = map([d, i, rest](const float* p) HWY_ATTR { return LoadTail(d, p + i, rest); });
    sum = hn::Add(sum, hn::IfThenElseZero(hn::FirstN(d, rest), last));
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

void AddSums(const ChannelView& view, int64_t begin, int64_t end, const float* x, float* sum) {
  if (HasRuns(view)) {
    ForRuns(view, begin, end, [&](int64_t at, int64_t c) HWY_ATTR {
      sum[c] += SumRun(view.inner, [p = x + at](auto load) HWY_ATTR { return load(p); });
    });
    return;
  }
  for (int64_t i = begin; i < end; ++i) {
    const float* const row = x + i * view.channels;
    MapVectors(sum, view.channels, [=](auto load) HWY_ATTR { return hn::Add(load(sum), load(row)); });
  }
}

void AddSquares(const ChannelView& view, int64_t begin, int64_t end, const float* x, const float* mean, float* sum) {
  if (HasRuns(view)) {
    ForRuns(view, begin, end, [&](int64_t at, int64_t c) HWY_ATTR {
      const auto m = hn::Set(hn::ScalableTag<float>(), mean[c]);
      sum[c] += SumRun(view.inner, [p = x + at, m](auto load) HWY_ATTR {
        const auto centered = hn::Sub(load(p), m);
        return hn::Mul(centered, centered);
      });
    });
    return;
  }
  for (int64_t i = begin; i < end; ++i) {
    const float* const p = x + i * view.channels;
    MapVectors(sum, view.channels, [=](auto load) HWY_ATTR {
      const auto centered = hn::Sub(load(p), load(mean));
      return hn::MulAdd(centered, centered, load(sum));
    });
  }
}

void AddProducts(const ChannelView& view, int64_t begin, int64_t end, const float* y, const float* x, const float* mean,
                 const float* factor, float* sum) {
  if (HasRuns(view)) {
    ForRuns(view, begin, end, [&](int64_t at, int64_t c) HWY_ATTR {
      const hn::ScalableTag<float> d;
      const auto m = hn::Set(d, mean[c]), f = hn::Set(d, factor[c]);
      sum[c] += SumRun(view.inner, [p = x + at, q = y + at, m, f](auto load)
                                       HWY_ATTR { return hn::Mul(hn::Mul(hn::Sub(load(p), m), f), load(q)); });
    });
    return;
  }
  for (int64_t i = begin; i < end; ++i) {
    const float *const p = x + i * view.channels, *const q = y + i * view.channels;
    MapVectors(sum, view.channels, [=](auto load) HWY_ATTR {
      return hn::MulAdd(hn::Mul(hn::Sub(load(p), load(mean)), load(factor)), load(q), load(sum));
    });
  }
}

void Normalize(const ChannelView& view, int64_t begin, int64_t end, const float* x, const float* mean,
               const float* factor, const float* offset, float* y) {
  const hn::ScalableTag<float> d;
  if (HasRuns(view)) {
    ForRuns(view, begin, end, [&](int64_t at, int64_t c) HWY_ATTR {
      const auto m = hn::Set(d, mean[c]), f = hn::Set(d, factor[c]), o = hn::Set(d, offset[c]);
      const float* const p = x + at;
      MapVectors(y + at, view.inner, [=](auto load) HWY_ATTR { return hn::Add(hn::Mul(hn::Sub(load(p), m), f), o); });
    });
    return;
  }
  for (int64_t i = begin; i < end; ++i) {
    const float* const p = x + i * view.channels;
    MapVectors(y + i * view.channels, view.channels, [=](auto load) HWY_ATTR {
      return hn::Add(hn::Mul(hn::Sub(load(p), load(mean)), load(factor)), load(offset));
    });
  }
}

void NormalizeGradients(const ChannelView& view, int64_t begin, int64_t end, const float* dy, const float* x,
                        const ChannelGradients& k, float* dx) {
  const hn::ScalableTag<float> d;
  const auto formula = [](auto g, auto value, auto m, auto inverse, auto shift, auto slope, auto f) HWY_ATTR {
    return hn::Mul(hn::Sub(hn::Sub(g, shift), hn::Mul(hn::Mul(hn::Sub(value, m), inverse), slope)), f);
  };
  if (HasRuns(view)) {
    ForRuns(view, begin, end, [&](int64_t at, int64_t c) HWY_ATTR {
      const auto m = hn::Set(d, k.mean[c]), inverse = hn::Set(d, k.inverse[c]), shift = hn::Set(d, k.shift[c]);
      const auto slope = hn::Set(d, k.slope[c]), f = hn::Set(d, k.factor[c]);
      const float *const p = x + at, *const g = dy + at;
      MapVectors(dx + at, view.inner,
                 [=](auto load) HWY_ATTR { return formula(load(g), load(p), m, inverse, shift, slope, f); });
    });
    return;
  }
  for (int64_t i = begin; i < end; ++i) {
    const float *const p = x + i * view.channels, *const g = dy + i * view.channels;
    MapVectors(dx + i * view.channels, view.channels, [=](auto load) HWY_ATTR {
      return formula(load(g), load(p), load(k.mean), load(k.inverse), load(k.shift), load(k.slope), load(k.factor));
    });
  }
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(AddSums);
HWY_EXPORT(AddSquares);
HWY_EXPORT(AddProducts);
HWY_EXPORT(Normalize);
HWY_EXPORT(NormalizeGradients);

void AddChannelSums(const ChannelView& view, int64_t begin, int64_t end, const float* x, float* sum) {
  HWY_DYNAMIC_DISPATCH(AddSums)(view, begin, end, x, sum);
}
void AddChannelSquares(const ChannelView& view, int64_t begin, int64_t end, const float* x, const float* mean,
                       float* sum) {
  HWY_DYNAMIC_DISPATCH(AddSquares)(view, begin, end, x, mean, sum);
}
void AddChannelProducts(const ChannelView& view, int64_t begin, int64_t end, const float* y, const float* x,
                        const float* mean, const float* factor, float* sum) {
  HWY_DYNAMIC_DISPATCH(AddProducts)(view, begin, end, y, x, mean, factor, sum);
}
void NormalizeChannels(const ChannelView& view, int64_t begin, int64_t end, const float* x, const float* mean,
                       const float* factor, const float* offset, float* y) {
  HWY_DYNAMIC_DISPATCH(Normalize)(view, begin, end, x, mean, factor, offset, y);
}
void NormalizeChannelGradients(const ChannelView& view, int64_t begin, int64_t end, const float* dy, const float* x,
                               const ChannelGradients& k, float* dx) {
  HWY_DYNAMIC_DISPATCH(NormalizeGradients)(view, begin, end, dy, x, k, dx);
}

}  // namespace plumb::fast::cpu
#endif
