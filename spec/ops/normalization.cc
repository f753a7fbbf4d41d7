#include "spec/ops/families.h"
#include "spec/ops/gradients.h"
#include "spec/ops/shape_rules.h"

namespace plumb {

std::span<const OpRow> NormalizationOps() {
  static const OpRow rows[] = {
      {.signature = "BiasAdd(value: T, bias: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; data_format: string = 'NHWC' in ['NHWC', 'NCHW']",
       .doc = "value plus a vector that runs along the channels: the last dimension, or dimension 1 for NCHW.",
       .shape_fn = shape_rules::BiasAdd,
       .gradient = BiasAddGradient,
       .sample = "[d... e C] [C] | data_format='NCHW': [n C 2 3] [C]"},
      {.signature = "BiasAddGrad(out_backprop: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; data_format: string = 'NHWC' in ['NHWC', 'NCHW']",
       .doc = "The gradient of BiasAdd by the bias: the sum over all dimensions but the channels.",
       .shape_fn = shape_rules::BiasAddGrad,
       .accuracy = Summation(),
       .gradient = BiasAddGradGradient,
       .sample = "[d... e C] | data_format='NCHW': [n C 2 3]"},
      {.signature = "LRN(input: T) -> (output: T)",
       .attrs = "depth_radius: int = 5; bias: float = 1; alpha: float = 1; beta: float = 0.5; T: type = float32 "
                "in [float16, bfloat16, float32]",
       .doc = "Each element divided by (bias + alpha s)^beta, where s is the sum of squares over the "
              "depth_radius channels on both sides.",
       .shape = "[a b c e] -> [a b c e]",
       .accuracy = Composed(4),
       .gradient = LRNGradient,
       .sample = "depth_radius=2 bias=1 alpha=0.5 beta=0.75: [n 2 3 C] finite | [n 1 2 6] finite"},
      {.signature = "LRNGrad(input_grads: T, input_image: T, output_image: T) -> (output: T)",
       .attrs = "depth_radius: int = 5; bias: float = 1; alpha: float = 1; beta: float = 0.5; T: type = float32 "
                "in [float16, bfloat16, float32]",
       .doc = "The gradient of LRN by its input, from the input and the result.",
       .shape = "[a b c e] [a b c e] [a b c e] -> [a b c e]",
       .accuracy = Composed(4),
       .sample = "depth_radius=2 bias=1 alpha=0.5 beta=0.75: [n 2 3 C] finite [n 2 3 C] finite [n 2 3 C] finite"},
      {.signature = "FusedBatchNorm(x: T, scale: T, offset: T, mean: T, variance: T) -> (y: T, batch_mean: T, "
                    "batch_variance: T, reserve_space_1: T, reserve_space_2: T)",
       .attrs = "T: type in [float32]; epsilon: float = 9.99999975e-05; exponential_avg_factor: float = 1; "
                "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; is_training: bool = true",
       .doc = "scale (x - mean) / sqrt(variance + epsilon) + offset for each channel. In training, mean and "
              "variance are those of the batch; batch_mean and batch_variance (with Bessel's correction) move "
              "towards them from the given ones by exponential_avg_factor. The reserve spaces hold what the "
              "gradient needs.",
       .shape_fn = shape_rules::FusedBatchNorm,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormGradient,
       .sample = "is_training=true: [N 3 2 C] finite [C] finite [C] finite [0] [0] | is_training=false: [n 3 2 "
                 "C] finite [C] finite [C] finite [C] finite [C] positive | is_training=true data_format='NCHW': "
                 "[N C 3 2] finite [C] finite [C] finite [0] [0]"},
      {.signature = "FusedBatchNormGrad(y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T) -> "
                    "(x_backprop: T, scale_backprop: T, offset_backprop: T, reserve_space_3: T, reserve_space_4: T)",
       .attrs = "T: type in [float32]; epsilon: float = 9.99999975e-05; data_format: string = 'NHWC' in "
                "['NHWC', 'NCHW']; is_training: bool = true",
       .doc = "The gradients of FusedBatchNorm by x, scale and offset. reserve_space_1 and reserve_space_2 "
              "are the mean and the variance that it used.",
       .shape_fn = shape_rules::FusedBatchNormGrad,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormGradGradient,
       .sample = "is_training=true/false: [N 3 2 C] finite [N 3 2 C] finite [C] finite [C] finite [C] positive | "
                 "is_training=true data_format='NCHW': [N C 3 2] finite [N C 3 2] finite [C] finite [C] finite "
                 "[C] positive"},
      {.signature = "FusedBatchNormV2(x: T, scale: U, offset: U, mean: U, variance: U) -> (y: T, batch_mean: U, "
                    "batch_variance: U, reserve_space_1: U, reserve_space_2: U)",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [float32]; epsilon: float = "
                "9.99999975e-05; exponential_avg_factor: float = 1; data_format: string = 'NHWC' in ['NHWC', "
                "'NCHW']; is_training: bool = true",
       .doc = "scale (x - mean) / sqrt(variance + epsilon) + offset for each channel. In training, mean and "
              "variance are those of the batch; batch_mean and batch_variance (with Bessel's correction) move "
              "towards them from the given ones by exponential_avg_factor. The reserve spaces hold what the "
              "gradient needs.",
       .shape_fn = shape_rules::FusedBatchNorm,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormV2Gradient,
       .sample = "is_training=true: [N 3 2 C] finite [C] finite [C] finite [0] [0] | is_training=false: [n 3 2 "
                 "C] finite [C] finite [C] finite [C] finite [C] positive | is_training=true data_format='NCHW': "
                 "[N C 3 2] finite [C] finite [C] finite [0] [0]"},
      {.signature = "FusedBatchNormGradV2(y_backprop: T, x: T, scale: float32, reserve_space_1: U, reserve_space_2: "
                    "U) -> (x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_3: U, "
                    "reserve_space_4: U)",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [float32]; epsilon: float = "
                "9.99999975e-05; data_format: string = 'NHWC' in ['NHWC', 'NCHW']; is_training: bool = true",
       .doc = "The gradients of FusedBatchNorm by x, scale and offset. reserve_space_1 and reserve_space_2 "
              "are the mean and the variance that it used.",
       .shape_fn = shape_rules::FusedBatchNormGrad,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormGradGradient,
       .sample = "is_training=true/false: [N 3 2 C] finite [N 3 2 C] finite [C] finite [C] finite [C] positive | "
                 "is_training=true data_format='NCHW': [N C 3 2] finite [N C 3 2] finite [C] finite [C] finite "
                 "[C] positive"},
      {.signature = "FusedBatchNormV3(x: T, scale: U, offset: U, mean: U, variance: U) -> (y: T, batch_mean: U, "
                    "batch_variance: U, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U)",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [bfloat16, float32]; epsilon: float = "
                "9.99999975e-05; exponential_avg_factor: float = 1; data_format: string = 'NHWC' in ['NHWC', "
                "'NCHW', 'NDHWC', 'NCDHW']; is_training: bool = true",
       .doc = "scale (x - mean) / sqrt(variance + epsilon) + offset for each channel. In training, mean and "
              "variance are those of the batch; batch_mean and batch_variance (with Bessel's correction) move "
              "towards them from the given ones by exponential_avg_factor. The reserve spaces hold what the "
              "gradient needs.",
       .shape_fn = shape_rules::FusedBatchNorm,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormV3Gradient,
       .sample = "is_training=true: [N 3 2 C] finite [C] finite [C] finite [0] [0] | is_training=false: [n 3 2 "
                 "C] finite [C] finite [C] finite [C] finite [C] positive | is_training=true data_format='NCHW': "
                 "[N C 3 2] finite [C] finite [C] finite [0] [0]"},
      {.signature = "FusedBatchNormGradV3(y_backprop: T, x: T, scale: float32, reserve_space_1: U, reserve_space_2: "
                    "U, reserve_space_3: U) -> (x_backprop: T, scale_backprop: U, offset_backprop: U, "
                    "reserve_space_4: U, reserve_space_5: U)",
       .attrs = "T: type in [float16, bfloat16, float32]; U: type in [float32]; epsilon: float = "
                "9.99999975e-05; data_format: string = 'NHWC' in ['NHWC', 'NCHW', 'NDHWC', 'NCDHW']; "
                "is_training: bool = true",
       .doc = "The gradients of FusedBatchNorm by x, scale and offset. reserve_space_1 and reserve_space_2 "
              "are the mean and the variance that it used.",
       .shape_fn = shape_rules::FusedBatchNormGrad,
       .accuracy = Composed(4),
       .gradient = FusedBatchNormGradGradient,
       .sample = "is_training=true/false: [N 3 2 C] finite [N 3 2 C] finite [C] finite [C] finite [C] positive "
                 "[1] | is_training=true data_format='NCHW': [N C 3 2] finite [N C 3 2] finite [C] finite [C] "
                 "finite [C] positive [1]"},
  };
  return rows;
}

}  // namespace plumb
