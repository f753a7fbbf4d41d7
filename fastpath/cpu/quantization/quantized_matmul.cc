// QuantizedMatMul: a product of whole numbers modulo 2^32, by the matrix product of int32.
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/linear/gemm.h"
#include "fastpath/cpu/quantization/products.h"

namespace plumb::fast::cpu {
namespace {

class QuantizedMatMulKernel final : public Kernel {
 public:
  explicit QuantizedMatMulKernel(const Node& node)
      : transpose_a_(GetAttr<bool>(node.attrs, "transpose_a")),
        transpose_b_(GetAttr<bool>(node.attrs, "transpose_b")) {}

  void Run(KernelContext& context) override {
    const Tensor &a = context.input(0), &b = context.input(1);
    const FactorRange<uint8_t> range_a{ScalarFloat(context, 2), OneFloat(context, 3)};
    const FactorRange<uint8_t> range_b{OneFloat(context, 4), OneFloat(context, 5)};
    range_a.Require();
    range_b.Require();
    Require(a.rank() == 2 && b.rank() == 2, "a and b must be matrices, not of shapes ", Printed(a.shape()), " and ",
            Printed(b.shape()));
    const int64_t m = a.dim(transpose_a_ ? 1 : 0), k = a.dim(transpose_a_ ? 0 : 1), n = b.dim(transpose_b_ ? 0 : 1);
    Require(k == b.dim(transpose_b_ ? 1 : 0), "the inner dimensions of ", Printed(a.shape()),
            transpose_a_ ? " (transposed)" : "", " and ", Printed(b.shape()), transpose_b_ ? " (transposed)" : "",
            " differ");
    const Tensor left = CenteredCodes(context.pool(), a, range_a.Zero());
    const Tensor right = CenteredCodes(context.pool(), b, range_b.Zero());
    Qint32* const product = context.AllocateOutput(0, DType::kQint32, {m, n}).mutable_data<Qint32>().data();
    static_assert(sizeof(Qint32) == sizeof(int32_t));
    Gemm(context.pool(), DenseGemm(m, n, k, transpose_a_, transpose_b_), left.data<int32_t>().data(),
         right.data<int32_t>().data(), reinterpret_cast<int32_t*>(product));
    OutputProductRange(context, range_a, range_b);
  }

 private:
  const bool transpose_a_;
  const bool transpose_b_;
};

constexpr KernelRow kRows[] = {
    {"QuantizedMatMul", Make<QuantizedMatMulKernel>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizedMatmul() { return kRows; }

}  // namespace plumb::fast::cpu
