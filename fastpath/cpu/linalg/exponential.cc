// Exponentials of square matrices by scaling, Padé's quotient and squaring, in double.
#include <Eigen/LU>
#include <cmath>
#include <type_traits>

#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
using WideOf = std::conditional_t<std::is_floating_point_v<T>, double, std::complex<double>>;
// Matrices up to kSmall rows have room in themselves, where a large one's is allocated.
constexpr int kSmall = 8;
template <class W, bool small>
using Square = Eigen::Matrix<W, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, small ? kSmall : Eigen::Dynamic,
                             small ? kSmall : Eigen::Dynamic>;
constinit ChoicePoint is_large("matrix exponential: a small matrix, or a large one");

// Of degree 8, for a matrix whose norm is a half at most: what is left of the exponential is below the last bit. The
// odd powers, of which the denominator has the negative ones, are x times a sum of even ones.
template <class M>
M Quotient(const M& x) {
  constexpr int kDegree = 8;
  const M one = M::Identity(x.rows(), x.cols()), square = x * x;
  M even = one, odd = one / 2, power = one, next;
  double weight = 0.5;
  for (int k = 2; k <= kDegree; ++k) {
    weight *= static_cast<double>(kDegree - k + 1) / (k * (2 * kDegree - k + 1));
    if (k % 2 != 0) {
      odd += weight * power;
      continue;
    }
    if (k == 2) {
      power = square;
    } else {
      next.noalias() = power * square;
      power.swap(next);
    }
    even += weight * power;
  }
  next.noalias() = odd * x;
  return (even - next).partialPivLu().solve(even + next);
}

template <class M>
M Exponential(const M& a) {
  if (!a.allFinite()) return M::Constant(a.rows(), a.cols(), typename M::Scalar(NAN));
  const double norm = a.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = norm > 0.5 && std::isfinite(norm) ? std::ilogb(norm) + 2 : 0;
  M power = Quotient<M>(a * std::ldexp(1.0, -halvings)), next;
  for (int i = 0; i < halvings; ++i) {
    next.noalias() = power * power;
    power.swap(next);
  }
  return power;
}

template <class T>
class MatrixExponentialKernel : public Kernel {
 public:
  explicit MatrixExponentialKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& a = context.input(0);
    const Matrices matrices = SquareMatrices(a);
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, a.shape());
    if (a.elements() == 0) return;
    const T* const from = a.data<T>().data();
    T* const to = output.mutable_data<T>().data();
    const auto run = is_large.Chosen(matrices.rows > kSmall) ? RunAs<false> : RunAs<true>;
    run(context.pool(), matrices, from, to);
  }

 private:
  template <bool small>
  static void RunAs(ThreadPool& pool, const Matrices& matrices, const T* from, T* to) {
    using W = WideOf<T>;
    const int64_t n = matrices.rows;
    ForEachMatrix(pool, matrices.batch.elements(), 20 * n * n * n + 64, [&](int64_t i) {
      const Square<W, small> matrix = ConstMap<T>(from + i * n * n, n, n).template cast<W>();
      MutableMap<T>(to + i * n * n, n, n) = Exponential(matrix).template cast<T>();
    });
  }
};

constexpr KernelRow kRows[] = {
    {"MatrixExponential", MakeFor<MatrixExponentialKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgExponential() { return kRows; }

}  // namespace plumb::fast::cpu
