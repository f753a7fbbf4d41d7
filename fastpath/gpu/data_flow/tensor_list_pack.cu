// Tensor lists as a whole: the host's kernels, which have elements copied and cleared on the device.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"TensorListFromTensor", nullptr, ByHost::kKeepingBooks, "element_shape"},
    {"TensorListScatter", nullptr, ByHost::kKeepingBooks, "element_shape"},
    {"TensorListScatterV2", nullptr, ByHost::kKeepingBooks, "element_shape"},
    {"TensorListScatterIntoExistingList", nullptr, ByHost::kKeepingBooks},
    {"TensorListSplit", nullptr, ByHost::kKeepingBooks, "element_shape"},
    {"TensorListGather", nullptr, ByHost::kKeepingBooks},
    {"TensorListStack", nullptr, ByHost::kKeepingBooks},
    {"TensorListConcat", nullptr, ByHost::kKeepingBooks},
    {"TensorListConcatV2", nullptr, ByHost::kKeepingBooks, "element_shape"},
};

}  // namespace

std::span<const GpuKernelRow> DataFlowTensorListPack() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
