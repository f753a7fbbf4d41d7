// Stacks (K1): the host's kernels, which hand on what they are given.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"StackV2", nullptr, ByHost::kWithoutLooking},
    {"StackPushV2", nullptr, ByHost::kWithoutLooking},
    {"StackPopV2", nullptr, ByHost::kWithoutLooking},
    {"StackCloseV2", nullptr, ByHost::kWithoutLooking},
};

}  // namespace

std::span<const GpuKernelRow> DataFlowStack() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
