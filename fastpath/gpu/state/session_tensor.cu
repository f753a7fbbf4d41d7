// Values that the session keeps for later steps (S11): the host's kernels; the values stay in the device's memory.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"GetSessionHandle", nullptr, ByHost::kGivingToOtherSteps, "handle"},
    {"GetSessionTensor", nullptr, ByHost::kKeepingBooks, "handle"},
};

}  // namespace

std::span<const GpuKernelRow> StateSessionTensor() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
