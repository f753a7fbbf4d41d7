// LRN and LRNGrad: across the channels of each pixel.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/lrn_loops.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// Whether all neighbours that are asked for can exist.
constinit ChoicePoint wide_radius("LRN: neighbours within the depth, or beyond it on either side");

class LrnKernelBase : public Kernel {
 public:
  explicit LrnKernelBase(const Node& node)
      : dtype_(InputType(node, 0)), radius_(GetAttr<int64_t>(node.attrs, "depth_radius")) {
    Require(0 <= radius_ && radius_ < std::numeric_limits<int32_t>::max(),
            "depth_radius must be in [0, 2^31 - 1), not ", radius_);
    attrs_.bias = GetAttr<float>(node.attrs, "bias");
    attrs_.alpha = GetAttr<float>(node.attrs, "alpha");
    attrs_.beta = GetAttr<float>(node.attrs, "beta");
  }

 protected:
  // Computes every pixel of output 0: pixel(size, first element, scratch memory, output).
  template <class F>
  void ForEachPixel(KernelContext& context, const Shape& shape, const F& pixel) const {
    Require(shape.rank() == 4, "an image has 4 dimensions, not the shape ", Printed(shape));
    LrnSize size = attrs_;
    size.depth = shape[3];
    size.radius = radius_;
    if (wide_radius.Chosen(radius_ >= size.depth)) size.radius = std::max<int64_t>(0, size.depth - 1);
    Tensor output = Allocate(DType::kFloat, shape);
    float* const out = output.mutable_data<float>().data();
    const int64_t pixels = shape.elements() == 0 ? 0 : shape.elements() / size.depth;
    context.pool().ParallelFor(pixels, GrainFor(size.depth * (size.radius + 16)), [&](int64_t begin, int64_t end) {
      Tensor scratch = Allocate(DType::kFloat, {size.scratch()});
      for (int64_t i = begin; i < end; ++i) {
        pixel(size, i * size.depth, scratch.mutable_data<float>().data(), out + i * size.depth);
      }
    });
    context.SetOutput(0, RoundedTo(context.pool(), dtype_, std::move(output)));
  }

  const DType dtype_;
  const int64_t radius_;

 private:
  LrnSize attrs_;
};

class LrnKernel : public LrnKernelBase {
 public:
  using LrnKernelBase::LrnKernelBase;

  void Run(KernelContext& context) override {
    const Tensor input = AsFloat(context.pool(), context.input(0));
    const float* const x = input.data<float>().data();
    const float largest = LargestOf(dtype_);
    ForEachPixel(context, input.shape(), [=](const LrnSize& size, int64_t at, float* scratch, float* out) {
      NormalizePixel(size, x + at, scratch, out);
      SpreadUnboundedSquares(size, x + at, largest, out);
    });
  }

 private:
  static float LargestOf(DType type) {
    if (type == DType::kHalf) return 65504;
    return type == DType::kBfloat16 ? 0x1.fep127F : std::numeric_limits<float>::max();
  }
  // TensorFlow takes all squares of a pixel, in its type, times ones or zeros, so that one that is not finite reaches
  // every channel.
  static void SpreadUnboundedSquares(const LrnSize& size, const float* x, float largest, float* out) {
    for (int64_t k = 0; k < size.depth; ++k) {
      if (x[k] * x[k] <= largest) continue;
      for (int64_t c = 0; c < size.depth; ++c) {
        if (c < k - size.radius || c > k + size.radius) out[c] = std::numeric_limits<float>::quiet_NaN();
      }
    }
  }
};

class LrnGradKernel : public LrnKernelBase {
 public:
  using LrnKernelBase::LrnKernelBase;

  void Run(KernelContext& context) override {
    const Shape shape = context.input(1).shape();
    Require(context.input(0).shape() == shape && context.input(2).shape() == shape,
            "input_grads, input_image and output_image must have one shape, not ", Printed(context.input(0).shape()),
            ", ", Printed(shape), " and ", Printed(context.input(2).shape()));
    const Tensor gradient = AsFloat(context.pool(), context.input(0));
    const Tensor input = AsFloat(context.pool(), context.input(1));
    const Tensor output = AsFloat(context.pool(), context.input(2));
    const float *const dy = gradient.data<float>().data(), *const x = input.data<float>().data();
    const float* const y = output.data<float>().data();
    ForEachPixel(context, shape, [=](const LrnSize& size, int64_t at, float* scratch, float* out) {
      NormalizePixelGradient(size, dy + at, x + at, y + at, scratch, out);
    });
  }
};

constexpr KernelRow kRows[] = {
    {"LRN", Make<LrnKernel>},
    {"LRNGrad", Make<LrnGradKernel>},
};

}  // namespace

std::span<const KernelRow> NormalizationLrn() { return kRows; }

}  // namespace plumb::fast::cpu
