// SparseReorder: elements in row-major order.
#include "fastpath/gpu/lib/sorted_order.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/sparse/elements.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class Reorder final : public GpuKernel {
 public:
  explicit Reorder(const Node&) {}
  void Run(GpuContext& context) override {
    const SparseElements elements = SparseInput(context, 0);
    const Tensor order = InOrder(context, elements.sizes.count, RowMajor{CoordinatesOf(context, elements)});
    Tensor indices = context.AllocateOutput(0, elements.indices.shape());
    Tensor values = context.AllocateOutput(1, elements.values.shape());
    TakeElements(context, elements, order, 0, {}, indices, values);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"SparseReorder", Make<Reorder>, ByHost::kNo, "input_shape"},
};

}  // namespace

std::span<const GpuKernelRow> SparseReorder() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
