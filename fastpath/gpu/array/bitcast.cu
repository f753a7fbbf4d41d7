// Bitcast: the input's bytes under another type, without a look at them.
#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"Bitcast", nullptr, ByHost::kWithoutLooking},
};

}  // namespace

std::span<const GpuKernelRow> ArrayBitcast() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
