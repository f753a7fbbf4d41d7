// Qr by Householder's reflections.
#include <algorithm>

#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/linalg/reflections.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct Sizes {
  int64_t m = 0, n = 0, count = 0;  // count: reflections, the smaller one of both
  int64_t inner = 0;                // columns of Q and rows of R
};

template <class Crew, class N>
PLUMB_GPU_KERNEL FactorMatrices(Global<N> matrices, int64_t matrix_count, Global<N> steps, Sizes sizes, Global<N> left,
                                Global<N> right) {
  PLUMB_GPU_SHARED(RealOf<N>, shared, kWarpsOfTeams);
  const int64_t m = sizes.m, n = sizes.n, inner = sizes.inner;
  const Crew crew;
  for (int64_t i = crew.FirstMatrix(); i < matrix_count; i += crew.MatrixStep()) {
    const Global<N> a = MatrixAt(matrices, i, m * n), t = MatrixAt(steps, i, sizes.count);
    for (int64_t k = 0; k < sizes.count; ++k) {
      const N step = Reflect(crew, a, m, n, k, shared);
      if (crew.thread() == 0) t[k] = step;
    }
    crew.Sync();
    GatherReflections(crew, a, m, n, sizes.count, t, MatrixAt(left, i, m * inner), inner);
    const Global<N> r = MatrixAt(right, i, inner * n);
    for (int64_t at = crew.thread(); at < inner * n; at += crew.threads()) r[at] = at / n <= at % n ? N(a[at]) : N(0);
  }
}

template <class T>
class QrKernel final : public GpuKernel {
 public:
  explicit QrKernel(const Node&) {}
  void Run(GpuContext& context) override {
    using N = Number<T>;
    const Shape left = context.OutputShape(0), right = context.OutputShape(1);
    const Tensor& a = context.input(0);
    const Matrices matrices(a.shape());
    Tensor q = context.AllocateOutput(0, left), r = context.AllocateOutput(1, right);
    if (q.elements() == 0) return;
    const int64_t count = std::min(matrices.rows, matrices.columns);
    const Sizes sizes = {matrices.rows, matrices.columns, count, Matrices(left).columns};
    Tensor copy = context.Scratch(a.dtype(), a.shape()), steps = context.Scratch(a.dtype(), {matrices.count, count});
    if (a.elements() > 0) CopyRange(context, a, 0, copy, 0, a.elements());
    LaunchForEach(context, matrices.count, std::max(matrices.rows, matrices.columns), FactorMatrices<WholeBlock, N>,
                  FactorMatrices<OneThread, N>, NumbersOf<T>(context, copy), matrices.count,
                  NumbersOf<T>(context, steps), sizes, NumbersOf<T>(context, q), NumbersOf<T>(context, r));
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Qr", MakeForType<QrKernel, RealsAndComplexes>},
};

}  // namespace

std::span<const GpuKernelRow> LinalgQr() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
