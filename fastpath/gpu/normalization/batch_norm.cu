// Images normalized channel by channel, and the gradients. All but the images themselves is float.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/gpu/lib/channels.h"
#include "fastpath/gpu/lib/elementwise.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"
#include "fastpath/gpu/normalization/channel_folds.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// What moving averages are made of: the batch's statistics, the variance with Bessel's correction, `moved` of the way
// from the old ones. NaN for an empty batch.
PLUMB_GPU_KERNEL MoveStatistics(Global<const float> old, Global<const float> fresh, Global<float> out, float correction,
                                float moved, bool is_empty) {
  for (int64_t c = First(); c < out.size; c += Stride()) {
    const float corrected = fresh[c] * correction;
    out[c] = is_empty     ? std::numeric_limits<float>::quiet_NaN()
             : moved == 1 ? corrected
                          : old[c] * (1 - moved) + corrected * moved;
  }
}

PLUMB_GPU_KERNEL FactorsOfChannels(Global<const float> scale, Global<const float> variance, Global<float> factor,
                                   float epsilon) {
  for (int64_t c = First(); c < factor.size; c += Stride()) factor[c] = scale[c] / std::sqrt(variance[c] + epsilon);
}

// A channel's numbers beside images: operand 0 of `walk` is the images, operand 1 a vector of channels.
template <class T>
inline constexpr int kRunOfImages = kRunOf<T, float>;

// y may lie in the memory of x.
template <class T>
PLUMB_GPU_KERNEL Normalize(Global<const T> x, Global<const float> mean, Global<const float> factor,
                           Global<const float> offset, Global<T> y, Walk walk, int64_t runs) {
  ForRuns<kRunOfImages<T>>(runs, y.size, [&](auto run, int64_t i) {
    constexpr int n = decltype(run)::value;
    const int64_t c = walk.BothAt(i).second;
    const Pack<T, n> images = LoadPack<n>(x, i);
    const auto means = LoadOperand<n>(mean, walk, 1, c), factors = LoadOperand<n>(factor, walk, 1, c),
               offsets = LoadOperand<n>(offset, walk, 1, c);
    Pack<T, n> out;
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) {
      out.at[k] = Computed<T>::Store((Computed<T>::Load(images.at[k]) - means.at[k]) * factors.at[k] + offsets.at[k]);
    }
    StorePack(y, i, out);
  });
}

// Of channels, for their gradients.
struct Coefficients {
  Global<float> inverse, factor, shift, slope;
};

// While training (count > 0), mean and variance depend on x.
PLUMB_GPU_KERNEL CoefficientsOfChannels(Global<const float> scale, Global<const float> variance,
                                        Global<const TwoSums> sums, Global<float> dscale, Global<float> doffset,
                                        Coefficients out, float epsilon, bool is_training, float count) {
  for (int64_t c = First(); c < dscale.size; c += Stride()) {
    const TwoSums of = sums[c];
    const float inverse = 1 / std::sqrt(variance[c] + epsilon), slope = of.product * inverse;
    dscale[c] = slope;
    doffset[c] = of.sum;
    out.inverse[c] = inverse;
    out.factor[c] = scale[c] * inverse;
    out.shift[c] = is_training ? of.sum / count : 0;
    out.slope[c] = is_training ? slope / count : 0;
  }
}

// dx may lie in the memory of dy or x.
template <class T>
PLUMB_GPU_KERNEL NormalizeGradients(Global<const T> dy, Global<const T> x, Global<const float> mean,
                                    Coefficients channels, Global<T> dx, Walk walk, bool is_training, int64_t runs) {
  ForRuns<kRunOfImages<T>>(runs, dx.size, [&](auto run, int64_t i) {
    constexpr int n = decltype(run)::value;
    const int64_t c = walk.BothAt(i).second;
    const Pack<T, n> gradients = LoadPack<n>(dy, i), images = is_training ? LoadPack<n>(x, i) : gradients;
    const auto of = [&](const Global<const float>& numbers) { return LoadOperand<n>(numbers, walk, 1, c); };
    const auto means = of(mean), inverses = of(channels.inverse), factors = of(channels.factor),
               shifts = of(channels.shift), slopes = of(channels.slope);
    Pack<T, n> out;
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) {
      const float distance = Computed<T>::Load(images.at[k]) - means.at[k];
      const float spread = is_training ? distance * inverses.at[k] * slopes.at[k] : 0;
      out.at[k] = Computed<T>::Store(factors.at[k] * (Computed<T>::Load(gradients.at[k]) - shifts.at[k] - spread));
    }
    StorePack(dx, i, out);
  });
}

// How far images and their channels go in runs, all of which begin right.
template <class T, class... Vectors>
int64_t RunsOfImages(const Walk& walk, Global<const T> images, Global<const T> others, const Vectors&... vectors) {
  constexpr int n = kRunOfImages<T>;
  if (!walk.GoesInRuns(0, n) || !walk.GoesInRuns(1, n)) return 0;
  if (!walk.Repeats(1) && !(BeginsRun(vectors.data, n) && ...)) return 0;
  return WholeRuns<n>(images.size, images, others);
}

class BatchNorm : public GpuKernel {
 public:
  explicit BatchNorm(const Node& node)
      : channels_first_(HasChannelsFirst(node)),
        epsilon_(GetAttr<float>(node.attrs, "epsilon")),
        training_(GetAttr<bool>(node.attrs, "is_training")) {}

 protected:
  ChannelView ViewOfImages(const Shape& shape) const {
    Require(shape.rank() == 4 || shape.rank() == 5, "x must have 4 or 5 dimensions, not the shape ", shape.ToString());
    return ChannelView(shape, channels_first_);
  }
  static Global<const float> VectorIn(const GpuContext& context, int input, int64_t size, std::string_view what) {
    Require(context.input(input).shape() == Shape{size}, what, " must be a vector of length ", size, ", not of shape ",
            context.input(input).shape().ToString());
    return context.In<float>(input);
  }

  static Walk WalkOver(const ChannelView& view) {
    const Shape images{view.outer, view.channels, view.inner};
    return BroadcastWalk(images, Shape{view.channels, 1}, images);
  }

  const bool channels_first_;
  const float epsilon_;
  const bool training_;
};

template <class T>
class Forward final : public BatchNorm {
 public:
  explicit Forward(const Node& node)
      : BatchNorm(node), moved_(GetAttrOr<float>(node.attrs, "exponential_avg_factor", 1)) {}

  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    const ChannelView view = ViewOfImages(shape);
    const Global<const float> scale = VectorIn(context, 1, view.channels, "scale");
    const Global<const float> offset = VectorIn(context, 2, view.channels, "offset");
    const bool reserves = training_ && view.count() > 0;
    Tensor mean = Reserved(context, 3, view.channels, reserves);
    Tensor variance = Reserved(context, 4, view.channels, reserves);
    SetStatistics(context, view, mean, variance);
    Tensor factors = context.Scratch(DType::kFloat, Shape{view.channels});
    const auto factor = context.ViewOf<float>(factors), means = context.ViewOf<float>(mean);
    Launch(context.stream(), LoopOver(view.channels), FactorsOfChannels, scale, context.ViewOf<float>(variance), factor,
           epsilon_);
    const Global<const T> x = context.In<T>(0);
    Tensor y = context.ForwardOrAllocate(0, 0, shape);
    const Global<T> out = context.ViewOf<T>(y);
    const Walk walk = WalkOver(view);
    const int64_t runs = RunsOfImages<T>(walk, x, out, means, factor, offset);
    Launch(context.stream(), LoopOverRuns(runs, out.size), Normalize<T>, x, means, factor, offset, out, walk, runs);
    if (context.node().output_types.size() > 5) {
      Tensor unused = context.AllocateOutput(5, Shape());
      context.Clear(unused);
    }
  }

 private:
  // A vector for what y is computed with. It is the output, for the gradient, where that looks at it: in training, of
  // some images; elsewhere the output is zeros.
  static Tensor Reserved(GpuContext& context, int output, int64_t channels, bool reserves) {
    Tensor vector = context.AllocateOutput(output, Shape{channels});
    if (reserves) return vector;
    context.Clear(vector);
    return context.Scratch(DType::kFloat, Shape{channels});
  }
  // mean and variance: what y is computed with, and what the gradient needs.
  void SetStatistics(GpuContext& context, const ChannelView& view, Tensor& mean, Tensor& variance) const {
    const bool wants_old = !training_ || moved_ != 1;
    for (const int input : {3, 4}) {
      Require(context.input(input).rank() == 1, "mean and variance must be vectors, not of shape ",
              context.input(input).shape().ToString());
      if (wants_old) VectorIn(context, input, view.channels, input == 3 ? "mean" : "variance");
    }
    if (training_) {
      OfBatch(context, view, context.ViewOf<float>(mean), context.ViewOf<float>(variance));
    } else {
      CopyRange(context, context.input(3), 0, mean, 0, view.channels);
      CopyRange(context, context.input(4), 0, variance, 0, view.channels);
    }
    const float moved = training_ ? moved_ : 1;
    const auto count = static_cast<float>(view.count());
    const float bessel = training_ && view.count() > 1 ? count / static_cast<float>(view.count() - 1) : 1;
    Tensor out_mean = context.AllocateOutput(1, mean.shape()), out_variance = context.AllocateOutput(2, mean.shape());
    Move(context, 3, mean, 1, moved, view.count() == 0, out_mean);
    Move(context, 4, variance, bessel, moved, view.count() == 0, out_variance);
  }
  static void OfBatch(GpuContext& context, const ChannelView& view, Global<float> mean, Global<float> variance) {
    ChannelVariance<T> squares;
    squares.divisor = static_cast<float>(view.count());
    squares.mean = mean;
    QueueFold(context, view.FoldToChannels(), context.In<T>(0), mean, ChannelSum<T>{squares.divisor});
    QueueFold(context, view.FoldToChannels(), context.In<T>(0), variance, squares);
  }
  static void Move(GpuContext& context, int old, const Tensor& fresh, float correction, float moved, bool is_empty,
                   Tensor& out) {
    Launch(context.stream(), LoopOver(out.elements()), MoveStatistics, context.In<float>(old),
           context.ViewOf<float>(fresh), context.ViewOf<float>(out), correction, moved, is_empty);
  }

  const float moved_;  // exponential_avg_factor
};

template <class T>
class Backward final : public BatchNorm {
 public:
  using BatchNorm::BatchNorm;
  void Run(GpuContext& context) override {
    const Shape shape = context.input(1).shape();
    const ChannelView view = ViewOfImages(shape);
    Require(context.input(0).shape() == shape, "y_backprop has the shape ", context.input(0).shape().ToString(), ", x ",
            shape.ToString());
    const Global<const float> scale = VectorIn(context, 2, view.channels, "scale");
    const Global<const float> mean = VectorIn(context, 3, view.channels, "mean");
    const Global<const float> variance = VectorIn(context, 4, view.channels, "variance");
    const Global<const T> dy = context.In<T>(0), x = context.In<T>(1);
    Tensor scale_gradient = context.AllocateOutput(1, Shape{view.channels});
    Tensor offset_gradient = context.AllocateOutput(2, Shape{view.channels});
    const auto dscale = context.ViewOf<float>(scale_gradient), doffset = context.ViewOf<float>(offset_gradient);
    Tensor both = context.Scratch(DType::kUint8, Shape{view.channels * static_cast<int64_t>(sizeof(TwoSums))});
    const Global<TwoSums> sums(static_cast<TwoSums*>(both.mutable_raw()), view.channels);
    QueueFold(context, view.FoldToChannels(), dy, sums, ChannelProduct<T>{x, mean});
    Tensor scratch[] = {Vector(context, view), Vector(context, view), Vector(context, view), Vector(context, view)};
    const auto numbers = [&](int i) { return context.ViewOf<float>(scratch[i]); };
    const Coefficients k = {numbers(0), numbers(1), numbers(2), numbers(3)};
    Launch(context.stream(), LoopOver(view.channels), CoefficientsOfChannels, scale, variance,
           Global<const TwoSums>(sums), dscale, doffset, k, epsilon_, training_, static_cast<float>(view.count()));
    Tensor dx = context.ForwardOrAllocate(0, 0, shape);
    const Global<T> out = context.ViewOf<T>(dx);
    const Walk walk = WalkOver(view);
    const int64_t runs = std::min(RunsOfImages<T>(walk, dy, out, mean, k.inverse, k.factor, k.shift, k.slope),
                                  RunsOfImages<T>(walk, x, out));
    Launch(context.stream(), LoopOverRuns(runs, out.size), NormalizeGradients<T>, dy, x, mean, k, out, walk, training_,
           runs);
    for (const int output : {3, 4}) context.AllocateOutput(output, Shape{0});
  }

 private:
  static Tensor Vector(GpuContext& context, const ChannelView& view) {
    return context.Scratch(DType::kFloat, Shape{view.channels});
  }
};

using ImageTypes = TypeList<float, Half, BFloat16>;

constexpr GpuKernelRow kRows[] = {
    {"FusedBatchNorm", MakeForType<Forward, ImageTypes>},
    {"FusedBatchNormV2", MakeForType<Forward, ImageTypes>},
    {"FusedBatchNormV3", MakeForType<Forward, ImageTypes>},
    {"FusedBatchNormGrad", MakeForType<Backward, ImageTypes>},
    {"FusedBatchNormGradV2", MakeForType<Backward, ImageTypes>},
    {"FusedBatchNormGradV3", MakeForType<Backward, ImageTypes>},
};

}  // namespace

std::span<const GpuKernelRow> NormalizationBatchNorm() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
