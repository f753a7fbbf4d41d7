// Square roots and logarithms of matrices by Schur's form, in double: roots of a matrix far from normal lose half of
// its digits.
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

using Wide = Eigen::MatrixXcd;

// The root of an upper triangle, column by column.
Wide RootOfTriangle(const Wide& t) {
  const Eigen::Index n = t.rows();
  Wide root = Wide::Zero(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    root(j, j) = std::sqrt(t(j, j));
    for (Eigen::Index i = j - 1; i >= 0; --i) {
      std::complex<double> rest = t(i, j);
      for (Eigen::Index k = i + 1; k < j; ++k) rest -= root(i, k) * root(k, j);
      root(i, j) = rest / (root(i, i) + root(j, j));
    }
  }
  return root;
}

// Inverse scaling and squaring: roots of the triangle until it is near the identity, and the series of the area tangent
// there. NaN where the roots do not come near, as those of a singular matrix.
Wide LogarithmOfTriangle(Wide triangle) {
  constexpr int kMostRoots = 60, kTerms = 31;  // 0.15³¹ is below the last bit
  constexpr double kNear = 0.25;
  const Wide one = Wide::Identity(triangle.rows(), triangle.cols());
  double factor = 2;
  for (int roots = 0; !((triangle - one).cwiseAbs().rowwise().sum().maxCoeff() < kNear); ++roots, factor *= 2) {
    if (roots == kMostRoots) return Wide::Constant(triangle.rows(), triangle.cols(), NAN);
    triangle = RootOfTriangle(triangle);
  }
  const Wide sum = triangle + one;
  const Wide x = sum.triangularView<Eigen::Upper>().solve(triangle - one), square = x * x;
  Wide power = x, series = x;
  for (int k = 3; k < kTerms; k += 2) {
    power = power * square;
    series += power / static_cast<double>(k);
  }
  return factor * series;
}

// What an element of a real matrix becomes has no imaginary part beyond what was rounded.
bool IsReal(const Wide& value) {
  const double rounding = std::sqrt(std::numeric_limits<double>::epsilon());
  return !(value.imag().cwiseAbs().maxCoeff() > rounding * value.real().cwiseAbs().maxCoeff());
}

// f of each matrix; NaN where a matrix is not finite, which no iteration would end with, and where the result of a real
// one is complex.
template <class T, Wide (*OfTriangle)(const Wide&)>
class MatrixFunctionKernel : public Kernel {
 public:
  explicit MatrixFunctionKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& a = context.input(0);
    const Matrices matrices = SquareMatrices(a);
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, a.shape());
    if (a.elements() == 0) return;
    const T* const from = a.data<T>().data();
    T* const to = output.mutable_data<T>().data();
    const int64_t n = matrices.rows;
    ForEachMatrix(context.pool(), matrices.batch.elements(), 60 * n * n * n + 64, [&](int64_t i) {
      MutableMap<T> result(to + i * n * n, n, n);
      const Wide matrix = ConstMap<T>(from + i * n * n, n, n).template cast<std::complex<double>>();
      Wide value = Wide::Constant(n, n, NAN);
      if (matrix.allFinite()) {
        const Eigen::ComplexSchur<Wide> schur(matrix);
        if (schur.info() == Eigen::Success) {
          value = schur.matrixU() * OfTriangle(schur.matrixT()) * schur.matrixU().adjoint();
        }
      }
      if constexpr (std::is_floating_point_v<T>) {
        if (!IsReal(value)) value.setConstant(NAN);
        result = value.real().template cast<T>();
      } else {
        result = value.template cast<T>();
      }
    });
  }
};

Wide SquareRoot(const Wide& triangle) { return RootOfTriangle(triangle); }
Wide Logarithm(const Wide& triangle) { return LogarithmOfTriangle(triangle); }

template <class T>
using SquareRootKernel = MatrixFunctionKernel<T, SquareRoot>;
template <class T>
using LogarithmKernel = MatrixFunctionKernel<T, Logarithm>;

constexpr KernelRow kRows[] = {
    {"MatrixLogarithm", MakeFor<LogarithmKernel, ComplexTypes>},
    {"MatrixSquareRoot", MakeFor<SquareRootKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgFunctions() { return kRows; }

}  // namespace plumb::fast::cpu
