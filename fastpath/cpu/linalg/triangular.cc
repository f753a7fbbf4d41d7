// MatrixTriangularSolve by Eigen's substitution; batch dimensions broadcast.
#include "fastpath/cpu/linalg/batches.h"
#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class MatrixTriangularSolveKernel : public Kernel {
 public:
  explicit MatrixTriangularSolveKernel(const Node& node)
      : lower_(GetAttr<bool>(node.attrs, "lower")), adjoint_(GetAttr<bool>(node.attrs, "adjoint")) {}

  void Run(KernelContext& context) override {
    const Tensor &a = context.input(0), &b = context.input(1);
    const Matrices left = SquareMatrices(a), right(b);
    Require(left.rows == right.rows, "the matrices ", Printed(a.shape()), " and the right-hand sides ",
            Printed(b.shape()), " do not fit");
    const Shape batch = BroadcastBatch(left.batch, right.batch);
    Dims dims(batch);
    dims.Append(right.rows);
    dims.Append(right.columns);
    Tensor& x = context.AllocateOutput(0, DTypeOf<T>, dims.ToShape());
    if (x.elements() == 0) return;
    const T *const from = a.data<T>().data(), *const sides = b.data<T>().data();
    T* const to = x.mutable_data<T>().data();
    const int64_t n = right.rows;
    ForEachMatrix(context.pool(), batch.elements(), n * n * right.columns, [&](int64_t i) {
      const ConstMap<T> triangle(from + NumberIn(left.batch, batch, i) * left.size(), n, n);
      MutableMap<T> result(to + i * right.size(), n, right.columns);
      result = ConstMap<T>(sides + NumberIn(right.batch, batch, i) * right.size(), n, right.columns);
      Substitute(triangle, result);
    });
  }

 private:
  void Substitute(const ConstMap<T>& triangle, MutableMap<T>& x) const {
    if (lower_ && !adjoint_) triangle.template triangularView<Eigen::Lower>().solveInPlace(x);
    if (!lower_ && !adjoint_) triangle.template triangularView<Eigen::Upper>().solveInPlace(x);
    if (lower_ && adjoint_) triangle.template triangularView<Eigen::Lower>().adjoint().solveInPlace(x);
    if (!lower_ && adjoint_) triangle.template triangularView<Eigen::Upper>().adjoint().solveInPlace(x);
  }

  const bool lower_;
  const bool adjoint_;
};

constexpr KernelRow kRows[] = {
    {"MatrixTriangularSolve", MakeFor<MatrixTriangularSolveKernel, LinalgTypes>},
    {"BatchMatrixTriangularSolve", MakeFor<MatrixTriangularSolveKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgTriangular() { return kRows; }

}  // namespace plumb::fast::cpu
