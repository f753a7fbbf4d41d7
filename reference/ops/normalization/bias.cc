#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/narrow_sums.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/normalization/channel_axis.h"

namespace plumb::reference {
namespace {

AxisView ChannelsOf(const OpContext& context, const Shape& shape) {
  Require(shape.rank() >= 2, "channels need a tensor of at least two dimensions, not ", shape.ToString());
  return ViewAt(shape, ChannelAxis(context, shape.rank()));
}

void BiasAdd(OpContext& context) {
  const Tensor &value = context.tensor(0), &bias = context.tensor(1);
  const AxisView view = ChannelsOf(context, value.shape());
  Require(bias.rank() == 1 && bias.dim(0) == view.size, "the bias must be a vector of length ", view.size,
          ", not of shape ", bias.shape().ToString());
  ForNumber(value.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    auto x = Load<N>(context.input(0));
    const auto b = Load<N>(context.input(1));
    for (int64_t i = 0; i < value.elements(); ++i) x[i] = x[i] + b[i / view.inner % view.size];
    context.Output(0, Store(x));
  });
}

// The sum over everything but the channels; 16-bit types are summed in float.
void BiasAddGrad(OpContext& context) {
  const Tensor& gradient = context.tensor(0);
  const AxisView view = ChannelsOf(context, gradient.shape());
  ForNumber(gradient.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    ComputeIn(AccumulatorOf(gradient.dtype()));
    AllowNarrowSums(gradient.dtype());
    const auto dy = Load<N>(context.input(0));
    auto result = MakeArray<N>(gradient.dtype(), {view.size});
    std::vector<SumOf<N>> sums(view.size);
    for (int64_t i = 0; i < gradient.elements(); ++i) sums[i / view.inner % view.size].Add(dy[i]);
    for (int64_t c = 0; c < view.size; ++c) result[c] = sums[c].Result();
    context.Output(0, Store(result));
  });
}

constexpr KernelRow kRows[] = {
    {"BiasAdd", BiasAdd},
    {"BiasAddV1", BiasAdd},
    {"BiasAddGrad", BiasAddGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> NormalizationBias() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
