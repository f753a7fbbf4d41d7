// MatrixSolve and MatrixInverse by Eigen's LU decomposition with partial pivoting.
#include <Eigen/LU>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/invertible.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
Eigen::PartialPivLU<EigenMatrix<T>> Factored(const T* data, int64_t n, bool adjoint) {
  const ConstMap<T> a(data, n, n);
  Eigen::PartialPivLU<EigenMatrix<T>> lu(n);
  if (adjoint) {
    lu.compute(a.adjoint());
  } else {
    lu.compute(a);
  }
  Require(IsInvertible(lu), "Input matrix is not invertible.");
  return lu;
}

template <class T>
class MatrixSolveKernel : public Kernel {
 public:
  explicit MatrixSolveKernel(const Node& node) : adjoint_(GetAttr<bool>(node.attrs, "adjoint")) {}

  void Run(KernelContext& context) override {
    const Tensor &a = context.input(0), &b = context.input(1);
    const Matrices left = SquareMatrices(a), right(b);
    Require(left.batch == right.batch && left.rows == right.rows, "the matrices ", Printed(a.shape()),
            " and the right-hand sides ", Printed(b.shape()), " do not fit");
    Tensor& x = context.AllocateOutput(0, DTypeOf<T>, b.shape());
    if (x.elements() == 0) return;
    const T *const from = a.data<T>().data(), *const sides = b.data<T>().data();
    T* const to = x.mutable_data<T>().data();
    const int64_t n = left.rows, work = n * n * (n + right.columns);
    ForEachMatrix(context.pool(), left.batch.elements(), work, [&](int64_t i) {
      const ConstMap<T> side(sides + i * right.size(), n, right.columns);
      MutableMap<T>(to + i * right.size(), n, right.columns) =
          Factored(from + i * left.size(), n, adjoint_).solve(side);
    });
  }

 private:
  const bool adjoint_;
};

template <class T>
class MatrixInverseKernel : public Kernel {
 public:
  explicit MatrixInverseKernel(const Node& node) : adjoint_(GetAttr<bool>(node.attrs, "adjoint")) {}

  void Run(KernelContext& context) override {
    const Tensor& a = context.input(0);
    const Matrices matrices = SquareMatrices(a);
    Tensor& inverse = context.AllocateOutput(0, DTypeOf<T>, a.shape());
    if (inverse.elements() == 0) return;
    if constexpr (kIsFloat16<T>) {
      const Tensor wide = AsFloat(context.pool(), a);
      Tensor result = Allocate(DType::kFloat, a.shape());
      Invert<float>(context.pool(), matrices, wide, result);
      RoundInto(context.pool(), result, inverse);
    } else {
      Invert<T>(context.pool(), matrices, a, inverse);
    }
  }

 private:
  template <class S>
  void Invert(ThreadPool& pool, const Matrices& matrices, const Tensor& from, Tensor& to) const {
    const S* const a = from.data<S>().data();
    S* const inverse = to.mutable_data<S>().data();
    const int64_t n = matrices.rows;
    ForEachMatrix(pool, matrices.batch.elements(), 2 * n * n * n, [&](int64_t i) {
      MutableMap<S>(inverse + i * n * n, n, n) = Factored(a + i * n * n, n, adjoint_).inverse();
    });
  }

  const bool adjoint_;
};

constexpr KernelRow kRows[] = {
    {"MatrixInverse", MakeFor<MatrixInverseKernel, decltype(LinalgTypes() + Types<Half>())>},
    {"BatchMatrixInverse", MakeFor<MatrixInverseKernel, decltype(LinalgTypes() + Types<Half>())>},
    {"MatrixSolve", MakeFor<MatrixSolveKernel, LinalgTypes>},
    {"BatchMatrixSolve", MakeFor<MatrixSolveKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgSolve() { return kRows; }

}  // namespace plumb::fast::cpu
