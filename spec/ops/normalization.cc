#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> NormalizationOps() {
  static const OpRow rows[] = {
      {.signature = "BiasAdd(value: T, bias: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; data_format: string = 'NHWC' in ['NHWC', 'NCHW']"},
      {.signature = "BiasAddGrad(out_backprop: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; data_format: string = 'NHWC' in ['NHWC', 'NCHW']"},
      {.signature = "LRN(input: T) -> (output: T)",
       .attrs = "depth_radius: int = 5; bias: float = 1; alpha: float = 1; beta: float = 0.5; T: type = float32 "
                "in [float16, bfloat16, float32]"},
      {.signature = "LRNGrad(input_grads: T, input_image: T, output_image: T) -> (output: T)",
       .attrs = "depth_radius: int = 5; bias: float = 1; alpha: float = 1; beta: float = 0.5; T: type = float32 "
                "in [float16, bfloat16, float32]"},
      {.signature = "FusedBatchNorm(x: T, scale: T, offset: T, mean: T, variance: T) -> (y: T, batch_mean: T, "
                    "batch_variance: T, reserve_space_1: T, reserve_space_2: T)",
       .attrs = "T: type in [float32]; epsilon: float = 9.99999975e-05; exponential_avg_factor: float = 1; "
                "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; is_training: bool = true"},
      {.signature = "FusedBatchNormGrad(y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T) -> "
                    "(x_backprop: T, scale_backprop: T, offset_backprop: T, reserve_space_3: T, reserve_space_4: T)",
       .attrs = "T: type in [float32]; epsilon: float = 9.99999975e-05; data_format: string = 'NHWC' in "
                "['NHWC', 'NCHW']; is_training: bool = true"},
      {.signature = "FusedBatchNormV2(x: T, scale: U, offset: U, mean: U, variance: U) -> (y: T, batch_mean: U, "
                    "batch_variance: U, reserve_space_1: U, reserve_space_2: U)",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [float32]; epsilon: float = "
                "9.99999975e-05; exponential_avg_factor: float = 1; data_format: string = 'NHWC' in ['NHWC', "
                "'NCHW']; is_training: bool = true"},
      {.signature = "FusedBatchNormGradV2(y_backprop: T, x: T, scale: float32, reserve_space_1: U, reserve_space_2: "
                    "U) -> (x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_3: U, "
                    "reserve_space_4: U)",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [float32]; epsilon: float = "
                "9.99999975e-05; data_format: string = 'NHWC' in ['NHWC', 'NCHW']; is_training: bool = true"},
      {.signature = "FusedBatchNormV3(x: T, scale: U, offset: U, mean: U, variance: U) -> (y: T, batch_mean: U, "
                    "batch_variance: U, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U)",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [bfloat16, float32]; epsilon: float = "
                "9.99999975e-05; exponential_avg_factor: float = 1; data_format: string = 'NHWC' in ['NHWC', "
                "'NCHW', 'NDHWC', 'NCDHW']; is_training: bool = true"},
      {.signature = "FusedBatchNormGradV3(y_backprop: T, x: T, scale: float32, reserve_space_1: U, reserve_space_2: "
                    "U, reserve_space_3: U) -> (x_backprop: T, scale_backprop: U, offset_backprop: U, "
                    "reserve_space_4: U, reserve_space_5: U)",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [float32]; epsilon: float = "
                "9.99999975e-05; data_format: string = 'NHWC' in ['NHWC', 'NCHW', 'NDHWC', 'NCDHW']; "
                "is_training: bool = true"},
  };
  return rows;
}

}  // namespace plumb
