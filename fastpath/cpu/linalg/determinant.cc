// Determinants by Eigen's LU decomposition: logarithms of the pivots are added up, so that no product overflows.
#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
struct LogDeterminant {
  using R = typename Eigen::NumTraits<T>::Real;
  T sign = 1;
  R log = 0;

  LogDeterminant(const T* data, int64_t n) {
    const Eigen::PartialPivLU<EigenMatrix<T>> lu{ConstMap<T>(data, n, n)};
    sign = static_cast<T>(static_cast<R>(lu.permutationP().determinant()));
    for (int64_t i = 0; i < n; ++i) {
      const T pivot = lu.matrixLU()(i, i);
      const R size = std::abs(pivot);
      log += std::log(size);
      sign *= pivot / size;
    }
    if (std::isfinite(log)) return;
    sign = 0;
    log = log > 0 ? std::numeric_limits<R>::infinity() : -std::numeric_limits<R>::infinity();
  }
  T Value() const { return sign * std::exp(log); }
};

// f(i, determinant) for each of a batch of square matrices.
template <class T, class F>
void ForEachDeterminant(KernelContext& context, const Matrices& matrices, const F& f) {
  const T* const a = context.input(0).data<T>().data();
  const int64_t n = matrices.rows;
  ForEachMatrix(context.pool(), matrices.batch.elements(), n * n * n + 16, [&](int64_t i) {
    if (n == 0) return f(i, T(1), typename LogDeterminant<T>::R(0), T(1));
    const LogDeterminant<T> determinant(a + i * n * n, n);
    f(i, determinant.sign, determinant.log, determinant.Value());
  });
}

template <class T>
class MatrixDeterminantKernel : public Kernel {
 public:
  explicit MatrixDeterminantKernel(const Node&) {}
  void Run(KernelContext& context) override {
    const Matrices matrices = SquareMatrices(context.input(0));
    T* const values = context.AllocateOutput(0, DTypeOf<T>, matrices.batch).template mutable_data<T>().data();
    ForEachDeterminant<T>(context, matrices, [&](int64_t i, T, auto, T value) { values[i] = value; });
  }
};

template <class T>
class LogMatrixDeterminantKernel : public Kernel {
 public:
  explicit LogMatrixDeterminantKernel(const Node&) {}
  void Run(KernelContext& context) override {
    const Matrices matrices = SquareMatrices(context.input(0));
    T* const signs = context.AllocateOutput(0, DTypeOf<T>, matrices.batch).template mutable_data<T>().data();
    T* const logs = context.AllocateOutput(1, DTypeOf<T>, matrices.batch).template mutable_data<T>().data();
    ForEachDeterminant<T>(context, matrices, [&](int64_t i, T sign, auto log, T) {
      signs[i] = sign;
      logs[i] = log;
    });
  }
};

constexpr KernelRow kRows[] = {
    {"LogMatrixDeterminant", MakeFor<LogMatrixDeterminantKernel, LinalgTypes>},
    {"MatrixDeterminant", MakeFor<MatrixDeterminantKernel, LinalgTypes>},
    {"BatchMatrixDeterminant", MakeFor<MatrixDeterminantKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgDeterminant() { return kRows; }

}  // namespace plumb::fast::cpu
