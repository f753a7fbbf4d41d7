// Stacks (K1): the host's kernels, which hand on what they are given.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"Stack", nullptr, ByHost::kKeepingBooks},      {"StackPush", nullptr, ByHost::kKeepingBooks},
    {"StackPop", nullptr, ByHost::kKeepingBooks},   {"StackClose", nullptr, ByHost::kKeepingBooks},
    {"StackV2", nullptr, ByHost::kKeepingBooks},    {"StackPushV2", nullptr, ByHost::kKeepingBooks},
    {"StackPopV2", nullptr, ByHost::kKeepingBooks}, {"StackCloseV2", nullptr, ByHost::kKeepingBooks},
};

}  // namespace

std::span<const GpuKernelRow> DataFlowStack() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
