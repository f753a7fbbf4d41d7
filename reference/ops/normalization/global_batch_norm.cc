// Batch normalization by given mean and variance, channel by channel, and its gradients.
#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// Images in input 0, and inputs 1 … 4 vectors with a number for each channel.
int64_t ChannelsOf(const OpContext& c, std::initializer_list<int> vectors) {
  const Shape& images = c.tensor(0).shape();
  Require(images.rank() == 4, "images have four dimensions, not the shape ", images.ToString());
  for (const int i : vectors) {
    const Shape& shape = c.tensor(i).shape();
    Require(shape == Shape({images.dim(3)}), "input ", i, " must have a number for each of the ", images.dim(3),
            " channels, not the shape ", shape.ToString());
  }
  return images.dim(3);
}

Real Scale(const OpContext& c, Real v) {
  return Rsqrt(v + Real(static_cast<double>(c.attr<float>("variance_epsilon"))));
}

void BatchNormWithGlobalNormalization(OpContext& c) {
  const int64_t channels = ChannelsOf(c, {1, 2, 3, 4});
  const bool scaled = c.attr<bool>("scale_after_normalization");
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const Reader<Real> t(c.input(0)), m(c.input(1)), v(c.input(2)), beta(c.input(3)), gamma(c.input(4));
    Writer<Real> result(dtype, t.shape());
    for (int64_t i = 0; i < result.size(); ++i) {
      const int64_t channel = i % channels;
      const Real scale = scaled ? Scale(c, v[channel]) * gamma[channel] : Scale(c, v[channel]);
      result.Set(i, (t[i] - m[channel]) * scale + beta[channel]);
    }
    c.Output(0, result.Take());
  });
}

void BatchNormWithGlobalNormalizationGrad(OpContext& c) {
  const int64_t channels = ChannelsOf(c, {1, 2, 3});
  Require(c.tensor(4).shape() == c.tensor(0).shape(), "backprop has the shape ", c.tensor(4).shape().ToString(),
          ", the images ", c.tensor(0).shape().ToString());
  const bool scaled = c.attr<bool>("scale_after_normalization");
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const Reader<Real> t(c.input(0)), m(c.input(1)), v(c.input(2)), gamma(c.input(3)), dy(c.input(4));
    Writer<Real> dx(dtype, t.shape());
    std::vector<Sum> sums(channels), products(channels);  // Σ dy and Σ dy (t − m)
    for (int64_t i = 0; i < dx.size(); ++i) {
      const int64_t channel = i % channels;
      const Real scale = scaled ? Scale(c, v[channel]) * gamma[channel] : Scale(c, v[channel]);
      dx.Set(i, dy[i] * scale);
      sums[channel].Add(dy[i]);
      products[channel].AddProduct(dy[i], t[i] - m[channel]);
    }
    const Shape vector({channels});
    Writer<Real> dm(dtype, vector), dv(dtype, vector), db(dtype, vector), dg(dtype, vector);
    for (int64_t channel = 0; channel < channels; ++channel) {
      const Real root = Scale(c, v[channel]), sum = sums[channel].Result(), product = products[channel].Result();
      const Real factor = scaled ? gamma[channel] : Real(1);
      dm.Set(channel, -sum * (root * factor));
      dv.Set(channel, product * (root * root * root * Real(-0.5) * factor));
      db.Set(channel, sum);
      dg.Set(channel, scaled ? product * root : Real(0));
    }
    c.Output(0, dx.Take());
    c.Output(1, dm.Take());
    c.Output(2, dv.Take());
    c.Output(3, db.Take());
    c.Output(4, dg.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"BatchNormWithGlobalNormalization", BatchNormWithGlobalNormalization},
    {"BatchNormWithGlobalNormalizationGrad", BatchNormWithGlobalNormalizationGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> NormalizationGlobalBatchNorm() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
