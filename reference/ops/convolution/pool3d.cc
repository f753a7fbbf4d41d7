// The largest element and the mean of each window of a volume, and their gradients.
#include <algorithm>
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/ops/convolution/volume.h"

namespace plumb::reference {
namespace {

using Positions = std::vector<int64_t>;

// NaN is larger than nothing (rule N12): a window of them alone yields the lowest number.
void MaxPool3D(OpContext& context) {
  const VolumePooling pool = VolumePoolingOf(context.node, context.tensor(0).shape());
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const auto x = Load<Real>(ToNdhwc(context.input(0), pool.layout));
    auto y = MakeArray<Real>(dtype, pool.output_shape());
    ForEachWindow(pool, [&](int64_t output, const Positions& window) {
      Real largest = -LargestFinite(dtype);
      double bound = 0;  // it may be any of the window, as far as their bounds allow
      for (const int64_t i : window) {
        if (x[i] > largest) largest = x[i];
        bound = std::max(bound, x[i].e);
      }
      y[output] = {largest.v, bound, largest.d};
    });
    context.Output(0, FromNdhwc(Store(y), pool.layout));
  });
}

// How close to a window's output an element has to be to count as the one that was taken.
constexpr float kClose = 1e-5F;

// Every element that comes close to its window's output gets the window's whole gradient.
void MaxPool3DGrad(OpContext& context) {
  const VolumePooling pool = VolumePoolingOf(context.node, context.tensor(0).shape());
  CheckGradient(pool, context.tensor(1), "orig_output");
  CheckGradient(pool, context.tensor(2), "grad");
  const DType dtype = context.tensor(2).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const auto x = Load<Real>(ToNdhwc(context.input(0), pool.layout)),
               y = Load<Real>(ToNdhwc(context.input(1), pool.layout)),
               dy = Load<Real>(ToNdhwc(context.input(2), pool.layout));
    std::vector<Sum> sums(x.at.size());
    ForEachWindow(pool, [&](int64_t output, const Positions& window) {
      for (const int64_t i : window) {
        const Real gap = Abs(x[i] - y[output]);
        sums[i].Add(TakenIf(gap.v < kClose, gap, kClose, dy[output]));
      }
    });
    auto dx = MakeArray<Real>(dtype, pool.input_shape());
    for (size_t i = 0; i < sums.size(); ++i) dx.at[i] = sums[i].Result();
    context.Output(0, FromNdhwc(Store(dx), pool.layout));
  });
}

// The element of grad that stands where a window's output is first found.
void MaxPool3DGradGrad(OpContext& context) {
  const VolumePooling pool = VolumePoolingOf(context.node, context.tensor(0).shape());
  CheckGradient(pool, context.tensor(1), "orig_output");
  Require(context.tensor(2).shape() == context.tensor(0).shape(), "grad has the shape ",
          context.tensor(2).shape().ToString(), ", but the volumes have ", context.tensor(0).shape().ToString());
  for (int i = 0; i < 3; ++i) Require(context.tensor(i).elements() > 0, "input ", i, " is empty");
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const auto x = Load<Real>(ToNdhwc(context.input(0), pool.layout)),
               y = Load<Real>(ToNdhwc(context.input(1), pool.layout)),
               gradient = Load<Real>(ToNdhwc(context.input(2), pool.layout));
    auto result = MakeArray<Real>(dtype, pool.output_shape());
    ForEachWindow(pool, [&](int64_t output, const Positions& window) {
      const auto found = std::find_if(window.begin(), window.end(), [&](int64_t i) { return x[i] == y[output]; });
      if (found != window.end()) result[output] = gradient[*found];
    });
    context.Output(0, FromNdhwc(Store(result), pool.layout));
  });
}

void AvgPool3D(OpContext& context) {
  const VolumePooling pool = VolumePoolingOf(context.node, context.tensor(0).shape());
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const auto x = Load<Real>(ToNdhwc(context.input(0), pool.layout));
    auto y = MakeArray<Real>(dtype, pool.output_shape());
    ForEachWindow(pool, [&](int64_t output, const Positions& window) {
      Sum sum;
      for (const int64_t i : window) sum.Add(x[i]);
      y[output] = sum.Result() / Real(static_cast<double>(window.size()));
    });
    context.Output(0, FromNdhwc(Store(y), pool.layout));
  });
}

void AvgPool3DGrad(OpContext& context) {
  const VolumePooling pool = VolumePoolingOf(context.node, ShapeOf(context.tensor(0), "orig_input_shape"));
  CheckGradient(pool, context.tensor(1), "grad");
  const DType dtype = context.tensor(1).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const auto dy = Load<Real>(ToNdhwc(context.input(1), pool.layout));
    auto dx = MakeArray<Real>(dtype, pool.input_shape());
    std::vector<Sum> sums(dx.at.size());
    ForEachWindow(pool, [&](int64_t output, const Positions& window) {
      // TensorFlow multiplies by the reciprocal, which is rounded too.
      const Real share = dy[output] * (Real(1) / Real(static_cast<double>(window.size())));
      for (const int64_t i : window) sums[i].Add(share);
    });
    for (size_t i = 0; i < sums.size(); ++i) dx.at[i] = sums[i].Result();
    context.Output(0, FromNdhwc(Store(dx), pool.layout));
  });
}

constexpr KernelRow kRows[] = {
    {"MaxPool3D", MaxPool3D, CheckVolumePooling},
    {"MaxPool3DGrad", MaxPool3DGrad, CheckVolumePoolingGradient},
    {"MaxPool3DGradGrad", MaxPool3DGradGrad, CheckVolumePoolingGradient},
    {"AvgPool3D", AvgPool3D, CheckVolumePooling},
    {"AvgPool3DGrad", AvgPool3DGrad, CheckVolumePoolingGradient},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ConvolutionPool3d() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
