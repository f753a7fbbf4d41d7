// Where each channel has a range: how far the numbers go that codes stand for, and codes of 8 bits in one range for
// all.
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/quantization/codes.h"
#include "fastpath/cpu/quantization/range_loops.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint in_parts("range of channels: in one part, or in several");

// The machine's |code|: that of the least code does not fit and stays as it is.
int32_t Magnitude(int32_t code) { return code < 0 ? static_cast<int32_t>(0U - static_cast<uint32_t>(code)) : code; }

// What is left of an end in float32, where the greatest codes round to 2^31, which the machine takes for the least one.
int32_t ThroughFloat(int32_t code) {
  const auto rounded = static_cast<float>(code);
  return rounded < 0x1p31F ? static_cast<int32_t>(rounded) : std::numeric_limits<int32_t>::min();
}

// The least code of each channel, then the greatest of each.
std::vector<int32_t> ExtremesOf(ThreadPool &pool, const Qint32 *codes, int64_t rows, int64_t channels) {
  const int64_t rows_each = std::max<int64_t>(1, (int64_t{1} << 16) / channels);
  const int64_t parts = (rows + rows_each - 1) / rows_each, stride = 2 * channels;
  in_parts.Chosen(parts > 1);
  std::vector<int32_t> found(static_cast<size_t>(parts * stride));
  pool.ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      int32_t *const least = found.data() + part * stride, *const most = least + channels;
      const int64_t first = part * rows_each;
      for (int64_t c = 0; c < channels; ++c) least[c] = most[c] = codes[first * channels + c].value;
      for (int64_t row = first; row < std::min(rows, first + rows_each); ++row) {
        for (int64_t c = 0; c < channels; ++c) {
          const int32_t code = codes[row * channels + c].value;
          least[c] = std::min(least[c], code);
          most[c] = std::max(most[c], code);
        }
      }
    }
  });
  for (int64_t part = 1; part < parts; ++part) {
    for (int64_t c = 0; c < channels; ++c) {
      found[c] = std::min(found[c], found[part * stride + c]);
      found[channels + c] = std::max(found[channels + c], found[part * stride + channels + c]);
    }
  }
  found.resize(static_cast<size_t>(stride));
  for (int32_t &end : found) end = ThroughFloat(end);
  return found;
}

class RangePerChannelKernel final : public Kernel {
 public:
  explicit RangePerChannelKernel(const Node &node) : clip_(GetAttr<float>(node.attrs, "clip_value_max")) {}

  void Run(KernelContext &context) override {
    const Tensor &input = context.input(0), &min = context.input(1), &max = context.input(2);
    const int64_t channels = max.elements();
    Require(min.rank() >= 1 && max.rank() >= 1 && min.dim(0) == channels && max.dim(0) == channels &&
                min.elements() == channels,
            "input_min and input_max must be vectors of one size, not of shape ", Printed(min.shape()), " and ",
            Printed(max.shape()));
    Require(input.elements() > 0 && input.rank() == 4 && input.dim(3) == channels, "the input must be images of ",
            channels, " channels, not of shape ", Printed(input.shape()));
    const auto extremes =
        ExtremesOf(context.pool(), input.data<Qint32>().data(), input.elements() / channels, channels);
    const float *const low = min.data<float>().data(), *const high = max.data<float>().data();
    float farthest = std::numeric_limits<float>::min();
    bool is_negative = false;
    for (int64_t c = 0; c < channels; ++c) {
      is_negative |= extremes[c] < 0;
      const float below = std::fabs(low[c]), above = std::fabs(high[c]), scale = below < above ? above : below;
      const int32_t code = std::max(Magnitude(extremes[c]), Magnitude(extremes[channels + c]));
      farthest = std::max(farthest, scale * static_cast<float>(code) / 0x1p31F);
    }
    if (farthest > clip_) farthest = clip_;
    OutputFloat(context, 0, is_negative ? -farthest : 0.0F);
    OutputFloat(context, 1, farthest);
  }

 private:
  const float clip_;
};

template <class Q>
class RequantizePerChannelKernel final : public Kernel {
 public:
  explicit RequantizePerChannelKernel(const Node &) {}

  void Run(KernelContext &context) override {
    const Tensor &input = context.input(0);
    const float min = OneFloat(context, 3), max = OneFloat(context, 4);
    Require(input.rank() == 4, "the input must be images, not of shape ", Printed(input.shape()));
    Require(!kIsSigned || min < 0, "requested_output_min must be below 0 for qint8: ", min);
    const int64_t channels = input.dim(3), rows = channels == 0 ? 0 : input.elements() / channels;
    const std::vector<float> scales = Repeated(ScalesOf(context, channels, min, max));
    const auto *const from = reinterpret_cast<const int32_t *>(input.data<Qint32>().data());
    Tensor &output = context.AllocateOutput(0, DTypeOf<Q>, input.shape());
    auto *const to = reinterpret_cast<Code *>(output.template mutable_data<Q>().data());
    const int64_t n = rows * channels, period = PeriodOf(channels);
    const RangeLoops loops = FindRangeLoops();
    context.pool().ParallelFor((n + period - 1) / period, GrainFor(2 * period), [&](int64_t begin, int64_t end) {
      const int64_t first = begin * period, count = std::min(n, end * period) - first;
      if constexpr (kIsSigned) {
        loops.signed_codes(scales, from + first, to + first, count);
      } else {
        loops.codes(scales, from + first, to + first, count);
      }
    });
    OutputFloat(context, 1, min);
    OutputFloat(context, 2, max);
  }

 private:
  using Code = CodeType<Q>;
  using Limits = CodeLimits<Code>;
  static constexpr bool kIsSigned = Limits::kLow < 0;
  static_assert(sizeof(Qint32) == sizeof(int32_t) && sizeof(Q) == sizeof(Code));

  static std::vector<float> ScalesOf(const KernelContext &context, int64_t channels, float min, float max) {
    const Tensor &lows = context.input(1), &highs = context.input(2);
    Require(lows.elements() == highs.elements() && (lows.elements() == 1 || lows.elements() == channels),
            "input_min and input_max must hold one number, or one for each of ", channels,
            " channels, not have the shapes ", Printed(lows.shape()), " and ", Printed(highs.shape()));
    const float wanted = std::max(std::fabs(min), std::fabs(max));
    std::vector<float> scales(static_cast<size_t>(channels));
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t at = lows.elements() == 1 ? 0 : c;
      const float size = std::max(std::fabs(lows.data<float>()[at]), std::fabs(highs.data<float>()[at]));
      scales[c] = Limits::kLast * (size / wanted / 0x1p31F);
    }
    return scales;
  }
};

constexpr KernelRow kRows[] = {
    {"RequantizationRangePerChannel", Make<RangePerChannelKernel>},
    {"RequantizePerChannel", MakeFor<RequantizePerChannelKernel, Types<Qint8, Quint8>>},
};

}  // namespace

std::span<const KernelRow> QuantizationRequantizePerChannel() { return kRows; }

}  // namespace plumb::fast::cpu
