// BatchNormWithGlobalNormalization and its gradient: a factor for each channel, then rows of channels.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint sums_cut("sums over the pixels of images: in one part, or in several");

class GlobalBatchNormBase : public Kernel {
 public:
  explicit GlobalBatchNormBase(const Node& node)
      : epsilon_(GetAttr<float>(node.attrs, "variance_epsilon")),
        scaled_(GetAttr<bool>(node.attrs, "scale_after_normalization")),
        dtype_(InputType(node, 0)) {}

 protected:
  int64_t ChannelsOf(const KernelContext& context, int vectors) const {
    const Shape& images = context.input(0).shape();
    Require(images.rank() == 4, "images have 4 dimensions, not the shape ", Printed(images));
    for (int i = 1; i <= vectors; ++i) {
      const Shape& shape = context.input(i).shape();
      Require(shape.rank() == 1 && shape[0] == images[3], "input ", i, " must have a number for each of the ",
              images[3], " channels, not the shape ", Printed(shape));
    }
    return images[3];
  }
  // 1 / √(v + ε) for each channel.
  template <class T>
  std::vector<T> RootsOf(const Tensor& variance) const {
    std::vector<T> roots;
    for (const T v : variance.data<T>()) roots.push_back(1 / std::sqrt(v + static_cast<T>(epsilon_)));
    return roots;
  }
  void SetRounded(KernelContext& context, int output, Tensor result) const {
    context.SetOutput(output, RoundedTo(context.pool(), dtype_, std::move(result)));
  }

  const float epsilon_;
  const bool scaled_;
  const DType dtype_;
};

class GlobalBatchNormKernel : public GlobalBatchNormBase {
 public:
  using GlobalBatchNormBase::GlobalBatchNormBase;

  void Run(KernelContext& context) override {
    const int64_t channels = ChannelsOf(context, 4);
    Tensor wide[5];
    for (int i = 0; i < 5; ++i) wide[i] = AsFloat(context.pool(), context.input(i));
    Tensor output = Allocate(ComputeType(dtype_), context.input(0).shape());
    if (output.elements() == 0) return SetRounded(context, 0, std::move(output));
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      std::vector<T> scale = RootsOf<T>(wide[2]);
      const T *const t = wide[0].data<T>().data(), *const m = wide[1].data<T>().data();
      const T *const beta = wide[3].data<T>().data(), *const gamma = wide[4].data<T>().data();
      for (int64_t c = 0; scaled_ && c < channels; ++c) scale[c] *= gamma[c];
      T* const y = output.mutable_data<T>().data();
      const int64_t pixels = output.elements() / channels;
      context.pool().ParallelFor(pixels, GrainFor(2 * channels), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin * channels; i < end * channels; i += channels) {
          for (int64_t c = 0; c < channels; ++c) y[i + c] = (t[i + c] - m[c]) * scale[c] + beta[c];
        }
      });
    });
    SetRounded(context, 0, std::move(output));
  }
};

class GlobalBatchNormGradKernel : public GlobalBatchNormBase {
 public:
  using GlobalBatchNormBase::GlobalBatchNormBase;

  void Run(KernelContext& context) override {
    const int64_t channels = ChannelsOf(context, 3);
    const Shape& shape = context.input(0).shape();
    Require(context.input(4).shape() == shape, "backprop has the shape ", Printed(context.input(4).shape()),
            ", the images ", Printed(shape));
    Tensor wide[5], out[5];
    for (int i = 0; i < 5; ++i) wide[i] = AsFloat(context.pool(), context.input(i));
    for (int i = 0; i < 5; ++i) out[i] = Allocate(ComputeType(dtype_), i == 0 ? shape : Shape{channels});
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      Compute<T>(context.pool(), channels, wide, out);
    });
    for (int i = 0; i < 5; ++i) SetRounded(context, i, std::move(out[i]));
  }

 private:
  static constexpr int64_t kPixelsPerPart = 256;  // sums are added up in parts, and these in order

  template <class T>
  void Compute(ThreadPool& pool, int64_t channels, const Tensor (&in)[5], Tensor (&out)[5]) const {
    const std::vector<T> root = RootsOf<T>(in[2]);
    std::vector<T> scale = root;
    const T* const gamma = in[3].data<T>().data();
    for (int64_t c = 0; scaled_ && c < channels; ++c) scale[c] *= gamma[c];
    const int64_t pixels = channels == 0 ? 0 : in[0].elements() / channels;
    const int64_t parts = std::max<int64_t>(1, (pixels + kPixelsPerPart - 1) / kPixelsPerPart);
    sums_cut.Chosen(parts > 1);
    std::vector<T> partial(static_cast<size_t>(parts * 2 * channels), T(0)), sums(static_cast<size_t>(2 * channels));
    const T *const t = in[0].data<T>().data(), *const m = in[1].data<T>().data();
    const T* const dy = in[4].data<T>().data();
    T* const dx = out[0].mutable_data<T>().data();
    pool.ParallelFor(parts, GrainFor(4 * kPixelsPerPart * channels), [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        T *const sum = partial.data() + part * 2 * channels, *const product = sum + channels;
        for (int64_t pixel = part * kPixelsPerPart; pixel < std::min(pixels, (part + 1) * kPixelsPerPart); ++pixel) {
          const int64_t i = pixel * channels;
          for (int64_t c = 0; c < channels; ++c) {
            dx[i + c] = dy[i + c] * scale[c];
            sum[c] += dy[i + c];
            product[c] += dy[i + c] * (t[i + c] - m[c]);
          }
        }
      }
    });
    SumParts(pool, partial.data(), parts, 2 * channels, sums.data());
    for (int64_t c = 0; c < channels; ++c) {
      const T sum = sums[c], product = sums[channels + c], factor = scaled_ ? gamma[c] : T(1);
      out[1].mutable_data<T>()[c] = -sum * scale[c];
      out[2].mutable_data<T>()[c] = product * (root[c] * root[c] * root[c] * T(-0.5) * factor);
      out[3].mutable_data<T>()[c] = sum;
      out[4].mutable_data<T>()[c] = scaled_ ? product * root[c] : T(0);
    }
  }
};

constexpr KernelRow kRows[] = {
    {"BatchNormWithGlobalNormalization", Make<GlobalBatchNormKernel>},
    {"BatchNormWithGlobalNormalizationGrad", Make<GlobalBatchNormGradKernel>},
};

}  // namespace

std::span<const KernelRow> NormalizationGlobalBatchNorm() { return kRows; }

}  // namespace plumb::fast::cpu
