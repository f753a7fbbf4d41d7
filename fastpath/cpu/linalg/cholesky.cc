// Cholesky by Eigen's decomposition.
#include <Eigen/Cholesky>
#include <cmath>

#include "fastpath/cpu/linalg/eigen_maps.h"
#include "fastpath/cpu/linalg/matrices.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class CholeskyKernel : public Kernel {
 public:
  explicit CholeskyKernel(const Node& node) : node_(node.name) {}

  void Run(KernelContext& context) override {
    const Tensor& a = context.input(0);
    const Matrices matrices = SquareMatrices(node_, a);
    Tensor& l = context.AllocateOutput(0, DTypeOf<T>, a.shape());
    if (l.elements() == 0) return;
    const T* const from = a.data<T>().data();
    T* const to = l.mutable_data<T>().data();
    const int64_t n = matrices.rows;
    ForEachMatrix(context.pool(), matrices.batch.elements(), n * n * n / 3 + 16, [&](int64_t i) {
      const Eigen::LLT<EigenMatrix<T>> factored(ConstMap<T>(from + i * n * n, n, n));
      MutableMap<T> factor(to + i * n * n, n, n);
      factor = factored.matrixL();
      if (factored.info() == Eigen::Success) return;
      factor.setZero();
      factor.template triangularView<Eigen::Lower>().setConstant(T(NAN));
    });
  }

 private:
  const std::string node_;
};

constexpr KernelRow kRows[] = {
    {"Cholesky", MakeFor<CholeskyKernel, LinalgTypes>},
};

}  // namespace

std::span<const KernelRow> LinalgCholesky() { return kRows; }

}  // namespace plumb::fast::cpu
