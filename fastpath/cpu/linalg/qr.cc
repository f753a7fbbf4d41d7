// Qr by Eigen's Householder reflections.
#include <Eigen/QR>
#include <cmath>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class QrKernel : public Kernel {
 public:
  explicit QrKernel(const Node& node) : full_(GetAttr<bool>(node.attrs, "full_matrices")) {}

  void Run(KernelContext& context) override {
    const Tensor& a = context.input(0);
    const Matrices matrices(a);
    const int64_t m = matrices.rows, n = matrices.columns, inner = full_ ? m : std::min(m, n);
    const Shape left = Stacked(matrices.batch, {m, inner}), right = Stacked(matrices.batch, {inner, n});
    Tensor &q = context.AllocateOutput(0, DTypeOf<T>, left), &r = context.AllocateOutput(1, DTypeOf<T>, right);
    if (q.elements() == 0) return;
    if constexpr (kIsFloat16<T>) {
      const Tensor wide = AsFloat(context.pool(), a);
      Tensor wide_q = Allocate(DType::kFloat, left), wide_r = Allocate(DType::kFloat, right);
      Factor<float>(context.pool(), matrices, inner, wide, wide_q, wide_r);
      RoundInto(context.pool(), wide_q, q);
      RoundInto(context.pool(), wide_r, r);
    } else {
      Factor<T>(context.pool(), matrices, inner, a, q, r);
    }
  }

 private:
  template <class U>
  static void Factor(ThreadPool& pool, const Matrices& matrices, int64_t inner, const Tensor& a, Tensor& q, Tensor& r) {
    const int64_t m = matrices.rows, n = matrices.columns;
    const U* const from = a.data<U>().data();
    U* const to_q = q.mutable_data<U>().data();
    U* const to_r = r.mutable_data<U>().data();
    ForEachMatrix(pool, matrices.batch.elements(), 4 * m * (n + 1) * inner, [&](int64_t i) {
      using Matrix = EigenMatrix<Within<U>>;
      const Eigen::HouseholderQR<Matrix> qr(ConstMap<U>(from + i * m * n, m, n).template cast<Within<U>>());
      Matrix columns = Matrix::Identity(m, inner);
      columns.applyOnTheLeft(qr.householderQ());
      MutableMap<U>(to_q + i * m * inner, m, inner) = columns.template cast<U>();
      const Matrix triangle = qr.matrixQR().topRows(inner).template triangularView<Eigen::Upper>();
      MutableMap<U>(to_r + i * inner * n, inner, n) = triangle.template cast<U>();
    });
  }

  const bool full_;
};

constexpr KernelRow kRows[] = {
    {"Qr", MakeFor<QrKernel, decltype(LinalgTypes() + Types<Half>())>},
};

}  // namespace

std::span<const KernelRow> LinalgQr() { return kRows; }

}  // namespace plumb::fast::cpu
