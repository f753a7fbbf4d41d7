// Ops that rewriters of graphs make.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Internal() {
  static constexpr Signature kSignatures[] = {
      {"_EagerConst(input: T) -> (output: T)", "T: type"},
      {"_FusedBatchNormEx(x: T, scale: U, offset: U, mean: U, variance: U, side_input: T*num_side_inputs) -> (y: T, "
       "batch_mean: U, batch_variance: U, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U)",
       "T: type in [float16, float32, bfloat16]; U: type in [float32]; epsilon: float = 9.999999747378752e-05; "
       "exponential_avg_factor: float = 1.0; num_side_inputs: int >= 0 = 0; activation_mode: string = 'Identity'; "
       "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; is_training: bool = true"},
      {"_FusedBatchNormGradEx(y_backprop: T, x: T, scale: float32, reserve_space_1: U, reserve_space_2: U, "
       "reserve_space_3: U, offset: float32, y: T) -> (x_backprop: T, scale_backprop: U, offset_backprop: U, "
       "reserve_space_4: U, reserve_space_5: U, side_input_backprop: T*num_side_inputs)",
       "T: type in [float16, float32]; U: type in [float32]; epsilon: float = 9.999999747378752e-05; num_side_inputs: "
       "int >= 0 = 0; activation_mode: string = 'Identity'; data_format: string = 'NHWC' in ['NHWC', 'NCHW', 'NDHWC', "
       "'NCDHW']; is_training: bool = true"},
      {"_FusedConv2D(input: T, filter: T, args: list(TArgs), host_args: float32*num_host_args) -> (output: T)",
       "T: type in [float16, float32, float64, int8, qint8]; TArgs: list(type); num_args: int >= 0; num_host_args: int "
       ">= 0 = 0; strides: list(int); padding: string in ['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: list(int) = "
       "[]; data_format: string = 'NHWC' in ['NHWC', 'NCHW', 'NCHW_VECT_C']; filter_format: string = 'HWIO' in "
       "['HWIO', 'OIHW', 'OIHW_VECT_I']; dilations: list(int) = [1, 1, 1, 1]; use_cudnn_on_gpu: bool = true; "
       "fused_ops: list(string) = []; epsilon: float = 9.999999747378752e-05; leakyrelu_alpha: float = "
       "0.20000000298023224"},
      {"_FusedConv3D(input: T, filter: T, args: T*num_args) -> (output: T)",
       "T: type in [bfloat16, float32]; num_args: int >= 0; strides: list(int) >= 5; padding: string in ['SAME', "
       "'VALID']; data_format: string = 'NDHWC' in ['NDHWC', 'NCDHW']; dilations: list(int) = [1, 1, 1, 1, 1]; "
       "padding_list: list(int) = []; fused_ops: list(string) = []; epsilon: float = 9.999999747378752e-05; "
       "leakyrelu_alpha: float = 0.20000000298023224"},
      {"_FusedDepthwiseConv2dNative(input: T, filter: T, args: T*num_args) -> (output: T)",
       "T: type in [floats]; num_args: int >= 0; strides: list(int); padding: string in ['SAME', 'VALID']; "
       "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; dilations: list(int) = [1, 1, 1, 1]; fused_ops: list(string) "
       "= []; epsilon: float = 9.999999747378752e-05; leakyrelu_alpha: float = 0.20000000298023224"},
      {"_FusedMatMul(a: T, b: T, args: T*num_args) -> (product: T)",
       "transpose_a: bool = false; transpose_b: bool = false; T: type in [bfloat16, float16, float32]; num_args: int "
       ">= 0; fused_ops: list(string) = []; epsilon: float = 9.999999747378752e-05; leakyrelu_alpha: float = "
       "0.20000000298023224"},
      {"_If(cond: Tcond, input: list(Tin)) -> (output: list(Tout)) stateful",
       "Tcond: type; Tin: list(type); Tout: list(type); then_branch: func; else_branch: func"},
      {"_ParallelConcatStart() -> (output: dtype) stateful", "shape: shape; dtype: type"},
      {"_ParallelConcatUpdate(value: T, update: T) -> (output: T)", "T: type; loc: int"},
      {"_ReadVariablesOp(resources: resource*N) -> (values: list(dtypes)) stateful", "N: int >= 0; dtypes: list(type)"},
      {"_ScopedAllocator() -> (output: T) stateful",
       "shapes: list(shape); shape: shape; T: type; sa_name: string; id: int; expected_call_count: int"},
      {"_ScopedAllocatorConcat(backing: T, inputs: T*N) -> (output: T) stateful",
       "shape: shape; T: type; reshape: bool = false; sa_name: string; id: int; N: int >= 2"},
      {"_ScopedAllocatorSplit(concat: T, split: T*N) -> (output: T*N) stateful",
       "T: type; sa_name: string; id: int; N: int >= 2; shapes: list(shape)"},
      {"_TensorToHashBucketFast(input: T) -> (output: int64)", "T: type in [ints]; num_buckets: int >= 1"},
      {"_UnaryOpsComposition(x: T) -> (y: T)", "T: type in [float32, float16, float64]; op_names: list(string)"},
      {"_VarHandlesOp() -> (resources: resource*N) stateful",
       "containers: list(string); shared_names: list(string); N: int >= 0; dtypes: list(type); shapes: list(shape)"},
      {"_While(input: list(T)) -> (output: list(T)) stateful", "T: list(type) >= 0; cond: func; body: func"},
  };
  return kSignatures;
}

}  // namespace plumb::known
