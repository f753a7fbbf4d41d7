// Eigenvalues of square matrices by Eigen's solvers, by ascending absolute values as TensorFlow gives them.
#include <Eigen/Eigenvalues>
#include <cmath>
#include <numeric>

#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
struct SolverOf {
  using Real = T;
  using Type = Eigen::EigenSolver<EigenMatrix<Wide<T>>>;
};
template <class R>
struct SolverOf<std::complex<R>> {
  using Real = R;
  using Type = Eigen::ComplexEigenSolver<EigenMatrix<std::complex<Wide<R>>>>;
};

// A power of two near the largest part of an element: products of what it divides do not overflow.
template <class T>
typename SolverOf<T>::Real ScaleOf(const ConstMap<T>& a) {
  using R = typename SolverOf<T>::Real;
  const R largest = std::max(a.real().cwiseAbs().maxCoeff(), a.imag().cwiseAbs().maxCoeff());
  if (largest == 0) return 1;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(R(1), std::max(exponent - 1, std::numeric_limits<R>::min_exponent));
}

template <class T>
class EigKernel : public Kernel {
 public:
  explicit EigKernel(const Node& node) : wants_vectors_(GetAttr<bool>(node.attrs, "compute_v")) {}

  void Run(KernelContext& context) override {
    const Tensor& a = context.input(0);
    const Matrices matrices = SquareMatrices(a);
    const int64_t n = matrices.rows;
    Tensor& values = context.AllocateOutput(0, DTypeOf<Number>, Stacked(matrices.batch, {n}));
    Tensor& vectors = context.AllocateOutput(1, DTypeOf<Number>, wants_vectors_ ? a.shape() : Shape({0}));
    if (a.elements() == 0) return;
    const T* const from = a.data<T>().data();
    Number* const e = values.mutable_data<Number>().data();
    Number* const v = vectors.mutable_data<Number>().data();
    ForEachMatrix(context.pool(), matrices.batch.elements(), 25 * n * n * n + 16, [&](int64_t i) {
      Solve(ConstMap<T>(from + i * n * n, n, n), e + i * n, wants_vectors_ ? v + i * n * n : nullptr);
    });
  }

 private:
  using Real = typename SolverOf<T>::Real;
  using Number = std::complex<Real>;

  static void Solve(const ConstMap<T>& matrix, Number* e, Number* v) {
    const int64_t n = matrix.rows();
    constexpr auto kRefusal = "Eigen decomposition was not successful. The input might not be valid.";
    Require(matrix.allFinite(), kRefusal);
    if (n == 1) {
      *e = matrix(0, 0);
      if (v != nullptr) *v = 1;
      return;
    }
    const Wide<Real> scale = ScaleOf<T>(matrix);
    const typename SolverOf<T>::Type solver(matrix.template cast<Wide<T>>() / Wide<T>(scale), v != nullptr);
    Require(solver.info() == Eigen::Success, kRefusal);
    std::vector<int64_t> order(static_cast<size_t>(n));
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
      return std::abs(solver.eigenvalues()(i)) < std::abs(solver.eigenvalues()(j));
    });
    for (int64_t i = 0; i < n; ++i) e[i] = Number(solver.eigenvalues()(order[static_cast<size_t>(i)]) * scale);
    if (v == nullptr) return;
    const auto& found = solver.eigenvectors();
    MutableMap<Number> to(v, n, n);
    for (int64_t i = 0; i < n; ++i) to.col(i) = found.col(order[static_cast<size_t>(i)]).template cast<Number>();
  }

  const bool wants_vectors_;
};

std::unique_ptr<Kernel> MakeEig(const Node& node) {
  const DType from = InputType(node, 0), to = OutputType(node, 0);
  if (from == DType::kFloat && to == DType::kComplex64) return std::make_unique<EigKernel<float>>(node);
  if (from == DType::kDouble && to == DType::kComplex128) return std::make_unique<EigKernel<double>>(node);
  if (from == to && to == DType::kComplex64) return std::make_unique<EigKernel<std::complex<float>>>(node);
  if (from == to && to == DType::kComplex128) return std::make_unique<EigKernel<std::complex<double>>>(node);
  ThrowNoKernel(node);
}

constexpr KernelRow kRows[] = {
    {"Eig", MakeEig},
};

}  // namespace

std::span<const KernelRow> LinalgGeneralEigen() { return kRows; }

}  // namespace plumb::fast::cpu
