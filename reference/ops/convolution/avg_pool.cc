// The mean of each window.
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/pooling.h"

namespace plumb::reference {
namespace {

// The mean of the elements that are inside the image.
void AvgPool(OpContext& context) {
  const Pooling pool = PoolingOf(context, context.tensor(0).shape());
  CheckPlane(context, pool);
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const auto x = Load<Real>(ToNhwc(context.input(0), pool.layout));
    auto y = MakeArray<Real>(dtype, pool.output_shape());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      Sum sum;
      for (const int64_t i : window) sum.Add(x[i]);
      y[output] = sum.Result() / Real(static_cast<double>(window.size()));
    });
    context.Output(0, FromNhwc(Store(y), pool.layout));
  });
}

// Where there are no images, or no gradients, nothing else is asked (AvgPoolingGradOp).
void AvgPoolGrad(OpContext& context) {
  const Shape images = ShapeOf(context.tensor(0), "orig_input_shape");
  Require(images.rank() == 4 && context.tensor(1).rank() == 4, "images and grad have four dimensions, not the shapes ",
          images.ToString(), " and ", context.tensor(1).shape().ToString());
  if (images.elements() == 0) return context.Output(0, Zeros(context.tensor(1).dtype(), images));
  const Pooling pool = PoolingOf(context, images);
  CheckPlane(context, pool);
  if (context.tensor(1).elements() == 0) return context.Output(0, Zeros(context.tensor(1).dtype(), images));
  CheckGradient(pool, context.tensor(1), "grad");
  const DType dtype = context.tensor(1).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const auto dy = Load<Real>(ToNhwc(context.input(1), pool.layout));
    auto dx = MakeArray<Real>(dtype, pool.input_shape());
    std::vector<Sum> sums(dx.at.size());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      Real share = dy[output] / Real(static_cast<double>(window.size()));
      Widen(share, arithmetic.unit * std::fabs(share.v));  // TensorFlow multiplies by the reciprocal, rounded itself
      for (const int64_t i : window) sums[i].Add(share);
    });
    for (size_t i = 0; i < sums.size(); ++i) dx.at[i] = sums[i].Result();
    context.Output(0, FromNhwc(Store(dx), pool.layout));
  });
}

constexpr KernelRow kRows[] = {
    {"AvgPool", AvgPool, CheckPooling},
    {"AvgPoolGrad", AvgPoolGrad, CheckBatchPooling},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ConvolutionAvgPool() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
