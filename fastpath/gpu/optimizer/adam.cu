// See ../../formulas/optimizer/adam-inl.h for what is computed.
#include "fastpath/gpu/lib/variables/update.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/adam-inl.h"
#undef PLUMB_INLINE

const UpdateInputs kInputs{.slots = 3, .gradient = 9, .scalars = {3, 4, 5, 6, 7, 8}};

std::unique_ptr<GpuKernel> MakeAdam(const Node& node) {
  if (GetAttr<bool>(node.attrs, "use_nesterov")) return MakeUpdate<Adam<true>>(node, kInputs);
  return MakeUpdate<Adam<false>>(node, kInputs);
}

constexpr GpuKernelRow kRows[] = {
    {"ApplyAdam", MakeAdam},
    {"ResourceApplyAdam", MakeAdam},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerAdam() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
