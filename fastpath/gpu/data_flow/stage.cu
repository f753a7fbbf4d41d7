// Staging areas (Q71): the host's kernels, whose elements stay in the device's memory.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"Stage", nullptr, ByHost::kGivingToOtherSteps}, {"Unstage", nullptr, ByHost::kKeepingBooks},
    {"StagePeek", nullptr, ByHost::kKeepingBooks},   {"StageSize", nullptr, ByHost::kKeepingBooks},
    {"StageClear", nullptr, ByHost::kKeepingBooks},
};

}  // namespace

std::span<const GpuKernelRow> DataFlowStage() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
