// Values that may be missing: the host's kernels, whose components stay in the device's memory.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"OptionalFromValue", nullptr, ByHost::kKeepingBooks},
    {"OptionalNone", nullptr, ByHost::kKeepingBooks},
    {"OptionalHasValue", nullptr, ByHost::kKeepingBooks, "has_value"},
    {"OptionalGetValue", nullptr, ByHost::kKeepingBooks},
};

}  // namespace

std::span<const GpuKernelRow> DataFlowOptional() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
