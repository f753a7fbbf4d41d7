// FusedBatchNorm V1–V3 and their gradients. Everything is computed in float; only x, y and their gradients may be half
// or bfloat16.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/batch_norm_loops.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// One number per channel.
using Numbers = std::vector<float>;

constexpr int64_t kMostParts = 64;
constinit ChoicePoint few_parts("batch norm: sums in 64 large parts, or in parts worth a chunk");

// Adds add(begin, end, partial) up over parts of `outer` that depend on the shape only.
template <class Add>
Numbers SumParts(ThreadPool& pool, const ChannelView& view, const Add& add) {
  int64_t grain = GrainFor(view.step());
  if (!few_parts.Chosen(view.outer <= grain * kMostParts)) grain = (view.outer + kMostParts - 1) / kMostParts;
  const int64_t parts = (view.outer + grain - 1) / grain;
  std::vector<Numbers> sums(static_cast<size_t>(parts), Numbers(static_cast<size_t>(view.channels)));
  pool.ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      add(part * grain, std::min(view.outer, (part + 1) * grain), sums[part].data());
    }
  });
  Numbers total(static_cast<size_t>(view.channels));
  for (const Numbers& sum : sums) {
    for (size_t c = 0; c < total.size(); ++c) total[c] += sum[c];
  }
  return total;
}

class BatchNormKernel : public Kernel {
 public:
  BatchNormKernel(const Node& node, int image_input)
      : dtype_(InputType(node, image_input)),
        channels_first_(ChannelsFirst(node)),
        epsilon_(GetAttr<float>(node.attrs, "epsilon")),
        training_(GetAttr<bool>(node.attrs, "is_training")) {}

 protected:
  ChannelView ViewOf(const Shape& shape) const {
    Require(shape.rank() == 4 || shape.rank() == 5, "x must have 4 or 5 dimensions, not the shape ", Printed(shape));
    return ChannelView(shape, channels_first_);
  }

  const float* VectorIn(KernelContext& context, int input, int64_t size, std::string_view what) const {
    const Tensor& vector = context.input(input);
    Require(vector.shape() == Shape{size}, what, " must be a vector of length ", size, ", not of shape ",
            Printed(vector.shape()));
    return vector.data<float>().data();
  }

  void SetImage(KernelContext& context, Tensor image) const {
    context.SetOutput(0, RoundedTo(context.pool(), dtype_, std::move(image)));
  }

  static void SetVector(KernelContext& context, int output, const Numbers& numbers) {
    Tensor& vector = context.AllocateOutput(output, DType::kFloat, {static_cast<int64_t>(numbers.size())});
    std::copy(numbers.begin(), numbers.end(), vector.mutable_data<float>().begin());
  }

  const DType dtype_;
  const bool channels_first_;
  const float epsilon_;
  const bool training_;
};

class ForwardKernel : public BatchNormKernel {
 public:
  explicit ForwardKernel(const Node& node)
      : BatchNormKernel(node, 0), moved_(GetAttrOr<float>(node.attrs, "exponential_avg_factor", 1)) {}

  void Run(KernelContext& context) override {
    const Shape& shape = context.input(0).shape();
    const ChannelView view = ViewOf(shape);
    const float* const scale = VectorIn(context, 1, view.channels, "scale");
    const float* const offset = VectorIn(context, 2, view.channels, "offset");
    for (const int vector : {3, 4}) {
      Require(context.input(vector).rank() == 1, "mean and variance must be vectors, not of shape ",
              Printed(context.input(vector).shape()));
    }
    const Tensor input = AsFloat(context.pool(), context.input(0));
    const float* const x = input.data<float>().data();
    Statistics statistics = training_ ? OfBatch(context, view, x) : Given(context, view);
    // Only the gradient of training looks at what is reserved for it: otherwise, and for no batch, that is nothing.
    const bool reserves = training_ && view.count() > 0;
    const Numbers nothing(static_cast<size_t>(view.channels));
    SetVector(context, 3, reserves ? statistics.mean : nothing);
    SetVector(context, 4, reserves ? statistics.variance : nothing);
    if (view.count() == 0) {  // not even given statistics are those of an empty batch
      statistics.mean_output.assign(statistics.mean_output.size(), NAN);
      statistics.variance_output.assign(statistics.variance_output.size(), NAN);
    }
    Numbers factor(static_cast<size_t>(view.channels));
    for (size_t c = 0; c < factor.size(); ++c) factor[c] = scale[c] / std::sqrt(statistics.variance[c] + epsilon_);
    Tensor output = Allocate(DType::kFloat, shape);
    float* const y = output.mutable_data<float>().data();
    context.pool().ParallelFor(view.outer, GrainFor(view.step()), [&](int64_t begin, int64_t end) {
      NormalizeChannels(view, begin, end, x, statistics.mean.data(), factor.data(), offset, y);
    });
    SetImage(context, std::move(output));
    SetStatistics(context, statistics);
  }

 private:
  struct Statistics {
    Numbers mean, variance;                // what y is computed with, and what the gradient needs
    Numbers mean_output, variance_output;  // what moving averages are made of
  };

  Statistics Given(KernelContext& context, const ChannelView& view) const {
    const float* const mean = VectorIn(context, 3, view.channels, "mean");
    const float* const variance = VectorIn(context, 4, view.channels, "variance");
    const Numbers means(mean, mean + view.channels), variances(variance, variance + view.channels);
    return {means, variances, means, variances};
  }

  Statistics OfBatch(KernelContext& context, const ChannelView& view, const float* x) const {
    ThreadPool& pool = context.pool();
    const float count = static_cast<float>(view.count());
    Statistics result;
    result.mean =
        SumParts(pool, view, [&](int64_t begin, int64_t end, float* sum) { AddChannelSums(view, begin, end, x, sum); });
    for (float& mean : result.mean) mean /= count;
    result.variance = SumParts(pool, view, [&](int64_t begin, int64_t end, float* sum) {
      AddChannelSquares(view, begin, end, x, result.mean.data(), sum);
    });
    for (float& variance : result.variance) variance /= count;
    result.mean_output = result.mean;
    result.variance_output = result.variance;
    const float bessel = count / (view.count() > 1 ? static_cast<float>(view.count() - 1) : 1.0f);
    for (float& variance : result.variance_output) variance *= bessel;
    if (moved_ != 1) {
      MoveTowards(VectorIn(context, 3, view.channels, "mean"), result.mean_output);
      MoveTowards(VectorIn(context, 4, view.channels, "variance"), result.variance_output);
    }
    return result;
  }

  void MoveTowards(const float* old, Numbers& fresh) const {
    for (size_t c = 0; c < fresh.size(); ++c) fresh[c] = old[c] * (1 - moved_) + fresh[c] * moved_;
  }

  static void SetStatistics(KernelContext& context, const Statistics& statistics) {
    SetVector(context, 1, statistics.mean_output);
    SetVector(context, 2, statistics.variance_output);
    // Of use to GPUs alone.
    if (context.num_outputs() > 5) context.AllocateOutput(5, DType::kFloat, {}).mutable_data<float>()[0] = 0;
  }

  const float moved_;  // exponential_avg_factor
};

// With s = sqrt(variance + epsilon): dscale = Σ dy·(x − mean)/s, doffset = Σ dy. In training mean and s depend on x:
// dx = scale/s·(dy − doffset/n − (x − mean)/s·dscale/n), else dx = scale/s·dy.
class GradientKernel : public BatchNormKernel {
 public:
  explicit GradientKernel(const Node& node) : BatchNormKernel(node, 1) {}

  void Run(KernelContext& context) override {
    const Shape& shape = context.input(1).shape();
    const ChannelView view = ViewOf(shape);
    Require(context.input(0).shape() == shape, "y_backprop has the shape ", Printed(context.input(0).shape()), ", x ",
            Printed(shape));
    const float* const scale = VectorIn(context, 2, view.channels, "scale");
    const float* const mean = VectorIn(context, 3, view.channels, "mean");
    const float* const variance = VectorIn(context, 4, view.channels, "variance");
    const Tensor gradient = AsFloat(context.pool(), context.input(0));
    const Tensor input = AsFloat(context.pool(), context.input(1));
    const float *const dy = gradient.data<float>().data(), *const x = input.data<float>().data();

    const Numbers doffset = SumParts(context.pool(), view, [&](int64_t begin, int64_t end, float* sum) {
      AddChannelSums(view, begin, end, dy, sum);
    });
    Coefficients k(static_cast<size_t>(view.channels));
    for (size_t c = 0; c < k.inverse.size(); ++c) k.inverse[c] = 1 / std::sqrt(variance[c] + epsilon_);
    const auto products = [&](const Numbers& factor) {
      return SumParts(context.pool(), view, [&](int64_t begin, int64_t end, float* sum) {
        AddChannelProducts(view, begin, end, dy, x, mean, factor.data(), sum);
      });
    };
    Numbers dscale = products(k.inverse);
    const float count = static_cast<float>(view.count());
    for (size_t c = 0; c < dscale.size(); ++c) {
      k.factor[c] = scale[c] * k.inverse[c];
      k.shift[c] = training_ ? doffset[c] / count : 0;
      k.slope[c] = training_ ? dscale[c] / count : 0;
    }
    if (std::ranges::any_of(k.inverse, [](float inverse) { return std::isinf(inverse); })) {
      DivideByZeroLast(products(Numbers(k.inverse.size(), 1.0f)), count, dscale, k);
    }
    SetInputGradient(context, view, shape, dy, x, mean, k);
    SetVector(context, 1, dscale);
    SetVector(context, 2, doffset);
    for (int output : {3, 4}) SetVector(context, output, {});
  }

 private:
  struct Coefficients {
    explicit Coefficients(size_t channels) : inverse(channels), factor(channels), shift(channels), slope(channels) {}
    Numbers inverse, factor, shift, slope;
  };

  // Where variance + epsilon is zero: with along = Σ dy·(x − mean), the slope is along/n/s² and, but for training,
  // dscale along/s, in this order.
  void DivideByZeroLast(const Numbers& along, float count, Numbers& dscale, Coefficients& k) const {
    for (size_t c = 0; c < along.size(); ++c) {
      if (!std::isinf(k.inverse[c])) continue;
      if (!training_) dscale[c] = along[c] * k.inverse[c];
      k.slope[c] = training_ ? along[c] / count * k.inverse[c] : 0;
      k.inverse[c] = 1;
    }
  }

  void SetInputGradient(KernelContext& context, const ChannelView& view, const Shape& shape, const float* dy,
                        const float* x, const float* mean, const Coefficients& k) const {
    Tensor output = Allocate(DType::kFloat, shape);
    float* const dx = output.mutable_data<float>().data();
    const Numbers zeros(k.factor.size());
    const ChannelGradients in_training = {mean, k.inverse.data(), k.shift.data(), k.slope.data(), k.factor.data()};
    context.pool().ParallelFor(view.outer, GrainFor(2 * view.step()), [&](int64_t begin, int64_t end) {
      if (training_) {
        NormalizeChannelGradients(view, begin, end, dy, x, in_training, dx);
      } else {
        NormalizeChannels(view, begin, end, dy, zeros.data(), k.factor.data(), zeros.data(), dx);
      }
    });
    SetImage(context, std::move(output));
  }
};

constexpr KernelRow kRows[] = {
    {"FusedBatchNorm", Make<ForwardKernel>},        {"FusedBatchNormV2", Make<ForwardKernel>},
    {"FusedBatchNormV3", Make<ForwardKernel>},      {"FusedBatchNormGrad", Make<GradientKernel>},
    {"FusedBatchNormGradV2", Make<GradientKernel>}, {"FusedBatchNormGradV3", Make<GradientKernel>},
};

}  // namespace

std::span<const KernelRow> NormalizationBatchNorm() { return kRows; }

}  // namespace plumb::fast::cpu
