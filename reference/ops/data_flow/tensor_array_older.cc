// The ops on TensorArrays of the first two versions, which name an array by strings (TA9).
#include "reference/ops/data_flow/tensor_array_kernels.h"

namespace plumb::reference {
namespace {

constexpr KernelRow kRows[] = {
    {"TensorArray", MakeTensorArray},
    {"TensorArrayClose", TensorArrayClose},
    {"TensorArrayConcat", TensorArrayConcat},
    {"TensorArrayGather", TensorArrayGather},
    {"TensorArrayGrad", TensorArrayGrad},
    {"TensorArrayPack", TensorArrayPack},
    {"TensorArrayRead", TensorArrayRead},
    {"TensorArrayScatter", TensorArrayScatter},
    {"TensorArraySize", TensorArraySize},
    {"TensorArraySplit", TensorArraySplit},
    {"TensorArrayUnpack", TensorArrayUnpack},
    {"TensorArrayWrite", TensorArrayWrite},
    {"TensorArrayV2", MakeTensorArray},
    {"TensorArrayCloseV2", TensorArrayClose},
    {"TensorArrayConcatV2", TensorArrayConcat},
    {"TensorArrayGatherV2", TensorArrayGather},
    {"TensorArrayGradV2", TensorArrayGrad},
    {"TensorArrayReadV2", TensorArrayRead},
    {"TensorArrayScatterV2", TensorArrayScatter},
    {"TensorArraySizeV2", TensorArraySize},
    {"TensorArraySplitV2", TensorArraySplit},
    {"TensorArrayWriteV2", TensorArrayWrite},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowTensorArrayOlder() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
