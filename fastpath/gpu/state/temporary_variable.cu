// Variables that live no longer than their step (R14): the host's kernels, which make and hand on what lies on the
// device.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"TemporaryVariable", nullptr, ByHost::kKeepingBooks},
    {"DestroyTemporaryVariable", nullptr, ByHost::kKeepingBooks},
};

}  // namespace

std::span<const GpuKernelRow> StateTemporaryVariable() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
