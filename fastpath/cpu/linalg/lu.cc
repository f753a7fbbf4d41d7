// Lu by Eigen's decomposition with partial pivoting.
#include <Eigen/LU>

#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/invertible.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class LuKernel : public Kernel {
 public:
  explicit LuKernel(const Node &node) : index_(OutputType(node, 1)) {}

  void Run(KernelContext &context) override {
    if (index_ == DType::kInt64) {
      Factor<int64_t>(context);
    } else {
      Factor<int32_t>(context);
    }
  }

 private:
  template <class I>
  void Factor(KernelContext &context) const {
    const Tensor &a = context.input(0);
    const Matrices matrices = SquareMatrices(a);
    const int64_t n = matrices.rows;
    Tensor &factors = context.AllocateOutput(0, DTypeOf<T>, a.shape());
    Tensor &order = context.AllocateOutput(1, DTypeOf<I>, Stacked(matrices.batch, {n}));
    if (a.elements() == 0) return;
    const T *const from = a.data<T>().data();
    T *const to = factors.mutable_data<T>().data();
    I *const p = order.mutable_data<I>().data();
    ForEachMatrix(context.pool(), matrices.batch.elements(), n * n * n + 16, [&](int64_t i) {
      const Eigen::PartialPivLU<EigenMatrix<T>> lu{ConstMap<T>(from + i * n * n, n, n)};
      Require(IsInvertible(lu), "Input is not invertible.");
      MutableMap<T>(to + i * n * n, n, n) = lu.matrixLU();
      // Row `row` of the input became row `moved_to(row)`.
      const auto &moved_to = lu.permutationP().indices();
      for (int64_t row = 0; row < n; ++row) p[i * n + moved_to(row)] = static_cast<I>(row);
    });
  }

  const DType index_;
};

constexpr KernelRow kRows[] = {
    {"Lu", MakeFor<LuKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgLu() { return kRows; }

}  // namespace plumb::fast::cpu
