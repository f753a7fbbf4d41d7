#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> StackOps() {
  static const OpRow rows[] = {
      {.signature = "Stack() -> (handle: ref string) stateful",
       .attrs = "elem_type: type; stack_name: string = ''",
       .gradient = BlocksGradient()},
      {.signature = "StackPush(handle: ref string, elem: T) -> (output: T)",
       .attrs = "T: type; swap_memory: bool = false",
       .gradient = BlocksGradient()},
      {.signature = "StackPop(handle: ref string) -> (elem: elem_type)",
       .attrs = "elem_type: type",
       .gradient = BlocksGradient()},
      {.signature = "StackClose(handle: ref string) -> ()", .gradient = BlocksGradient()},
      {.signature = "StackV2(max_size: int32) -> (handle: resource) stateful",
       .attrs = "elem_type: type; stack_name: string = ''"},
      {.signature = "StackPushV2(handle: resource, elem: T) -> (output: T) stateful",
       .attrs = "T: type; swap_memory: bool = false"},
      {.signature = "StackPopV2(handle: resource) -> (elem: elem_type) stateful", .attrs = "elem_type: type"},
      {.signature = "StackCloseV2(handle: resource) -> () stateful"},
      {.signature = "TensorArrayV3(size: int32) -> (handle: resource, flow: float32) stateful",
       .attrs = "dtype: type; element_shape: shape = ?; dynamic_size: bool = false; clear_after_read: bool = "
                "true; identical_element_shapes: bool = false; tensor_array_name: string = ''",
       .gradient = BlocksGradient()},
      {.signature = "TensorArrayGradV3(handle: resource, flow_in: float32) -> (grad_handle: resource, flow_out: "
                    "float32) stateful",
       .attrs = "source: string",
       .gradient = BlocksGradient()},
      {.signature = "TensorArrayGradWithShape(handle: resource, flow_in: float32, shape_to_prepend: int32) -> "
                    "(grad_handle: resource, flow_out: float32) stateful",
       .attrs = "source: string",
       .gradient = BlocksGradient()},
      {.signature = "TensorArrayWriteV3(handle: resource, index: int32, value: T, flow_in: float32) -> (flow_out: "
                    "float32) stateful",
       .attrs = "T: type"},
      {.signature = "TensorArrayReadV3(handle: resource, index: int32, flow_in: float32) -> (value: dtype) stateful",
       .attrs = "dtype: type"},
      {.signature = "TensorArrayGatherV3(handle: resource, indices: int32, flow_in: float32) -> (value: dtype) "
                    "stateful",
       .attrs = "dtype: type; element_shape: shape = ?"},
      {.signature = "TensorArrayScatterV3(handle: resource, indices: int32, value: T, flow_in: float32) -> "
                    "(flow_out: float32) stateful",
       .attrs = "T: type"},
      {.signature = "TensorArrayConcatV3(handle: resource, flow_in: float32) -> (value: dtype, lengths: int64) "
                    "stateful",
       .attrs = "dtype: type; element_shape_except0: shape = ?"},
      {.signature = "TensorArraySplitV3(handle: resource, value: T, lengths: int64, flow_in: float32) -> (flow_out: "
                    "float32) stateful",
       .attrs = "T: type"},
      {.signature = "TensorArraySizeV3(handle: resource, flow_in: float32) -> (size: int32) stateful",
       .gradient = BlocksGradient()},
      {.signature = "TensorArrayCloseV3(handle: resource) -> () stateful", .gradient = BlocksGradient()},
  };
  return rows;
}

}  // namespace plumb
