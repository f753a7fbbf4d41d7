// Tensor lists made, asked, and changed an element at a time: the host's kernels, which hand elements on.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"EmptyTensorList", nullptr, ByHost::kKeepingBooks, "element_shape"},
    {"TensorListReserve", nullptr, ByHost::kKeepingBooks, "element_shape"},
    {"TensorListPushBack", nullptr, ByHost::kKeepingBooks},
    {"TensorListPushBackBatch", nullptr, ByHost::kKeepingBooks},
    {"TensorListSetItem", nullptr, ByHost::kKeepingBooks},
    {"TensorListResize", nullptr, ByHost::kKeepingBooks},
    {"TensorListConcatLists", nullptr, ByHost::kKeepingBooks},
    {"TensorListPopBack", nullptr, ByHost::kKeepingBooks},
    {"TensorListGetItem", nullptr, ByHost::kKeepingBooks},
    {"TensorListLength", nullptr, ByHost::kKeepingBooks},
    {"TensorListElementShape", nullptr, ByHost::kKeepingBooks, "element_shape"},
};

}  // namespace

std::span<const GpuKernelRow> DataFlowTensorList() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
