// Exponentials of square matrices by scaling, Padé's quotient and squaring, in double.
#include <Eigen/LU>
#include <cmath>
#include <type_traits>

#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
using WideOf = std::conditional_t<std::is_floating_point_v<T>, double, std::complex<double>>;
template <class W>
using Square = Eigen::Matrix<W, Eigen::Dynamic, Eigen::Dynamic>;

// Of degree 8, for a matrix whose norm is a half at most: what is left of the exponential is below the last bit.
template <class W>
Square<W> Quotient(const Square<W>& x) {
  constexpr int kDegree = 8;
  Square<W> power = Square<W>::Identity(x.rows(), x.cols());
  Square<W> above = power, below = power;
  double weight = 1;
  for (int k = 1; k <= kDegree; ++k) {
    weight *= static_cast<double>(kDegree - k + 1) / (k * (2 * kDegree - k + 1));
    power = power * x;
    above += weight * power;
    below += (k % 2 == 0 ? weight : -weight) * power;
  }
  return below.partialPivLu().solve(above);
}

template <class W>
Square<W> Exponential(const Square<W>& a) {
  if (!a.allFinite()) return Square<W>::Constant(a.rows(), a.cols(), W(NAN));
  const double norm = a.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = norm > 0.5 && std::isfinite(norm) ? std::ilogb(norm) + 2 : 0;
  Square<W> power = Quotient<W>(a * std::ldexp(1.0, -halvings));
  for (int i = 0; i < halvings; ++i) power = power * power;
  return power;
}

template <class T>
class MatrixExponentialKernel : public Kernel {
 public:
  explicit MatrixExponentialKernel(const Node& node) : node_(node.name) {}

  void Run(KernelContext& context) override {
    using W = WideOf<T>;
    const Tensor& a = context.input(0);
    const Matrices matrices = SquareMatrices(node_, a);
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, a.shape());
    if (a.elements() == 0) return;
    const T* const from = a.data<T>().data();
    T* const to = output.mutable_data<T>().data();
    const int64_t n = matrices.rows;
    ForEachMatrix(context.pool(), matrices.batch.elements(), 20 * n * n * n + 64, [&](int64_t i) {
      const Square<W> matrix = ConstMap<T>(from + i * n * n, n, n).template cast<W>();
      MutableMap<T>(to + i * n * n, n, n) = Exponential<W>(matrix).template cast<T>();
    });
  }

 private:
  const std::string node_;
};

constexpr KernelRow kRows[] = {
    {"MatrixExponential", MakeFor<MatrixExponentialKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgExponential() { return kRows; }

}  // namespace plumb::fast::cpu
