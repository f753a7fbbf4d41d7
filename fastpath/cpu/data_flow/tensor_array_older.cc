// The ops on TensorArrays of the first two versions, which name an array by strings (TA9).
#include "fastpath/cpu/data_flow/tensor_array_kernels.h"

namespace plumb::fast::cpu {
namespace {

constexpr KernelRow kRows[] = {
    {"TensorArray", MakeTensorArray},
    {"TensorArrayClose", MakeTensorArrayClose},
    {"TensorArrayConcat", MakeTensorArrayConcat},
    {"TensorArrayGather", MakeTensorArrayGather},
    {"TensorArrayGrad", MakeTensorArrayGrad},
    {"TensorArrayPack", MakeTensorArrayPack},
    {"TensorArrayRead", MakeTensorArrayRead},
    {"TensorArrayScatter", MakeTensorArrayScatter},
    {"TensorArraySize", MakeTensorArraySize},
    {"TensorArraySplit", MakeTensorArraySplit},
    {"TensorArrayUnpack", MakeTensorArrayUnpack},
    {"TensorArrayWrite", MakeTensorArrayWrite},
    {"TensorArrayV2", MakeTensorArray},
    {"TensorArrayCloseV2", MakeTensorArrayClose},
    {"TensorArrayConcatV2", MakeTensorArrayConcat},
    {"TensorArrayGatherV2", MakeTensorArrayGather},
    {"TensorArrayGradV2", MakeTensorArrayGrad},
    {"TensorArrayReadV2", MakeTensorArrayRead},
    {"TensorArrayScatterV2", MakeTensorArrayScatter},
    {"TensorArraySizeV2", MakeTensorArraySize},
    {"TensorArraySplitV2", MakeTensorArraySplit},
    {"TensorArrayWriteV2", MakeTensorArrayWrite},
};

}  // namespace

std::span<const KernelRow> DataFlowTensorArrayOlder() { return kRows; }

}  // namespace plumb::fast::cpu
