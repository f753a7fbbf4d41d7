// See ../../formulas/optimizer/adagrad-inl.h for what is computed.
#include "fastpath/gpu/lib/update.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/adagrad-inl.h"
#undef PLUMB_INLINE

const UpdateInputs kInputs{.slots = 2, .gradient = 3, .scalars = {2}};

std::unique_ptr<GpuKernel> MakeAdagrad(const Node& node) {
  if (GetAttrOr(node.attrs, "update_slots", true)) return MakeUpdate<Adagrad<true>>(node, kInputs);
  return MakeUpdate<Adagrad<false>>(node, kInputs);
}

constexpr GpuKernelRow kRows[] = {
    {"ApplyAdagrad", MakeAdagrad},
    {"ResourceApplyAdagrad", MakeAdagrad},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerAdagrad() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
