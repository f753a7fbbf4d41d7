// QuantizedMaxPool and QuantizedAvgPool: windows of bytes.
#include <algorithm>

#include "fastpath/cpu/lib/image/pooling.h"
#include "fastpath/cpu/quantization/codes.h"
#include "fastpath/cpu/quantization/pool_loops.h"

namespace plumb::fast::cpu {
namespace {

template <bool mean>
class QuantizedPoolKernel final : public PoolingKernel {
 public:
  explicit QuantizedPoolKernel(const Node& node)
      : PoolingKernel(node, InputType(node, 0), mean ? SizeChecks::kBatch : SizeChecks::kSizesThenBatch) {}

  void Run(KernelContext& context) override {
    const PoolingSize size = SizeOf(context.input(0).shape());
    if constexpr (mean) RefuseOverChannels();
    const float min = ScalarFloat(context, 1), max = ScalarFloat(context, 2);
    if (dtype_ == DType::kQint8) {
      Pool<int8_t>(context, size);
    } else {
      Pool<uint8_t>(context, size);
    }
    OutputFloat(context, 1, min);
    OutputFloat(context, 2, max);
  }

 private:
  template <class Code>
  void Pool(KernelContext& context, const PoolingSize& size) const {
    const auto* const from = static_cast<const Code*>(context.input(0).raw());
    auto* const to = static_cast<Code*>(context.AllocateOutput(0, dtype_, size.output()).mutable_raw());
    if (OverChannels()) return PoolChannels(context.pool(), size, from, to);
    ForEachWindowInParallel(context.pool(), size, [&](int64_t image, int64_t at, WindowPixels pixels) {
      if constexpr (mean) MeanOfCodes(from + image, pixels, size.depth, to + at);
      if constexpr (!mean) MaxOfCodes(from + image, pixels, size.depth, to + at);
    });
  }

  template <class Code>
  static void PoolChannels(ThreadPool& pool, const PoolingSize& size, const Code* from, Code* to) {
    const int64_t window = size.channels.window, count = size.channels.output, across = size.columns.output;
    pool.ParallelFor(size.batch * size.rows.output, GrainFor(across * size.depth), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t image = row / size.rows.output * size.image();
        const int64_t start = size.rows.Start(row % size.rows.output) * size.columns.input;
        for (int64_t column = 0; column < across; ++column) {
          const Code* const pixel = from + image + (start + size.columns.Start(column)) * size.depth;
          for (int64_t c = 0; c < count; ++c) {
            to[(row * across + column) * count + c] = *std::max_element(pixel + c * window, pixel + (c + 1) * window);
          }
        }
      }
    });
  }
};

constexpr KernelRow kRows[] = {
    {"QuantizedMaxPool", Make<QuantizedPoolKernel<false>>},
    {"QuantizedAvgPool", Make<QuantizedPoolKernel<true>>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizedPool() { return kRows; }

}  // namespace plumb::fast::cpu
