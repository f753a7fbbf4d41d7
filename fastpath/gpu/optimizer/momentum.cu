// See ../../formulas/optimizer/momentum-inl.h for what is computed.
#include "fastpath/gpu/lib/variables/update_rows.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/momentum-inl.h"
#undef PLUMB_INLINE

const UpdateInputs kInputs{.slots = 2, .gradient = 3, .scalars = {2, 4}};

std::unique_ptr<GpuKernel> MakeMomentum(const Node& node) {
  if (GetAttrOr(node.attrs, "use_nesterov", false)) return MakeUpdate<Momentum<true>>(node, kInputs);
  return MakeUpdate<Momentum<false>>(node, kInputs);
}

const UpdateInputs kSparse{.slots = 2, .gradient = 3, .indices = 4, .scalars = {2, 5}};

std::unique_ptr<GpuKernel> MakeKerasMomentum(const Node& node) {
  if (GetAttr<bool>(node.attrs, "use_nesterov")) return MakeUpdate<KerasMomentum<true>>(node, kInputs);
  return MakeUpdate<KerasMomentum<false>>(node, kInputs);
}
std::unique_ptr<GpuKernel> MakeKerasMomentumOfRows(const Node& node) {
  if (GetAttr<bool>(node.attrs, "use_nesterov")) return MakeUpdateOfRows<KerasMomentum<true>>(node, kSparse);
  return MakeUpdateOfRows<KerasMomentum<false>>(node, kSparse);
}

constexpr GpuKernelRow kRows[] = {
    {"ApplyMomentum", MakeMomentum},
    {"ResourceApplyMomentum", MakeMomentum},
    {"ResourceApplyKerasMomentum", MakeKerasMomentum},
    {"ResourceSparseApplyKerasMomentum", MakeKerasMomentumOfRows},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerMomentum() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
