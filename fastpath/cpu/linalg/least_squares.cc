// MatrixSolveLs by normal equations and Cholesky's factor, or by Eigen's complete orthogonal decomposition.
#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <limits>

#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class MatrixSolveLsKernel : public Kernel {
 public:
  explicit MatrixSolveLsKernel(const Node& node) : fast_(GetAttr<bool>(node.attrs, "fast")) {}

  void Run(KernelContext& context) override {
    const Tensor &a = context.input(0), &b = context.input(1), &weight = context.input(2);
    const Matrices left(a), right(b);
    Require(left.batch == right.batch && left.rows == right.rows, "the matrices ", Printed(a.shape()),
            " and the right-hand sides ", Printed(b.shape()), " do not fit");
    Require(weight.rank() == 0, "l2_regularizer must be a scalar, not of shape ", Printed(weight.shape()));
    const double l2 = weight.data<double>()[0];
    Require(l2 >= 0, "l2_regularizer must not be negative, but is ", l2);
    const int64_t n = left.columns, k = right.columns;
    Tensor& x = context.AllocateOutput(0, DTypeOf<T>, Stacked(left.batch, {n, k}));
    if (x.elements() == 0) return;
    const T *const from = a.data<T>().data(), *const sides = b.data<T>().data();
    T* const to = x.mutable_data<T>().data();
    const int64_t least = std::min(left.rows, n), work = (fast_ ? 1 : 4) * (left.size() + 1) * (least + k);
    ForEachMatrix(context.pool(), left.batch.elements(), work, [&](int64_t i) {
      const ConstMap<T> matrix(from + i * left.size(), left.rows, n), side(sides + i * right.size(), left.rows, k);
      MutableMap<T> solution(to + i * n * k, n, k);
      if (left.rows == 0) {
        solution.setZero();
      } else if (!fast_) {
        solution = Decomposed(matrix).solve(side.template cast<Wide<T>>()).template cast<T>();
      } else if (left.rows >= n) {
        EigenMatrix<T> product = matrix.adjoint() * side;
        SolveDefinite(matrix.adjoint() * matrix, l2, product);
        solution = product;
      } else {
        EigenMatrix<T> inner = side;
        SolveDefinite(matrix * matrix.adjoint(), l2, inner);
        solution = matrix.adjoint() * inner;
      }
    });
  }

 private:
  // The rank is what T can tell, whatever is computed in.
  static auto Decomposed(const ConstMap<T>& matrix) {
    using Real = typename Eigen::NumTraits<T>::Real;
    Eigen::CompleteOrthogonalDecomposition<EigenMatrix<Wide<T>>> decomposition(matrix.rows(), matrix.cols());
    decomposition.setThreshold(std::numeric_limits<Real>::epsilon() * Real(std::min(matrix.rows(), matrix.cols())));
    decomposition.compute(matrix.template cast<Wide<T>>());
    return decomposition;
  }

  static void SolveDefinite(EigenMatrix<T> gram, double l2, EigenMatrix<T>& side) {
    if (l2 > 0) gram.diagonal().array() += T(l2);
    const Eigen::LLT<EigenMatrix<T>> factor(gram);
    Require(factor.info() == Eigen::Success,
            "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide a larger "
            "l2_regularizer > 0.");
    factor.solveInPlace(side);
  }

  const bool fast_;
};

constexpr KernelRow kRows[] = {
    {"MatrixSolveLs", MakeFor<MatrixSolveLsKernel, LinalgTypes>},
    {"BatchMatrixSolveLs", MakeFor<MatrixSolveLsKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgLeastSquares() { return kRows; }

}  // namespace plumb::fast::cpu
