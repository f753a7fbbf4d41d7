// Fused batch normalization: y = (x − mean)·scale / sqrt(variance + epsilon) + offset for each channel, with the
// statistics of the batch in training and given ones otherwise. Arithmetic is in float for the 16-bit types too.
#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/normalization/channel_axis.h"

namespace plumb::reference {
namespace {

// Elements of a tensor by channel.
struct Channels {
  AxisView view;
  Channels(const OpContext& context, const Shape& shape) {
    Require(shape.rank() == 4 || shape.rank() == 5, "x must have four or five dimensions, not ", shape.ToString());
    view = ViewAt(shape, ChannelAxis(context, shape.rank()));
  }
  int64_t count() const { return view.outer * view.inner; }
  // Calls visit(position) for the elements of one channel.
  template <class F>
  void ForEach(int64_t channel, F visit) const {
    for (int64_t outer = 0; outer < view.outer; ++outer) {
      for (int64_t inner = 0; inner < view.inner; ++inner) {
        visit((outer * view.size + channel) * view.inner + inner);
      }
    }
  }
};

void RequireVector(const OpContext& context, int input, std::string_view what) {
  const Shape& shape = context.tensor(input).shape();
  Require(shape.rank() == 1, what, " must be a vector, not of shape ", shape.ToString());
}

Array<Real> LoadVector(const OpContext& context, int input, int64_t size, std::string_view what) {
  const Shape& shape = context.tensor(input).shape();
  Require(shape == Shape({size}), what, " must be a vector of length ", size, ", not of shape ", shape.ToString());
  return Load<Real>(context.input(input));
}

struct Moments {
  Real mean, variance;  // over the channel, without Bessel's correction
};
Moments MomentsOf(const Channels& channels, int64_t channel, const Array<Real>& x) {
  const Real count = static_cast<double>(channels.count());
  Sum sum, squares;
  channels.ForEach(channel, [&](int64_t i) { sum.Add(x[i]); });
  const Real mean = sum.Result() / count;
  channels.ForEach(channel, [&](int64_t i) {
    const Real centered = x[i] - mean;
    squares.AddProduct(centered, centered);
  });
  return {mean, squares.Result() / count};
}

// What training hands on: the statistics of the batch, or old ones moved towards them.
Real Moved(float factor, const Array<Real>& old, int64_t channel, Real fresh) {
  if (factor == 1) return fresh;
  return old[channel] * (Real(1) - Real(factor)) + fresh * Real(factor);
}

struct Statistics {
  Array<Real> mean, variance;  // used for y, and what the gradient will need
  Array<Real> mean_output, variance_output;
};

Statistics TrainingStatistics(const OpContext& context, const Channels& channels, const Array<Real>& x) {
  const float factor = GetAttrOr<float>(context.node.attrs, "exponential_avg_factor", 1);
  const DType dtype = context.tensor(1).dtype();
  const int64_t size = channels.view.size;
  const auto old = [&](int input, std::string_view what) {
    return factor == 1 ? Array<Real>() : LoadVector(context, input, size, what);
  };
  const auto old_mean = old(3, "mean"), old_variance = old(4, "variance");
  const auto vector = [&] { return MakeArray<Real>(dtype, {size}); };
  Statistics result{vector(), vector(), vector(), vector()};
  const auto count = static_cast<double>(channels.count());
  const Real bessel = Real(count) / Real(count > 1 ? count - 1 : 1);
  for (int64_t c = 0; c < size; ++c) {
    const Moments moments = MomentsOf(channels, c, x);
    result.mean[c] = moments.mean;
    result.variance[c] = moments.variance;
    result.mean_output[c] = Moved(factor, old_mean, c, moments.mean);
    result.variance_output[c] = Moved(factor, old_variance, c, moments.variance * bessel);
  }
  return result;
}

void FusedBatchNorm(OpContext& context) {
  const Tensor& input = context.tensor(0);
  const Channels channels(context, input.shape());
  const int64_t size = channels.view.size;
  const Real epsilon = context.attr<float>("epsilon");
  ForKind<Real>(input.dtype(), [&](auto) {
    ComputeIn(DType::kFloat);
    const auto x = Load<Real>(context.input(0));
    const auto scale = LoadVector(context, 1, size, "scale"), offset = LoadVector(context, 2, size, "offset");
    RequireVector(context, 3, "mean");
    RequireVector(context, 4, "variance");
    Statistics statistics;
    if (context.attr<bool>("is_training")) {
      statistics = TrainingStatistics(context, channels, x);
    } else {
      const auto mean = LoadVector(context, 3, size, "mean"), variance = LoadVector(context, 4, size, "variance");
      statistics = {mean, variance, mean, variance};
    }
    // A batch of nothing has no statistics, not even given ones.
    for (int64_t c = 0; c < size && channels.count() == 0; ++c) {
      statistics.mean_output[c] = statistics.variance_output[c] = Real(NAN);
    }
    auto y = MakeArray<Real>(input.dtype(), input.shape());
    for (int64_t c = 0; c < size; ++c) {
      const Real factor = Rsqrt(statistics.variance[c] + epsilon) * scale[c];
      channels.ForEach(c, [&](int64_t i) { y[i] = (x[i] - statistics.mean[c]) * factor + offset[c]; });
    }
    context.Output(0, Store(y));
    context.Output(1, Store(statistics.mean_output));
    context.Output(2, Store(statistics.variance_output));
    // What the gradient needs. Outside of training it asks for the statistics that were given instead, and TensorFlow
    // reserves nothing; nor does it for a batch of nothing.
    const bool reserved = context.attr<bool>("is_training") && channels.count() > 0;
    for (int i = 3; i < 5; ++i) {
      const Array<Real>& kept = i == 3 ? statistics.mean : statistics.variance;
      context.Output(i, reserved ? Store(kept) : Zeros(context.output_type(i), {size}));
    }
    if (context.outputs.size() > 5) context.Output(5, Zeros(context.output_type(5), {}));  // of use to GPUs alone
  });
}

// With x̂ = (x − mean)/σ: dscale = Σ dy·x̂ and doffset = Σ dy. In training, mean and σ depend on x:
// dx = scale/σ·(dy − mean(dy) − (x − mean)·mean(dy·(x − mean))/σ²); otherwise dx = scale/σ·dy, and dscale is the sum of
// dy·(x − mean) by σ. Where σ is zero it matters what is divided when (fused_batch_norm_op.cc).
void FusedBatchNormGrad(OpContext& context) {
  const Tensor& input = context.tensor(1);
  const Channels channels(context, input.shape());
  const int64_t size = channels.view.size;
  Require(context.tensor(0).shape() == input.shape(), "y_backprop and x must have one shape, not ",
          context.tensor(0).shape().ToString(), " and ", input.shape().ToString());
  const Real epsilon = context.attr<float>("epsilon"), count = static_cast<double>(channels.count());
  const bool training = context.attr<bool>("is_training");
  ForKind<Real>(input.dtype(), [&](auto) {
    ComputeIn(DType::kFloat);
    const auto dy = Load<Real>(context.input(0)), x = Load<Real>(context.input(1));
    const auto scale = LoadVector(context, 2, size, "scale"), mean = LoadVector(context, 3, size, "mean");
    const auto variance = LoadVector(context, 4, size, "variance");
    auto dx = MakeArray<Real>(input.dtype(), input.shape());
    auto dscale = MakeArray<Real>(context.output_type(1), {size}), doffset = dscale;
    for (int64_t c = 0; c < size; ++c) {
      const Real inverse = Rsqrt(variance[c] + epsilon);
      Sum sum, weighted, normalized;
      channels.ForEach(c, [&](int64_t i) {
        sum.Add(dy[i]);
        weighted.AddProduct(dy[i], x[i] - mean[c]);
        normalized.AddProduct(dy[i], (x[i] - mean[c]) * inverse);
      });
      doffset[c] = sum.Result();
      dscale[c] = training ? normalized.Result() : weighted.Result() * inverse;
      const Real slope = weighted.Result() / count * (inverse * inverse);
      channels.ForEach(c, [&](int64_t i) {
        const Real centered = training ? dy[i] - doffset[c] / count - (x[i] - mean[c]) * slope : dy[i];
        dx[i] = centered * (scale[c] * inverse);
      });
    }
    context.Output(0, Store(dx));
    context.Output(1, Store(dscale));
    context.Output(2, Store(doffset));
    for (int i = 3; i < 5; ++i) context.Output(i, Zeros(context.output_type(i), {0}));
  });
}

constexpr KernelRow kRows[] = {
    {"FusedBatchNorm", FusedBatchNorm},   {"FusedBatchNormGrad", FusedBatchNormGrad},
    {"FusedBatchNormV2", FusedBatchNorm}, {"FusedBatchNormGradV2", FusedBatchNormGrad},
    {"FusedBatchNormV3", FusedBatchNorm}, {"FusedBatchNormGradV3", FusedBatchNormGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> NormalizationBatchNorm() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
