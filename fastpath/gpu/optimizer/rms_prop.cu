// See ../../formulas/optimizer/rms_prop-inl.h for what is computed.
#include "fastpath/gpu/lib/variables/update.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/optimizer/rms_prop-inl.h"
#undef PLUMB_INLINE

const UpdateInputs kPlain{.slots = 3, .gradient = 7, .scalars = {3, 4, 5, 6}};
const UpdateInputs kCentered{.slots = 4, .gradient = 8, .scalars = {4, 5, 6, 7}};

std::unique_ptr<GpuKernel> MakeRmsProp(const Node& node) { return MakeUpdate<RmsProp<false>>(node, kPlain); }
std::unique_ptr<GpuKernel> MakeCentered(const Node& node) {
  return MakeUpdate<CenteredRmsProp<false>>(node, kCentered);
}

constexpr GpuKernelRow kRows[] = {
    {"ApplyRMSProp", MakeRmsProp},
    {"ResourceApplyRMSProp", MakeRmsProp},
    {"ApplyCenteredRMSProp", MakeCentered},
    {"ResourceApplyCenteredRMSProp", MakeCentered},
};

}  // namespace

std::span<const GpuKernelRow> OptimizerRmsProp() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
