// QuantizedBatchNormWithGlobalNormalization: a line for each channel, in
// fixed-point arithmetic.
#include <array>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/quantization/codes.h"

namespace plumb::fast::cpu {
namespace {

struct ChannelLine {
  uint32_t scale, offset;
};

class QuantizedBatchNormKernel final : public Kernel {
 public:
  explicit QuantizedBatchNormKernel(const Node &node)
      : epsilon_(GetAttr<float>(node.attrs, "variance_epsilon")),
        scales_(GetAttr<bool>(node.attrs, "scale_after_normalization")) {}

  void Run(KernelContext &context) override {
    const Tensor &images = context.input(0);
    const Shape shape = images.shape();
    const Steps<uint8_t> range = RangeOf(context, 0);
    Require(shape.rank() == 4, "the input must be images of four dimensions, not of shape ", Printed(shape));
    const Shape channels = {shape[3]};
    for (int i = 3; i < 15; i += 3) {
      Require(context.input(i).shape() == channels && channels[0] > 1, "input ", i,
              " must have an entry for each channel of ", Printed(shape), ", and there must be two or more, not ",
              Printed(context.input(i).shape()));
    }
    const Steps<int32_t> fixed(-kEnd, kEnd);
    const std::vector<ChannelLine> lines = LinesOf(context, fixed, channels[0]);
    std::array<uint32_t, 256> codes{};
    for (int i = 0; i < 256; ++i) {
      codes[i] = static_cast<uint32_t>(fixed.Nearest(range.NumberOf(static_cast<uint8_t>(i))));
    }
    const int32_t one = fixed.Nearest(1);
    const Quint8 *const from = images.data<Quint8>().data();
    Qint32 *const to = context.AllocateOutput(0, DType::kQint32, shape).mutable_data<Qint32>().data();
    const int64_t depth = channels[0];
    context.pool().ParallelFor(shape.elements() / depth, GrainFor(8 * depth), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin * depth; row < end * depth; row += depth) {
        for (int64_t c = 0; c < depth; ++c) {
          const auto product = static_cast<int32_t>(codes[from[row + c].value] * lines[c].scale);
          to[row + c].value = static_cast<int32_t>(static_cast<uint32_t>(product / one) + lines[c].offset);
        }
      }
    });
    OutputFloat(context, 1, -kEnd);
    OutputFloat(context, 2, kEnd);
  }

 private:
  static constexpr float kEnd = 0x1p20F;

  static Steps<uint8_t> RangeOf(const KernelContext &context, int i) {
    return {OneFloat(context, i + 1), OneFloat(context, i + 2)};
  }

  std::vector<ChannelLine> LinesOf(const KernelContext &context, const Steps<int32_t> &fixed, int64_t channels) const {
    const Steps<uint8_t> ranges[] = {RangeOf(context, 3), RangeOf(context, 6), RangeOf(context, 9),
                                     RangeOf(context, 12)};
    std::vector<ChannelLine> lines(static_cast<size_t>(channels));
    for (int64_t c = 0; c < channels; ++c) {
      float moments[4];  // mean, variance, beta, gamma
      for (int i = 0; i < 4; ++i) moments[i] = ranges[i].NumberOf(context.input(3 + 3 * i).data<Quint8>()[c].value);
      float scale = 1 / std::sqrt(moments[1] + epsilon_);
      if (scales_) scale *= moments[3];
      const float offset = -moments[0] * scale + moments[2];
      lines[c] = {static_cast<uint32_t>(fixed.Nearest(scale)), static_cast<uint32_t>(fixed.Nearest(offset))};
    }
    return lines;
  }

  const float epsilon_;
  const bool scales_;
};

constexpr KernelRow kRows[] = {
    {"QuantizedBatchNormWithGlobalNormalization", Make<QuantizedBatchNormKernel>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizedBatchNorm() { return kRows; }

}  // namespace plumb::fast::cpu
