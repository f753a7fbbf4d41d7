// See ../../formulas/optimizer/adagrad-inl.h for what is computed.
#include "fastpath/gpu/lib/variables/update_rows.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/adagrad-inl.h"
#undef PLUMB_INLINE

const UpdateInputs kDense{.slots = 2, .gradient = 3, .scalars = {2}};
const UpdateInputs kSparse{.slots = 2, .gradient = 3, .indices = 4, .scalars = {2}, .refuses_empty_rows = true};

std::unique_ptr<GpuKernel> MakeDense(const Node& node) {
  if (GetAttrOr(node.attrs, "update_slots", true)) return MakeUpdate<Adagrad<true>>(node, kDense);
  return MakeUpdate<Adagrad<false>>(node, kDense);
}
std::unique_ptr<GpuKernel> MakeSparse(const Node& node) {
  if (GetAttrOr(node.attrs, "update_slots", true)) return MakeUpdateOfRows<Adagrad<true>>(node, kSparse);
  return MakeUpdateOfRows<Adagrad<false>>(node, kSparse);
}

constexpr GpuKernelRow kRows[] = {
    {"ApplyAdagrad", MakeDense},
    {"ResourceApplyAdagrad", MakeDense},
    {"SparseApplyAdagrad", MakeSparse},
    {"ResourceSparseApplyAdagrad", MakeSparse},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerAdagrad() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
