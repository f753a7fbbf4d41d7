// Cholesky by Eigen's decomposition, and its gradient by Eigen's substitution.
#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class CholeskyKernel : public Kernel {
 public:
  explicit CholeskyKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& a = context.input(0);
    const Matrices matrices = SquareMatrices(a);
    Tensor& l = context.AllocateOutput(0, DTypeOf<T>, a.shape());
    if (l.elements() == 0) return;
    const T* const from = a.data<T>().data();
    T* const to = l.mutable_data<T>().data();
    const int64_t n = matrices.rows;
    ForEachMatrix(context.pool(), matrices.batch.elements(), n * n * n / 3 + 16, [&](int64_t i) {
      const Eigen::LLT<EigenMatrix<T>> factored(ConstMap<T>(from + i * n * n, n, n));
      MutableMap<T> factor(to + i * n * n, n, n);
      factor = factored.matrixL();
      if (factored.info() == Eigen::Success) return;
      factor.setZero();
      // Of complex numbers that is zero: they have no limits.
      factor.template triangularView<Eigen::Lower>().setConstant(std::numeric_limits<T>::quiet_NaN());
    });
  }
};

// The mean of S and Sᵀ, where S = L⁻ᵀ·Φ(Lᵀ·dL)·L⁻¹ and Φ takes the lower triangle and half of the diagonal.
template <class T>
class CholeskyGradKernel : public Kernel {
 public:
  explicit CholeskyGradKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor &l = context.input(0), &gradient = context.input(1);
    const Matrices matrices = SquareMatrices(l);
    Require(l.shape() == gradient.shape(), "the factors ", Printed(l.shape()), " and their gradients ",
            Printed(gradient.shape()), " must have one shape");
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, l.shape());
    if (l.elements() == 0) return;
    const T* const factors = l.data<T>().data();
    const T* const gradients = gradient.data<T>().data();
    T* const to = output.mutable_data<T>().data();
    const int64_t n = matrices.rows;
    ForEachMatrix(context.pool(), matrices.batch.elements(), 3 * n * n * n + 16, [&](int64_t i) {
      const ConstMap<T> read(factors + i * n * n, n, n);
      const auto lower = read.template triangularView<Eigen::Lower>();
      EigenMatrix<T> inner = ConstMap<T>(gradients + i * n * n, n, n).template triangularView<Eigen::Lower>();
      const EigenMatrix<T> whole = lower.transpose() * inner;
      inner = whole.template triangularView<Eigen::Lower>();
      inner.diagonal() *= T(0.5);
      lower.transpose().solveInPlace(inner);
      lower.template solveInPlace<Eigen::OnTheRight>(inner);
      MutableMap<T>(to + i * n * n, n, n) = T(0.5) * (inner + inner.transpose());
    });
  }
};

constexpr KernelRow kRows[] = {
    {"Cholesky", MakeFor<CholeskyKernel, LinalgTypes>},
    {"BatchCholesky", MakeFor<CholeskyKernel, LinalgTypes>},
    {"CholeskyGrad", MakeFor<CholeskyGradKernel, Types<float, double>>},
    {"BatchCholeskyGrad", MakeFor<CholeskyGradKernel, Types<float, double>>},
};

}  // namespace

std::span<const KernelRow> LinalgCholesky() { return kRows; }

}  // namespace plumb::fast::cpu
