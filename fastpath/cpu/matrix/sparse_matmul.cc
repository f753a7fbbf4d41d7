// SparseMatMul as a dense product in float.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/linear/gemm.h"
#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {
namespace {

class SparseMatMul final : public Kernel {
 public:
  explicit SparseMatMul(const Node& node)
      : node_(node.name),
        transpose_a_(GetAttr<bool>(node.attrs, "transpose_a")),
        transpose_b_(GetAttr<bool>(node.attrs, "transpose_b")) {}

  void Run(KernelContext& context) override {
    for (int i = 0; i < 2; ++i) {
      Require(context.input(i).rank() == 2, "node ", node_, ": input ", i, " must be a matrix, not of shape ",
              Printed(context.input(i).shape()));
    }
    const Tensor a = AsFloat(context.pool(), context.input(0)), b = AsFloat(context.pool(), context.input(1));
    const int64_t m = a.dim(transpose_a_ ? 1 : 0), k = a.dim(transpose_a_ ? 0 : 1), n = b.dim(transpose_b_ ? 0 : 1);
    Require(k == b.dim(transpose_b_ ? 1 : 0), "node ", node_, ": the inner dimensions of ", Printed(a.shape()), " and ",
            Printed(b.shape()), " differ");
    Tensor& product = context.AllocateOutput(0, DType::kFloat, {m, n});
    Gemm(context.pool(), DenseGemm(m, n, k, transpose_a_, transpose_b_), a.data<float>().data(), b.data<float>().data(),
         product.mutable_data<float>().data());
  }

 private:
  const std::string node_;
  const bool transpose_a_;
  const bool transpose_b_;
};

constexpr KernelRow kRows[] = {
    {"SparseMatMul", Make<SparseMatMul>},
};

}  // namespace

std::span<const KernelRow> MatrixSparseMatmul() { return kRows; }

}  // namespace plumb::fast::cpu
