// TensorArrays before version 3.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> TensorArrays() {
  static constexpr Signature kSignatures[] = {
      {"TensorArray(size: int32) -> (handle: ref string) stateful",
       "dtype: type; dynamic_size: bool = false; clear_after_read: bool = true; tensor_array_name: string = ''; "
       "element_shape: shape = ?",
       {16, "Use TensorArrayV3"}},
      {"TensorArrayClose(handle: ref string) -> ()", "", {16, "Use TensorArrayCloseV3"}},
      {"TensorArrayCloseV2(handle: string) -> ()", "", {26, "Use TensorArrayCloseV3"}},
      {"TensorArrayConcat(handle: ref string, flow_in: float32) -> (value: dtype, lengths: int64)",
       "dtype: type; element_shape_except0: shape = ?",
       {16, "Use TensorArrayGradV3"}},
      {"TensorArrayConcatV2(handle: string, flow_in: float32) -> (value: dtype, lengths: int64)",
       "dtype: type; element_shape_except0: shape = ?"},
      {"TensorArrayGather(handle: ref string, indices: int32, flow_in: float32) -> (value: dtype)",
       "dtype: type; element_shape: shape = ?",
       {16, "Use TensorArrayGatherV3"}},
      {"TensorArrayGatherV2(handle: string, indices: int32, flow_in: float32) -> (value: dtype)",
       "dtype: type; element_shape: shape = ?",
       {26, "Use TensorArrayGatherV3"}},
      {"TensorArrayGrad(handle: string, flow_in: float32) -> (grad_handle: ref string) stateful",
       "source: string",
       {16, "Use TensorArrayGradV3"}},
      {"TensorArrayGradV2(handle: string, flow_in: float32) -> (grad_handle: string) stateful",
       "source: string",
       {26, "Use TensorArrayGradV3"}},
      {"TensorArrayPack(handle: ref string, flow_in: float32) -> (value: dtype)",
       "dtype: type; element_shape: shape = ?",
       {16, "Use TensorArrayGatherV3 with RangeOp"}},
      {"TensorArrayRead(handle: ref string, index: int32, flow_in: float32) -> (value: dtype)",
       "dtype: type",
       {16, "Use TensorArrayReadV3"}},
      {"TensorArrayReadV2(handle: string, index: int32, flow_in: float32) -> (value: dtype)",
       "dtype: type",
       {26, "Use TensorArrayReadV3"}},
      {"TensorArrayScatter(handle: ref string, indices: int32, value: T, flow_in: float32) -> (flow_out: float32)",
       "T: type",
       {19, "Use TensorArrayGradV3"}},
      {"TensorArrayScatterV2(handle: string, indices: int32, value: T, flow_in: float32) -> (flow_out: float32)",
       "T: type",
       {26, "Use TensorArrayScatterV3"}},
      {"TensorArraySize(handle: ref string, flow_in: float32) -> (size: int32)", "", {16, "Use TensorArraySizeV3"}},
      {"TensorArraySizeV2(handle: string, flow_in: float32) -> (size: int32)", "", {26, "Use TensorArraySizeV3"}},
      {"TensorArraySplit(handle: ref string, value: T, lengths: int64, flow_in: float32) -> (flow_out: float32)",
       "T: type",
       {16, "Use TensorArraySplitV3"}},
      {"TensorArraySplitV2(handle: string, value: T, lengths: int64, flow_in: float32) -> (flow_out: float32)",
       "T: type",
       {26, "Use TensorArraySplitV3"}},
      {"TensorArrayUnpack(handle: ref string, value: T, flow_in: float32) -> (flow_out: float32)",
       "T: type",
       {20, "Use TensorArrayScatterV3 with RangeOp"}},
      {"TensorArrayV2(size: int32) -> (handle: string) stateful",
       "dtype: type; element_shape: shape = ?; dynamic_size: bool = false; clear_after_read: bool = true; "
       "tensor_array_name: string = ''",
       {26, "Use TensorArrayV3"}},
      {"TensorArrayWrite(handle: ref string, index: int32, value: T, flow_in: float32) -> (flow_out: float32)",
       "T: type",
       {16, "Use TensorArrayWriteV3"}},
      {"TensorArrayWriteV2(handle: string, index: int32, value: T, flow_in: float32) -> (flow_out: float32)",
       "T: type",
       {26, "Use TensorArrayWriteV3"}},
  };
  return kSignatures;
}

}  // namespace plumb::known
