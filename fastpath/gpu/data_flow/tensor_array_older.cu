// The ops on TensorArrays of the first two versions (TA9): by the same kernels, with the strings that name an array on
// the host.
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr GpuKernelRow kRows[] = {
    {"TensorArray", nullptr, ByHost::kKeepingBooks},          {"TensorArrayClose", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayConcat", nullptr, ByHost::kKeepingBooks},    {"TensorArrayGather", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayGrad", nullptr, ByHost::kKeepingBooks},      {"TensorArrayPack", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayRead", nullptr, ByHost::kKeepingBooks},      {"TensorArrayScatter", nullptr, ByHost::kKeepingBooks},
    {"TensorArraySize", nullptr, ByHost::kKeepingBooks},      {"TensorArraySplit", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayUnpack", nullptr, ByHost::kKeepingBooks},    {"TensorArrayWrite", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayV2", nullptr, ByHost::kKeepingBooks},        {"TensorArrayCloseV2", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayConcatV2", nullptr, ByHost::kKeepingBooks},  {"TensorArrayGatherV2", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayGradV2", nullptr, ByHost::kKeepingBooks},    {"TensorArrayReadV2", nullptr, ByHost::kKeepingBooks},
    {"TensorArrayScatterV2", nullptr, ByHost::kKeepingBooks}, {"TensorArraySizeV2", nullptr, ByHost::kKeepingBooks},
    {"TensorArraySplitV2", nullptr, ByHost::kKeepingBooks},   {"TensorArrayWriteV2", nullptr, ByHost::kKeepingBooks},
};

}  // namespace

std::span<const GpuKernelRow> DataFlowTensorArrayOlder() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
