// MatMul. The product itself is in ../lib/linear/gemm.h.
#include "fastpath/cpu/lib/linear/gemm.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class MatMulKernel : public Kernel {
 public:
  explicit MatMulKernel(const Node& node)
      : transpose_a_(GetAttr<bool>(node.attrs, "transpose_a")),
        transpose_b_(GetAttr<bool>(node.attrs, "transpose_b")) {}

  void Run(KernelContext& context) override {
    const Tensor &a = context.input(0), &b = context.input(1);
    Require(a.rank() == 2, "a must be a matrix, not of shape ", Printed(a.shape()));
    Require(b.rank() == 2, "b must be a matrix, not of shape ", Printed(b.shape()));
    const int64_t m = a.dim(transpose_a_ ? 1 : 0), k = a.dim(transpose_a_ ? 0 : 1);
    const int64_t n = b.dim(transpose_b_ ? 0 : 1);
    Require(k == b.dim(transpose_b_ ? 1 : 0), "the inner dimensions of ", Printed(a.shape()),
            transpose_a_ ? " (transposed)" : "", " and ", Printed(b.shape()), transpose_b_ ? " (transposed)" : "",
            " differ");
    Tensor& product = context.AllocateOutput(0, DTypeOf<T>, {m, n});
    Gemm(context.pool(), DenseGemm(m, n, k, transpose_a_, transpose_b_), a.data<T>().data(), b.data<T>().data(),
         product.mutable_data<T>().data());
  }

 private:
  const bool transpose_a_;
  const bool transpose_b_;
};

constexpr KernelRow kRows[] = {
    {"MatMul", MakeFor<MatMulKernel, MatrixTypes>},
};

}  // namespace

std::span<const KernelRow> MatrixMatmul() { return kRows; }

}  // namespace plumb::fast::cpu
