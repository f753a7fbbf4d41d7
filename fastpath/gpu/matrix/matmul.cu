// Products of two matrices.
#include "fastpath/gpu/lib/gemm.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class MatMul final : public GpuKernel {
 public:
  explicit MatMul(const Node& node)
      : transpose_x_(GetAttr<bool>(node.attrs, "transpose_a")),
        transpose_y_(GetAttr<bool>(node.attrs, "transpose_b")) {}

  void Run(GpuContext& context) override {
    const Tensor &x = context.input(0), &y = context.input(1);
    const Shape shape = context.OutputShape(0);
    Tensor out = context.AllocateOutput(0, shape);
    const int64_t inner = x.dim(transpose_x_ ? 0 : 1);
    if (inner == 0) return context.Clear(out);
    if (out.elements() == 0) return;
    Gemm(context, x.dtype(), {shape[0], shape[1], inner, 1}, {x.raw(), transpose_x_}, {y.raw(), transpose_y_},
         out.mutable_raw());
  }

 private:
  const bool transpose_x_, transpose_y_;
};

constexpr GpuKernelRow kRows[] = {
    {"MatMul", Make<MatMul>},
};

}  // namespace

std::span<const GpuKernelRow> MatrixMatmul() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
