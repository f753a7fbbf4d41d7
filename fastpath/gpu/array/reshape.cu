// Values under another shape, which share their memory: the host's kernels hand them on.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"Reshape", nullptr, ByHost::kWithoutLooking},
    {"ExpandDims", nullptr, ByHost::kWithoutLooking},
    {"Squeeze", nullptr, ByHost::kWithoutLooking},
};

}  // namespace

std::span<const GpuKernelRow> ArrayReshape() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
