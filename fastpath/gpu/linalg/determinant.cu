// Determinants by elimination: logarithms of the pivots are added up, so that no product overflows.
#include <limits>

#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/linalg/elimination.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class N>
struct LogDeterminant {
  N sign;
  RealOf<N> log;
};

// Of the pivots on the diagonal, after an even number of exchanges or an odd one.
template <class N>
PLUMB_GPU_INLINE LogDeterminant<N> Gathered(Global<N> a, int64_t n, bool is_odd) {
  using R = RealOf<N>;
  LogDeterminant<N> result = {N(R(is_odd ? -1 : 1)), R(0)};
  for (int64_t k = 0; k < n; ++k) {
    const N pivot = a[k * n + k];
    const R size = Magnitude(pivot);
    result.log += std::log(size);
    result.sign = result.sign * (pivot / size);
  }
  if (result.log - result.log == R(0)) return result;
  constexpr R kInfinity = std::numeric_limits<R>::infinity();
  return {N(R(0)), result.log > R(0) ? kInfinity : -kInfinity};
}

// `logs` has no elements where signs are to be multiplied with the determinants' sizes.
template <class Crew, class N>
PLUMB_GPU_KERNEL Determinants(Global<N> matrices, int64_t n, Global<N> signs, Global<N> logs) {
  PLUMB_GPU_SHARED(Pivot<RealOf<N>>, shared, kWarpsOfTeams);
  const Crew crew;
  for (int64_t i = crew.FirstMatrix(); i < signs.size; i += crew.MatrixStep()) {
    const Global<N> a = MatrixAt(matrices, i, n * n);
    bool is_odd = false;
    Eliminate(crew, a, n, Global<N>(), 0, shared, [&](int64_t, int64_t) { is_odd = !is_odd; });
    if (crew.thread() != 0) continue;
    const LogDeterminant<N> result = Gathered(a, n, is_odd);
    signs[i] = logs.size > 0 ? result.sign : N(std::exp(result.log)) * result.sign;
    if (logs.size > 0) logs[i] = N(result.log);
  }
}

template <class T, bool gives_log>
class DeterminantKernel final : public GpuKernel {
 public:
  explicit DeterminantKernel(const Node&) {}
  void Run(GpuContext& context) override {
    using N = Number<T>;
    const Shape shape = context.OutputShape(0);
    const Tensor& a = context.input(0);
    const Matrices matrices(a.shape());
    Tensor signs = context.AllocateOutput(0, shape), logs;
    if (gives_log) logs = context.AllocateOutput(1, shape);
    if (shape.elements() == 0) return;
    Tensor copy = context.Scratch(a.dtype(), a.shape());
    if (a.elements() > 0) CopyRange(context, a, 0, copy, 0, a.elements());
    LaunchForEach(context, matrices.count, matrices.rows, Determinants<WholeBlock, N>, Determinants<OneThread, N>,
                  NumbersOf<T>(context, copy), matrices.rows, NumbersOf<T>(context, signs),
                  gives_log ? NumbersOf<T>(context, logs) : Global<N>());
  }
};

template <class T>
using MatrixDeterminant = DeterminantKernel<T, false>;
template <class T>
using LogMatrixDeterminant = DeterminantKernel<T, true>;

constexpr GpuKernelRow kRows[] = {
    {"LogMatrixDeterminant", MakeForType<LogMatrixDeterminant, RealsAndComplexes>},
    {"MatrixDeterminant", MakeForType<MatrixDeterminant, RealsAndComplexes>},
};

}  // namespace

std::span<const GpuKernelRow> LinalgDeterminant() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
