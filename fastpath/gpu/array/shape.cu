// Shapes as values, which lie on the host (W16): what the host's kernels say of what they know.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"Shape", nullptr, ByHost::kFromWhatItKnows},
    {"ShapeN", nullptr, ByHost::kFromWhatItKnows},
    {"Size", nullptr, ByHost::kFromWhatItKnows},
    {"Rank", nullptr, ByHost::kFromWhatItKnows},
};

}  // namespace

std::span<const GpuKernelRow> ArrayShape() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
