// Products of many matrices, whose outer axes are broadcast.
#include "fastpath/gpu/lib/gemm.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/walk.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

Shape OuterOf(const Shape& shape) { return Shape(shape.dims().subspan(0, static_cast<size_t>(shape.rank()) - 2)); }

const void* MatrixAt(const Tensor& tensor, int64_t matrix, int64_t elements) {
  return static_cast<const char*>(tensor.raw()) + static_cast<size_t>(matrix * elements) * ElementSize(tensor.dtype());
}

class BatchMatMul final : public GpuKernel {
 public:
  explicit BatchMatMul(const Node& node)
      : adjoint_x_(GetAttr<bool>(node.attrs, "adj_x")), adjoint_y_(GetAttr<bool>(node.attrs, "adj_y")) {}

  void Run(GpuContext& context) override {
    const Tensor &x = context.input(0), &y = context.input(1);
    const Shape shape = context.OutputShape(0);
    Tensor out = context.AllocateOutput(0, shape);
    GemmSize size;
    size.rows = shape[shape.rank() - 2];
    size.columns = shape[shape.rank() - 1];
    size.inner = x.dim(adjoint_x_ ? x.rank() - 2 : x.rank() - 1);
    if (size.inner == 0) return context.Clear(out);
    if (out.elements() == 0) return;
    const Shape outer = OuterOf(shape);
    const Walk walk = BroadcastWalk(OuterOf(x.shape()), OuterOf(y.shape()), outer);
    Multiply(context, size, walk, outer.elements(), out);
  }

 private:
  // The products of the innermost axis at once; the others one after the other.
  void Multiply(GpuContext& context, GemmSize size, const Walk& walk, int64_t products, Tensor& out) const {
    const Tensor &x = context.input(0), &y = context.input(1);
    const int64_t x_elements = size.rows * size.inner, y_elements = size.inner * size.columns;
    const int inmost = walk.rank - 1;
    size.count = walk.rank == 0 ? 1 : walk.size[inmost];
    const int64_t x_step = walk.rank == 0 ? 0 : walk.stride[0][inmost] * x_elements;
    const int64_t y_step = walk.rank == 0 ? 0 : walk.stride[1][inmost] * y_elements;
    for (int64_t first = 0; first < products; first += size.count) {
      Gemm(context, x.dtype(), size, {MatrixAt(x, walk.At(0, first), x_elements), adjoint_x_, adjoint_x_, x_step},
           {MatrixAt(y, walk.At(1, first), y_elements), adjoint_y_, adjoint_y_, y_step},
           const_cast<void*>(MatrixAt(out, first, size.rows * size.columns)));  // NOLINT: its own output
    }
  }

  const bool adjoint_x_, adjoint_y_;
};

constexpr GpuKernelRow kRows[] = {
    {"BatchMatMul", Make<BatchMatMul>},
    {"BatchMatMulV2", Make<BatchMatMul>},
};

}  // namespace

std::span<const GpuKernelRow> MatrixBatchMatmul() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
