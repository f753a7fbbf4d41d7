// The largest element of each window.
#include <algorithm>
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/pooling.h"

namespace plumb::reference {
namespace {

// What a window without any larger element yields.
Real Lowest(DType dtype, TypeTag<Real>) {
  switch (dtype) {
    case DType::kHalf:
      return -65504;
    case DType::kBfloat16:
      return -0x1.fep127;
    case DType::kFloat:
      return -std::numeric_limits<float>::max();
    default:
      return -std::numeric_limits<double>::max();
  }
}
Integer Lowest(DType dtype, TypeTag<Integer>) {
  Integer lowest = 0;
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T>) lowest = std::numeric_limits<T>::min();
  });
  return lowest;
}

// The first of the largest elements of a window, or -1. NaN is larger than nothing (rule N12).
template <class N>
int64_t Largest(const Array<N>& x, const std::vector<int64_t>& window, N lowest) {
  int64_t largest = -1;
  for (const int64_t i : window) {
    if (x[i] > (largest < 0 ? lowest : x[largest])) largest = i;
  }
  return largest;
}

// The largest element may be any of the window as far as their bounds allow.
Real Pooled(const Array<Real>& x, const std::vector<int64_t>& window, Real largest) {
  for (const int64_t i : window) largest.e = std::max(largest.e, x[i].e);
  return largest;
}
Integer Pooled(const Array<Integer>&, const std::vector<int64_t>&, Integer largest) { return largest; }

void MaxPool(OpContext& context) {
  const Pooling pool = PoolingOf(context, context.tensor(0).shape(), /*may_be_empty=*/true);
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto x = Load<N>(ToNhwc(context.input(0), pool.layout));
    const N lowest = Lowest(dtype, kind);
    auto y = MakeArray<N>(dtype, pool.output_shape());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      const int64_t largest = Largest(x, window, lowest);
      y[output] = Pooled(x, window, largest < 0 ? lowest : x[largest]);
    });
    context.Output(0, FromNhwc(Store(y), pool.layout));
  });
}

// Of the images in input 0, whose gradients are asked for.
Pooling GradientPoolingOf(const OpContext& context) {
  for (int i = 0; i < 3; ++i) {
    Require(context.tensor(i).rank() == 4, "input ", i, " must have four dimensions, not the shape ",
            context.tensor(i).shape().ToString());
  }
  CheckPlanePooling(context);
  return PoolingOf(context, context.tensor(0).shape(), /*may_be_empty=*/true);
}

// Each gradient goes to the element that its window chose.
void MaxPoolGrad(OpContext& context) {
  const Pooling pool = GradientPoolingOf(context);
  CheckGradient(pool, context.tensor(1), "orig_output");
  CheckGradient(pool, context.tensor(2), "grad");
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto x = Load<N>(ToNhwc(context.input(0), pool.layout)), dy = Load<N>(ToNhwc(context.input(2), pool.layout));
    std::vector<SumOf<N>> sums(x.at.size());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      if (!window.empty()) sums[Chosen(x, window)].Add(dy[output]);
    });
    auto dx = MakeArray<N>(dtype, pool.input_shape());
    for (size_t i = 0; i < sums.size(); ++i) dx.at[i] = sums[i].Result();
    context.Output(0, FromNhwc(Store(dx), pool.layout));
  });
}

// The gradient that stands where the window first holds its largest element.
void MaxPoolGradGrad(OpContext& context) {
  const Pooling pool = GradientPoolingOf(context);
  CheckGradient(pool, context.tensor(1), "orig_output");
  Require(context.tensor(2).shape() == context.tensor(0).shape(), "grad has the shape ",
          context.tensor(2).shape().ToString(), ", but the images have ", context.tensor(0).shape().ToString());
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto x = Load<N>(ToNhwc(context.input(0), pool.layout)), y = Load<N>(ToNhwc(context.input(1), pool.layout));
    const auto gradient = Load<N>(ToNhwc(context.input(2), pool.layout));
    auto result = MakeArray<N>(dtype, pool.output_shape());
    ForEachWindow(pool, [&](int64_t output, const std::vector<int64_t>& window) {
      const auto found = std::find_if(window.begin(), window.end(), [&](int64_t i) { return x[i] == y[output]; });
      result[output] = found == window.end() ? N(0) : gradient[*found];
    });
    context.Output(0, FromNhwc(Store(result), pool.layout));
  });
}

void CheckMaxPoolGrad(const Node& node) {
  CheckPlanePooling(node);
  CheckExplicitPaddings(node);
}

void CheckLayout(const Node& node) { LayoutOf(node); }

constexpr KernelRow kRows[] = {
    {"MaxPool", MaxPool, CheckMaxPooling},
    {"MaxPoolGrad", MaxPoolGrad, CheckMaxPoolGrad},
    {"MaxPoolGradGrad", MaxPoolGradGrad, CheckPlanePooling},
    {"MaxPoolV2", MaxPool, CheckLayout},
    {"MaxPoolGradV2", MaxPoolGrad},
    {"MaxPoolGradGradV2", MaxPoolGradGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ConvolutionMaxPool() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
