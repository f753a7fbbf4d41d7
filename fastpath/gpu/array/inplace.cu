// InplaceUpdate, InplaceAdd and InplaceSub: rows of a tensor changed by index.
#include "fastpath/formulas/array/inplace_rows.h"
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/owned_copy.h"
#include "fastpath/gpu/lib/rows/changed_rows.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Indices count modulo the rows.
PLUMB_GPU_KERNEL WrapLoop(Global<const int32_t> indices, int64_t rows, Global<int64_t> wrapped) {
  for (int64_t i = First(); i < wrapped.size; i += Stride()) wrapped[i] = (indices[i] % rows + rows) % rows;
}

template <Scatter scatter>
class Inplace final : public GpuKernel {
 public:
  explicit Inplace(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor indices = context.input(1), updates = context.input(2);
    const Shape shape = context.input(0).shape();
    RequireRowsOf(shape, indices.shape(), updates.shape());
    Tensor out = OwnedCopy(context, 0, 0);
    if (updates.elements() == 0 || shape[0] == 0) return;
    Tensor wrapped = context.Scratch(DType::kInt64, indices.shape());
    Launch(context.stream(), LoopOver(indices.elements()), WrapLoop, context.ViewOf<int32_t>(indices), shape[0],
           context.ViewOf<int64_t>(wrapped));
    const NamedRows rows(context, wrapped, SlicesOf(shape, 1), indices.elements(), shape[0],
                         context.NewSlot(OutsideOf(shape)));
    ChangeRows(context, scatter, rows, ElementsIn(shape, 1, shape.rank()), updates, out);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"InplaceUpdate", Make<Inplace<Scatter::kReplace>>},
    {"InplaceAdd", Make<Inplace<Scatter::kAdd>>},
    {"InplaceSub", Make<Inplace<Scatter::kSubtract>>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayInplace() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
