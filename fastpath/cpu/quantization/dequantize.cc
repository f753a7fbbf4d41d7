// Dequantize: code · scale + offset, for each slice along an axis.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/quantization/mode.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

using Mode = QuantizationMode;

// number = (code − first) · scale + offset.
struct Line {
  float first = 0, scale = 0, offset = 0;
};

template <class Code>
Line LineOf(Mode mode, bool narrow, float min, float max) {
  using Limits = std::numeric_limits<Code>;
  constexpr auto kLow = static_cast<float>(Limits::min()), kHigh = static_cast<float>(Limits::max());
  constexpr double kSteps = static_cast<double>(uint64_t{1} << (8 * sizeof(Code)));
  switch (mode) {
    case Mode::kMinCombined:
      return {kLow == 0 ? 0.0F : static_cast<float>(-kSteps / 2), (max - min) / (kHigh - kLow), min};
    case Mode::kMinFirst: {
      const float scale = static_cast<float>((max - min) / (kSteps - 1));
      return {kLow, scale, min == max ? min : std::round(min / scale) * scale};
    }
    default: {
      const float low = kLow + (narrow ? 1.0F : 0.0F);
      return {0, kLow == 0 ? max / kHigh : std::max(min / low, max / kHigh), 0};
    }
  }
}

class DequantizeKernel : public Kernel {
 public:
  explicit DequantizeKernel(const Node& node)
      : dtype_(OutputType(node, 0)),
        mode_(ModeOf(node)),
        narrow_(GetAttr<bool>(node.attrs, "narrow_range")),
        axis_(GetAttr<int64_t>(node.attrs, "axis")) {
    Require(mode_ == Mode::kMinCombined || dtype_ == DType::kFloat, "only the mode MIN_COMBINED makes bfloat16");
  }

  void Run(KernelContext& context) override {
    const Tensor& codes = context.input(0);
    const Shape& shape = codes.shape();
    Require(axis_ >= -1 && axis_ < shape.rank(), "axis ", axis_, " is not one of the shape ", Printed(shape));
    const int64_t slices = axis_ < 0 ? 1 : shape[static_cast<int>(axis_)];
    for (const int i : {1, 2}) {
      Require(context.input(i).elements() == slices, "min_range and max_range must have ", slices,
              " entries, not the shape ", Printed(context.input(i).shape()));
    }
    if (slices != 1 && mode_ == Mode::kMinFirst) throw Unimplemented("MIN_FIRST knows no axis");
    Tensor numbers = Allocate(DType::kFloat, shape);
    const int64_t inner = axis_ < 0 ? shape.elements() : ElementsIn(shape, static_cast<int>(axis_) + 1, shape.rank());
    VisitType(codes.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (requires(T x) { x.value; }) {
        if (numbers.elements() > 0) {
          Convert(context.pool(), codes.data<T>().data(), context.input(1), context.input(2), slices, inner, numbers);
        }
      }
    });
    if (dtype_ == DType::kFloat) return context.SetOutput(0, std::move(numbers));
    RoundInto(context.pool(), numbers, context.AllocateOutput(0, dtype_, shape));
  }

 private:
  template <class T>
  void Convert(ThreadPool& pool, const T* codes, const Tensor& min, const Tensor& max, int64_t slices, int64_t inner,
               Tensor& numbers) const {
    float* const out = numbers.mutable_data<float>().data();
    const float *const low = min.data<float>().data(), *const high = max.data<float>().data();
    pool.ParallelFor(numbers.elements(), GrainFor(1), [&](int64_t begin, int64_t end) {
      while (begin < end) {
        const int64_t piece = begin / inner, last = std::min(end, (piece + 1) * inner), slice = piece % slices;
        const Line line = LineOf<decltype(T::value)>(mode_, narrow_, low[slice], high[slice]);
        if (mode_ == Mode::kScaled) {
          for (int64_t i = begin; i < last; ++i) out[i] = static_cast<float>(codes[i].value) * line.scale;
        } else {
          for (int64_t i = begin; i < last; ++i) {
            out[i] = (static_cast<float>(codes[i].value) - line.first) * line.scale + line.offset;
          }
        }
        begin = last;
      }
    });
  }

  const DType dtype_;
  const Mode mode_;
  const bool narrow_;
  const int64_t axis_;
};

constexpr KernelRow kRows[] = {
    {"Dequantize", Make<DequantizeKernel>},
};

}  // namespace

std::span<const KernelRow> QuantizationDequantize() { return kRows; }

}  // namespace plumb::fast::cpu
