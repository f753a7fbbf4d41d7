// Local response normalization: y = x / norm^beta, norm = bias + alpha·Σ x² over the depth_radius neighbours on either
// side along the last axis.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

struct Lrn4 {
  int64_t radius, depth;
  Real bias, alpha, beta;

  int64_t First(int64_t channel) const { return channel - std::min(channel, radius); }
  int64_t Last(int64_t channel) const { return channel + std::min(depth - 1 - channel, radius); }
  Real Norm(const Real* pixel, int64_t channel) const {
    Sum sum;
    for (int64_t k = First(channel); k <= Last(channel); ++k) sum.AddProduct(pixel[k], pixel[k]);
    return bias + alpha * sum.Result();
  }
  // Whether a square outside of the window is no finite number. TensorFlow's sums are a product with a band of ones and
  // zeros, in which such a square times zero is no number.
  bool HasUnboundedSquareBeside(const Real* pixel, int64_t channel) const {
    for (int64_t k = 0; k < depth; ++k) {
      const bool is_around = First(channel) <= k && k <= Last(channel);
      if (!is_around && !(pixel[k].v * pixel[k].v <= arithmetic.largest)) return true;
    }
    return false;
  }
};

// Taken as exp(exponent · log norm), whose error grows with the product.
Real Power(Real norm, Real exponent) {
  Real power = Pow(norm, exponent);
  const double product = std::fabs(exponent.v * std::log(norm.v));
  if (std::isfinite(power.v) && std::isfinite(product)) {
    power.e += (ElementaryUnits() + 1) * arithmetic.unit * product * std::fabs(power.v);
  }
  return power;
}

void CheckRadius(const Node& node) {
  const auto radius = GetAttr<int64_t>(node.attrs, "depth_radius");
  Require(0 <= radius && radius < INT32_MAX, "depth_radius must be in [0, 2^31 - 1), not ", radius, ", at node '",
          node.name, "'");
}

Lrn4 LrnOf(const OpContext& context, const Shape& shape) {
  Require(shape.rank() == 4, "an image tensor has four dimensions, not the shape ", shape.ToString());
  const auto number = [&](std::string_view name) { return Real(context.attr<float>(name)); };
  return {context.attr<int64_t>("depth_radius"), shape.dim(3), number("bias"), number("alpha"), number("beta")};
}

void Lrn(OpContext& context) {
  const Tensor& input = context.tensor(0);
  const Lrn4 lrn = LrnOf(context, input.shape());
  ForKind<Real>(input.dtype(), [&](auto) {
    const auto x = Load<Real>(context.input(0));
    auto y = MakeArray<Real>(input.dtype(), input.shape());
    for (int64_t pixel = 0; pixel < input.elements(); pixel += lrn.depth) {
      for (int64_t c = 0; c < lrn.depth; ++c) {
        const bool is_lost = lrn.HasUnboundedSquareBeside(&x[pixel], c);
        y[pixel + c] = is_lost ? Real(NAN) : x[pixel + c] * Power(lrn.Norm(&x[pixel], c), -lrn.beta);
      }
    }
    context.Output(0, Store(y));
  });
}

// A gradient of zero adds nothing, whatever it would be multiplied by.
// dx[k] = Σⱼ dy[j]·(norm[j]^−beta·[j = k] − 2·alpha·beta·x[k]·y[j] / norm[j]), j in the neighbourhood of k.
void LrnGrad(OpContext& context) {
  const Tensor& image = context.tensor(1);
  const Lrn4 lrn = LrnOf(context, image.shape());
  Require(context.tensor(0).shape() == image.shape() && context.tensor(2).shape() == image.shape(),
          "input_grads, input_image and output_image must have one shape");
  ForKind<Real>(image.dtype(), [&](auto) {
    const auto dy = Load<Real>(context.input(0)), x = Load<Real>(context.input(1)), y = Load<Real>(context.input(2));
    auto dx = MakeArray<Real>(image.dtype(), image.shape());
    for (int64_t pixel = 0; pixel < image.elements(); pixel += lrn.depth) {
      std::vector<Sum> sums(lrn.depth);
      for (int64_t j = 0; j < lrn.depth; ++j) {
        const Real& gradient = dy[pixel + j];
        if (gradient.v == 0 && gradient.e == 0 && gradient.d == 0) continue;
        const Real norm = lrn.Norm(&x[pixel], j);
        const Real factor = Real(2) * lrn.alpha * lrn.beta * y[pixel + j] / norm;
        for (int64_t k = lrn.First(j); k <= lrn.Last(j); ++k) {
          const Real own = j == k ? Power(norm, -lrn.beta) : Real(0);
          sums[k].AddProduct(own - factor * x[pixel + k], gradient);
        }
      }
      for (int64_t k = 0; k < lrn.depth; ++k) dx[pixel + k] = sums[k].Result();
    }
    context.Output(0, Store(dx));
  });
}

constexpr KernelRow kRows[] = {
    {"LRN", Lrn, CheckRadius},
    {"LRNGrad", LrnGrad, CheckRadius},
};

}  // namespace

namespace topics {
std::span<const KernelRow> NormalizationLrn() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
