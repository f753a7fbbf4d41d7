// Each element divided by a power of the squares around it, along the channels of its pixel; and the gradient.
#include <cmath>
#include <limits>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct Response {
  int64_t depth = 0, radius = 0;
  float bias = 1, alpha = 1, beta = 0.5F;

  // norm^−beta.
  PLUMB_GPU_INLINE float Power(float norm) const {
    if (beta == 1.0F) return 1 / norm;
    if (beta == 0.5F) return 1 / std::sqrt(norm);
    return std::pow(norm, -beta);
  }
};

// The sum of term(j) over the channels j around that of element i.
template <class Term>
PLUMB_GPU_INLINE float SumAround(const Response& response, int64_t i, const Term& term) {
  const int64_t channel = i % response.depth, pixel = i - channel;
  const int64_t begin = channel > response.radius ? channel - response.radius : 0;
  const int64_t end = channel + response.radius < response.depth ? channel + response.radius + 1 : response.depth;
  float sum = 0;
  for (int64_t c = begin; c < end; ++c) sum += term(pixel + c);
  return sum;
}

template <class T>
PLUMB_GPU_INLINE float NormAt(const Response& response, Global<const T> x, int64_t i) {
  const float squares = SumAround(response, i, [x](int64_t j) {
    const float value = Computed<T>::Load(x[j]);
    return value * value;
  });
  return response.bias + response.alpha * squares;
}

template <class T>
PLUMB_GPU_KERNEL NormalizeResponse(Global<const T> x, Global<T> y, Response response) {
  for (int64_t i = First(); i < y.size; i += Stride()) {
    y[i] = Computed<T>::Store(Computed<T>::Load(x[i]) * response.Power(NormAt<T>(response, x, i)));
  }
}

// What the gradients around an element are made of: norms, and dy·y/norm.
template <class T>
PLUMB_GPU_KERNEL TermsOfGradient(Global<const T> dy, Global<const T> x, Global<const T> y, Global<float> norms,
                                 Global<float> terms, Response response) {
  for (int64_t i = First(); i < terms.size; i += Stride()) {
    const float norm = NormAt<T>(response, x, i);
    norms[i] = norm;
    terms[i] = Computed<T>::Load(dy[i]) * Computed<T>::Load(y[i]) / norm;
  }
}
template <class T>
PLUMB_GPU_KERNEL ResponseGradient(Global<const T> dy, Global<const T> x, Global<const float> norms,
                                  Global<const float> terms, Global<T> dx, Response response) {
  const float factor = 2 * response.alpha * response.beta;
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const float around = SumAround(response, i, [terms](int64_t j) { return terms[j]; });
    dx[i] = Computed<T>::Store(Computed<T>::Load(dy[i]) * response.Power(norms[i]) -
                               factor * Computed<T>::Load(x[i]) * around);
  }
}

class LrnBase : public GpuKernel {
 public:
  explicit LrnBase(const Node& node) {
    response_.radius = GetAttr<int64_t>(node.attrs, "depth_radius");
    Require(0 <= response_.radius && response_.radius < std::numeric_limits<int32_t>::max(),
            "depth_radius must be in [0, 2^31 - 1), not ", response_.radius);
    response_.bias = GetAttr<float>(node.attrs, "bias");
    response_.alpha = GetAttr<float>(node.attrs, "alpha");
    response_.beta = GetAttr<float>(node.attrs, "beta");
  }

 protected:
  Response ResponseOf(const Shape& shape) const {
    Require(shape.rank() == 4, "an image has 4 dimensions, not the shape ", shape.ToString());
    Response response = response_;
    response.depth = shape[3];
    return response;
  }

 private:
  Response response_;
};

template <class T>
class Lrn final : public LrnBase {
 public:
  using LrnBase::LrnBase;
  void Run(GpuContext& context) override {
    const Response response = ResponseOf(context.input(0).shape());
    Tensor y = context.AllocateOutput(0, context.input(0).shape());
    Launch(context.stream(), LoopOver(y.elements()), NormalizeResponse<T>, context.In<T>(0), context.ViewOf<T>(y),
           response);
  }
};

template <class T>
class LrnGrad final : public LrnBase {
 public:
  using LrnBase::LrnBase;
  void Run(GpuContext& context) override {
    const Shape shape = context.input(1).shape();
    Require(context.input(0).shape() == shape && context.input(2).shape() == shape,
            "input_grads, input_image and output_image must have one shape, not ", context.input(0).shape().ToString(),
            ", ", shape.ToString(), " and ", context.input(2).shape().ToString());
    const Response response = ResponseOf(shape);
    Tensor dx = context.AllocateOutput(0, shape);
    Tensor norm = context.Scratch(DType::kFloat, shape), term = context.Scratch(DType::kFloat, shape);
    const auto norms = context.ViewOf<float>(norm), terms = context.ViewOf<float>(term);
    const Global<const T> dy = context.In<T>(0), x = context.In<T>(1);
    Launch(context.stream(), LoopOver(terms.size), TermsOfGradient<T>, dy, x, context.In<T>(2), norms, terms, response);
    Launch(context.stream(), LoopOver(terms.size), ResponseGradient<T>, dy, x, norms, terms, context.ViewOf<T>(dx),
           response);
  }
};

using ImageTypes = TypeList<float, Half>;

constexpr GpuKernelRow kRows[] = {
    {"LRN", MakeForType<Lrn, ImageTypes>},
    {"LRNGrad", MakeForType<LrnGrad, ImageTypes>},
};

}  // namespace

std::span<const GpuKernelRow> NormalizationLrn() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
