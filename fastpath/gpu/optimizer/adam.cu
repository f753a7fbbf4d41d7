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

const UpdateInputs kAmsgrad{.slots = 4, .gradient = 10, .scalars = {4, 5, 6, 7, 8, 9}};
const UpdateInputs kAdaMax{.slots = 3, .gradient = 8, .scalars = {3, 4, 5, 6, 7}};

std::unique_ptr<GpuKernel> MakeAmsgrad(const Node& node) { return MakeUpdate<Amsgrad>(node, kAmsgrad); }
std::unique_ptr<GpuKernel> MakeAdaMax(const Node& node) { return MakeUpdate<AdaMax>(node, kAdaMax); }

constexpr GpuKernelRow kRows[] = {
    {"ApplyAdam", MakeAdam},     {"ResourceApplyAdam", MakeAdam},     {"ResourceApplyAdamWithAmsgrad", MakeAmsgrad},
    {"ApplyAdaMax", MakeAdaMax}, {"ResourceApplyAdaMax", MakeAdaMax},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerAdam() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
