// The largest element of each window and where it stands, and the gradient that goes by this place.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/pooling.h"

namespace plumb::reference {
namespace {

Real WithBoundOf(const Array<Real>& x, const std::vector<int64_t>& window, Real largest) {
  for (const int64_t i : window) largest.e = std::max(largest.e, x[i].e);
  return largest;
}
Integer WithBoundOf(const Array<Integer>&, const std::vector<int64_t>&, Integer largest) { return largest; }

void MaxPoolWithArgmax(OpContext& context) {
  const Pooling pool = PoolingOf(context, context.tensor(0).shape());
  Require(context.tensor(0).elements() > 0, "there is no largest element of images of shape ",
          context.tensor(0).shape().ToString());
  CheckPlane(context, pool);
  const bool with_batch = context.attr<bool>("include_batch_in_index");
  const int64_t image = pool.height.in * pool.width.in * pool.depth.in;
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto x = Load<N>(context.input(0));
    auto y = MakeArray<N>(dtype, pool.output_shape());
    auto argmax = MakeArray<Integer>(context.output_type(1), pool.output_shape());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      const int64_t chosen = Chosen(x, window);
      y[output] = WithBoundOf(x, window, x[chosen]);
      argmax[output] = with_batch ? chosen : chosen % image;
    });
    context.Output(0, Store(y));
    context.Output(1, Store(argmax));
  });
}

void MaxPoolGradWithArgmax(OpContext& context) {
  const Pooling pool = PoolingOf(context, context.tensor(0).shape());
  CheckPlane(context, pool);
  CheckGradient(pool, context.tensor(1), "grad");
  CheckGradient(pool, context.tensor(2), "argmax");
  const bool with_batch = context.attr<bool>("include_batch_in_index");
  const int64_t image = pool.height.in * pool.width.in * pool.depth.in;
  const int64_t outputs = pool.output_shape().elements() / std::max<int64_t>(1, pool.batch);
  const auto argmax = Load<Integer>(context.input(2));
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto dy = Load<N>(context.input(1));
    auto dx = MakeArray<N>(dtype, pool.input_shape());
    std::vector<SumOf<N>> sums(dx.at.size());
    for (int64_t i = 0; i < static_cast<int64_t>(dy.at.size()); ++i) {
      const int64_t first = i / outputs * image;  // of the image that the window is in
      const Integer at = with_batch ? argmax[i] : argmax[i] + Integer(first);
      Require(Integer(first) <= at && at < Integer(first + image), "argmax names the element ",
              static_cast<int64_t>(argmax[i]), ", which is not in the window's image");
      sums[static_cast<int64_t>(at)].Add(dy[i]);
    }
    for (size_t i = 0; i < sums.size(); ++i) dx.at[i] = sums[i].Result();
    context.Output(0, Store(dx));
  });
}

constexpr KernelRow kRows[] = {
    {"MaxPoolWithArgmax", MaxPoolWithArgmax, CheckMaxPooling},
    {"MaxPoolGradWithArgmax", MaxPoolGradWithArgmax, CheckPooling},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ConvolutionMaxPoolArgmax() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
