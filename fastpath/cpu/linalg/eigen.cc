// Eigenvalues of Hermitian matrices by Eigen's solver. The signs of vectors are those that it finds.
#include <Eigen/Eigenvalues>

#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
bool HasFiniteTriangle(const ConstMap<T>& a) {
  for (int64_t i = 0; i < a.rows(); ++i) {
    if (!a.row(i).head(i + 1).allFinite()) return false;
  }
  return true;
}

template <class T>
using Solver = Eigen::SelfAdjointEigenSolver<EigenMatrix<Within<T>>>;

template <class T>
Solver<T> Decomposed(const ConstMap<T>& matrix, bool wants_vectors) {
  constexpr auto kRefusal = "Self-adjoint eigen decomposition was not successful. The input might not be valid.";
  Require(matrix.rows() == 1 || HasFiniteTriangle(matrix), kRefusal);
  Solver<T> solver(matrix.template cast<Within<T>>(),
                   wants_vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
  Require(solver.info() == Eigen::Success, kRefusal);
  return solver;
}

template <class T>
class SelfAdjointEigKernel : public Kernel {
 public:
  explicit SelfAdjointEigKernel(const Node& node) : wants_vectors_(GetAttr<bool>(node.attrs, "compute_v")) {}

  void Run(KernelContext& context) override {
    const Tensor& a = context.input(0);
    const Matrices matrices = SquareMatrices(a);
    const int64_t n = matrices.rows;
    Tensor& values = context.AllocateOutput(0, DTypeOf<T>, Stacked(matrices.batch, {n}));
    Tensor& vectors = context.AllocateOutput(1, DTypeOf<T>, wants_vectors_ ? a.shape() : Shape({0}));
    if (a.elements() == 0) return;
    const T* const from = a.data<T>().data();
    T* const e = values.mutable_data<T>().data();
    T* const v = vectors.mutable_data<T>().data();
    ForEachMatrix(context.pool(), matrices.batch.elements(), 9 * n * n * n + 16, [&](int64_t i) {
      const Solver<T> solver = Decomposed(ConstMap<T>(from + i * n * n, n, n), wants_vectors_);
      MutableMap<T>(e + i * n, n, 1) = solver.eigenvalues().template cast<T>();
      if (wants_vectors_) MutableMap<T>(v + i * n * n, n, n) = solver.eigenvectors().template cast<T>();
    });
  }

 private:
  const bool wants_vectors_;
};

// The first version: the values as a row above the vectors.
template <class T>
class SelfAdjointEigV1Kernel : public Kernel {
 public:
  explicit SelfAdjointEigV1Kernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& a = context.input(0);
    const Matrices matrices = SquareMatrices(a);
    const int64_t n = matrices.rows;
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, Stacked(matrices.batch, {n + 1, n}));
    if (a.elements() == 0) return;
    const T* const from = a.data<T>().data();
    T* const to = output.mutable_data<T>().data();
    ForEachMatrix(context.pool(), matrices.batch.elements(), 9 * n * n * n + 16, [&](int64_t i) {
      const Solver<T> solver = Decomposed(ConstMap<T>(from + i * n * n, n, n), /*wants_vectors=*/true);
      MutableMap<T> both(to + i * (n + 1) * n, n + 1, n);
      both.row(0) = solver.eigenvalues().transpose();
      both.bottomRows(n) = solver.eigenvectors();
    });
  }
};

constexpr KernelRow kRows[] = {
    {"SelfAdjointEig", MakeFor<SelfAdjointEigV1Kernel, Types<float, double>>},
    {"BatchSelfAdjointEig", MakeFor<SelfAdjointEigV1Kernel, Types<float, double>>},
    {"SelfAdjointEigV2", MakeFor<SelfAdjointEigKernel, LinalgTypes>},
    {"BatchSelfAdjointEigV2", MakeFor<SelfAdjointEigKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgEigen() { return kRows; }

}  // namespace plumb::fast::cpu
