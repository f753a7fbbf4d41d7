// The mean of each window.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/pooling.h"

namespace plumb::reference {
namespace {

// The mean of the elements that are inside the image.
void AvgPool(OpContext& context) {
  const Pooling pool = PoolingOf(context, context.tensor(0).shape());
  CheckPlane(pool);
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

void AvgPoolGrad(OpContext& context) {
  const Pooling pool = PoolingOf(context, ShapeOf(context.tensor(0), "orig_input_shape"));
  CheckPlane(pool);
  CheckGradient(pool, context.tensor(1), "grad");
  const DType dtype = context.tensor(1).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const auto dy = Load<Real>(ToNhwc(context.input(1), pool.layout));
    auto dx = MakeArray<Real>(dtype, pool.input_shape());
    std::vector<Sum> sums(dx.at.size());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      const Real share = dy[output] / Real(static_cast<double>(window.size()));
      for (const int64_t i : window) sums[i].Add(share);
    });
    for (size_t i = 0; i < sums.size(); ++i) dx.at[i] = sums[i].Result();
    context.Output(0, FromNhwc(Store(dx), pool.layout));
  });
}

constexpr KernelRow kRows[] = {
    {"AvgPool", AvgPool, CheckPooling},
    {"AvgPoolGrad", AvgPoolGrad, CheckPooling},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ConvolutionAvgPool() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
