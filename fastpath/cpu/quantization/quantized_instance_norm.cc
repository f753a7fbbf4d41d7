// QuantizedInstanceNorm: moments of each channel of each image, and a line from its codes to those of the result.
#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/quantization/codes.h"

namespace plumb::fast::cpu {
namespace {

// What a code of one channel of one image is when it is normalised.
struct ChannelScale {
  float mean = 0, inverse_deviation = 0;
  uint8_t lowest = 255, highest = 0;  // of its codes
  float NormalOf(uint8_t code, float scale) const {
    return scale * (static_cast<float>(code) - mean) * inverse_deviation;
  }
};

class QuantizedInstanceNormKernel final : public Kernel {
 public:
  explicit QuantizedInstanceNormKernel(const Node& node)
      : is_given_(GetAttr<bool>(node.attrs, "output_range_given")),
        given_min_(GetAttr<float>(node.attrs, "given_y_min")),
        given_max_(GetAttr<float>(node.attrs, "given_y_max")),
        epsilon_(GetAttr<float>(node.attrs, "variance_epsilon")),
        separation_(GetAttr<float>(node.attrs, "min_separation")) {
    Require(!is_given_ || given_min_ < given_max_, "given_y_min ", given_min_, " is not below given_y_max ",
            given_max_);
  }

  void Run(KernelContext& context) override {
    const Tensor& images = context.input(0);
    const Shape shape = images.shape();
    Require(shape.rank() == 4, "the input must be images of four dimensions, not of shape ", Printed(shape));
    const float low = ScalarFloat(context, 1), high = ScalarFloat(context, 2);
    Require(low < high, "x_min ", low, " is not below x_max ", high);
    const float scale = (high - low) / 255;
    const auto* const codes = static_cast<const uint8_t*>(images.raw());
    const int64_t pixels = shape[1] * shape[2], depth = shape[3];
    std::vector<ChannelScale> channels(static_cast<size_t>(shape[0] * depth));
    context.pool().ParallelFor(shape[0], GrainFor(4 * pixels * depth), [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        Measure(codes + n * pixels * depth, pixels, depth, scale, channels.data() + n * depth);
      }
    });
    float min = given_min_, max = given_max_;
    if (!is_given_) std::tie(min, max) = RangeOf(channels, pixels, scale);
    if (max - min < separation_) max = min + separation_;
    const NearestCode<uint8_t> nearest(min, max);
    auto* const to = static_cast<uint8_t*>(context.AllocateOutput(0, DType::kQuint8, shape).mutable_raw());
    context.pool().ParallelFor(shape[0] * pixels, GrainFor(8 * depth), [&](int64_t begin, int64_t end) {
      for (int64_t pixel = begin; pixel < end; ++pixel) {
        const ChannelScale* const of = channels.data() + pixel / pixels * depth;
        for (int64_t c = 0; c < depth; ++c) {
          to[pixel * depth + c] = nearest(of[c].NormalOf(codes[pixel * depth + c], scale));
        }
      }
    });
    OutputFloat(context, 1, min);
    OutputFloat(context, 2, max);
  }

 private:
  void Measure(const uint8_t* codes, int64_t pixels, int64_t depth, float scale, ChannelScale* channels) const {
    std::vector<int64_t> sums(static_cast<size_t>(depth), 0);
    std::vector<double> squares(static_cast<size_t>(depth), 0);
    for (int64_t i = 0; i < pixels * depth; i += depth) {
      for (int64_t c = 0; c < depth; ++c) {
        sums[c] += codes[i + c];
        channels[c].lowest = std::min(channels[c].lowest, codes[i + c]);
        channels[c].highest = std::max(channels[c].highest, codes[i + c]);
      }
    }
    const auto count = static_cast<float>(pixels);
    for (int64_t c = 0; c < depth; ++c) channels[c].mean = static_cast<float>(sums[c]) / count;
    for (int64_t i = 0; i < pixels * depth; i += depth) {
      for (int64_t c = 0; c < depth; ++c) {
        const float deviation = scale * (static_cast<float>(codes[i + c]) - channels[c].mean);
        squares[c] += static_cast<double>(deviation * deviation);
      }
    }
    for (int64_t c = 0; c < depth; ++c) {
      const float variance = static_cast<float>(squares[c]) / count;
      channels[c].inverse_deviation = 1 / std::sqrt(variance + epsilon_);
    }
  }

  // Numbers rise with codes, so that the ends of each channel are among the ends of all.
  static std::pair<float, float> RangeOf(const std::vector<ChannelScale>& channels, int64_t pixels, float scale) {
    float min = std::numeric_limits<float>::infinity(), max = -min;
    for (const ChannelScale& channel : channels) {
      if (pixels == 0) break;
      const float first = channel.NormalOf(channel.lowest, scale), last = channel.NormalOf(channel.highest, scale);
      if (first < min) min = first;
      if (last > max) max = last;
    }
    return {min, max};
  }

  const bool is_given_;
  const float given_min_, given_max_, epsilon_, separation_;
};

constexpr KernelRow kRows[] = {
    {"QuantizedInstanceNorm", Make<QuantizedInstanceNormKernel>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizedInstanceNorm() { return kRows; }

}  // namespace plumb::fast::cpu
