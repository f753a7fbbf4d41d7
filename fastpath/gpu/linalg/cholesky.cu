// Cholesky: column by column, each subtracted from those behind it.
#include <limits>

#include "fastpath/gpu/linalg/matrices.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The lower triangle, whose diagonal is taken for real, and zeros above it.
template <class N, class Crew>
PLUMB_GPU_INLINE void TakeTriangle(const Crew& crew, Global<const N> a, int64_t n, Global<N> l) {
  for (int64_t at = crew.thread(); at < n * n; at += crew.threads()) {
    const int64_t i = at / n, j = at % n;
    l[at] = j < i ? a[at] : j == i ? N(RealPart<N>(a[at])) : N(0);
  }
  crew.Sync();
}

// Whether all pivots are positive. The diagonal is left as the pivots.
template <class N, class Crew>
PLUMB_GPU_INLINE bool FactorTriangle(const Crew& crew, Global<N> l, int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    const RealOf<N> pivot = RealPart<N>(l[k * n + k]), root = std::sqrt(pivot);
    if (pivot <= 0) return false;
    for (int64_t i = k + 1 + crew.thread(); i < n; i += crew.threads()) l[i * n + k] = l[i * n + k] / root;
    crew.Sync();
    const int64_t rest = n - k - 1;
    for (int64_t at = crew.thread(); at < rest * rest; at += crew.threads()) {
      const int64_t i = k + 1 + at / rest, j = k + 1 + at % rest;
      if (j <= i) l[i * n + j] -= l[i * n + k] * Conjugated<N>(l[j * n + k]);
    }
    crew.Sync();
  }
  return true;
}

template <class N, class Crew>
PLUMB_GPU_INLINE void FactorOne(const Crew& crew, Global<const N> a, int64_t n, Global<N> l) {
  TakeTriangle(crew, a, n, l);
  const bool is_positive = FactorTriangle(crew, l, n);
  crew.Sync();
  for (int64_t at = crew.thread(); at < n * n; at += crew.threads()) {
    const int64_t i = at / n, j = at % n;
    if (is_positive && i == j) l[at] = N(std::sqrt(RealPart<N>(l[at])));
    constexpr bool kHasNan = std::is_same_v<N, RealOf<N>>;  // in the place of a factor that is complex stands zero
    if (!is_positive) l[at] = N(kHasNan && j <= i ? std::numeric_limits<RealOf<N>>::quiet_NaN() : RealOf<N>(0));
  }
}

template <class Crew, class N>
PLUMB_GPU_KERNEL FactorMatrices(Global<const N> matrices, int64_t count, int64_t n, Global<N> factors) {
  const Crew crew;
  for (int64_t i = crew.FirstMatrix(); i < count; i += crew.MatrixStep()) {
    FactorOne(crew, MatrixAt(matrices, i, n * n), n, MatrixAt(factors, i, n * n));
  }
}

template <class T>
class CholeskyKernel final : public GpuKernel {
 public:
  explicit CholeskyKernel(const Node&) {}
  void Run(GpuContext& context) override {
    const Matrices matrices(context.OutputShape(0));
    Tensor l = context.AllocateOutput(0, context.input(0).shape());
    if (l.elements() == 0) return;
    LaunchForEach(context, matrices.count, matrices.rows, FactorMatrices<WholeBlock, Number<T>>,
                  FactorMatrices<OneThread, Number<T>>, NumbersIn<T>(context, 0), matrices.count, matrices.rows,
                  NumbersOf<T>(context, l));
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Cholesky", MakeForType<CholeskyKernel, RealsAndComplexes>},
};

}  // namespace

std::span<const GpuKernelRow> LinalgCholesky() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
