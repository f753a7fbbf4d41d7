// TensorArrays (TA1–TA7): the host's kernels, which have values copied, cleared and added up on the device.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"TensorArrayV3", nullptr, ByHost::kWithoutLooking},
    {"TensorArrayGradV3", nullptr, ByHost::kWithoutLooking},
    {"TensorArrayGradWithShape", nullptr, ByHost::kWithoutLooking},
    {"TensorArrayWriteV3", nullptr, ByHost::kWithoutLooking},
    {"TensorArrayReadV3", nullptr, ByHost::kWithoutLooking},
    {"TensorArrayGatherV3", nullptr, ByHost::kWithoutLooking},
    {"TensorArrayScatterV3", nullptr, ByHost::kWithoutLooking},
    {"TensorArrayConcatV3", nullptr, ByHost::kWithoutLooking},
    {"TensorArraySplitV3", nullptr, ByHost::kWithoutLooking},
    {"TensorArraySizeV3", nullptr, ByHost::kWithoutLooking},
    {"TensorArrayCloseV3", nullptr, ByHost::kWithoutLooking},
};

}  // namespace

std::span<const GpuKernelRow> DataFlowTensorArray() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
