// TensorArrays (TA1–TA7): the host's kernels, which have values copied, cleared and added up on the device.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"TensorArrayV3", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayGradV3", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayGradWithShape", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayWriteV3", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayReadV3", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayGatherV3", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayScatterV3", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayConcatV3", nullptr, ByHost::kKeepingBooks},
    {"TensorArraySplitV3", nullptr, ByHost::kKeepingBooks},
    {"TensorArraySizeV3", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayCloseV3", nullptr, ByHost::kKeepingBooks},
};

}  // namespace

std::span<const GpuKernelRow> DataFlowTensorArray() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
