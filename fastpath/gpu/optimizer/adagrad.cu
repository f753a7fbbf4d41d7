// See ../../formulas/optimizer/adagrad-inl.h for what is computed.
#include "fastpath/gpu/lib/variables/update_rows.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/adagrad-inl.h"
#undef PLUMB_INLINE

const UpdateInputs kDense{.slots = 2, .gradient = 3, .scalars = {2}};
const UpdateInputs kSparse{.slots = 2, .gradient = 3, .indices = 4, .scalars = {2}, .refuses_empty_rows = true};

const UpdateInputs kDenseV2{.slots = 2, .gradient = 4, .scalars = {2, 3}};
const UpdateInputs kSparseV2{.slots = 2, .gradient = 4, .indices = 5, .scalars = {2, 3}, .refuses_empty_rows = true};

template <template <bool> class Formula, const UpdateInputs& inputs>
std::unique_ptr<GpuKernel> MakeDense(const Node& node) {
  if (GetAttrOr(node.attrs, "update_slots", true)) return MakeUpdate<Formula<true>>(node, inputs);
  return MakeUpdate<Formula<false>>(node, inputs);
}
template <template <bool> class Formula, const UpdateInputs& inputs>
std::unique_ptr<GpuKernel> MakeSparse(const Node& node) {
  if (GetAttrOr(node.attrs, "update_slots", true)) return MakeUpdateOfRows<Formula<true>>(node, inputs);
  return MakeUpdateOfRows<Formula<false>>(node, inputs);
}

constexpr GpuKernelRow kRows[] = {
    {"ApplyAdagrad", MakeDense<Adagrad, kDense>},
    {"ApplyAdagradV2", MakeDense<AdagradV2, kDenseV2>},
    {"ResourceApplyAdagrad", MakeDense<Adagrad, kDense>},
    {"ResourceApplyAdagradV2", MakeDense<AdagradV2, kDenseV2>},
    {"SparseApplyAdagrad", MakeSparse<Adagrad, kSparse>},
    {"SparseApplyAdagradV2", MakeSparse<AdagradV2, kSparseV2>},
    {"ResourceSparseApplyAdagrad", MakeSparse<Adagrad, kSparse>},
    {"ResourceSparseApplyAdagradV2", MakeSparse<AdagradV2, kSparseV2>},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerAdagrad() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
