#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> ConvolutionOps() {
  static const OpRow rows[] = {
      {.signature = "Conv2D(input: T, filter: T) -> (output: T)",
       .attrs = "T: type in [floats, int32]; strides: list(int); use_cudnn_on_gpu: bool = true; padding: string "
                "in ['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = "
                "'NHWC' in ['NHWC', 'NCHW']; dilations: list(int) = [1, 1, 1, 1]"},
      {.signature = "Conv2DBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> (output: T)",
       .attrs = "T: type in [floats, int32]; strides: list(int); use_cudnn_on_gpu: bool = true; padding: string "
                "in ['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = "
                "'NHWC' in ['NHWC', 'NCHW']; dilations: list(int) = [1, 1, 1, 1]"},
      {.signature = "Conv2DBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> (output: T)",
       .attrs = "T: type in [floats]; strides: list(int); use_cudnn_on_gpu: bool = true; padding: string in "
                "['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = 'NHWC' "
                "in ['NHWC', 'NCHW']; dilations: list(int) = [1, 1, 1, 1]"},
      {.signature = "MaxPool(input: T) -> (output: T)",
       .attrs = "T: type = float32 in [floats, int32, int64, uint8, int16, int8, uint16, qint8]; ksize: "
                "list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID', 'EXPLICIT']; "
                "explicit_paddings: list(int) = []; data_format: string = 'NHWC' in ['NHWC', 'NCHW', "
                "'NCHW_VECT_C']"},
      {.signature = "MaxPoolGrad(orig_input: T, orig_output: T, grad: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID', "
                "'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = 'NHWC' in ['NHWC', "
                "'NCHW']; T: type = float32 in [floats, ints]"},
      {.signature = "AvgPool(value: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID']; "
                "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; T: type in [floats]"},
      {.signature = "AvgPoolGrad(orig_input_shape: int32, grad: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID']; "
                "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; T: type in [floats]"},
  };
  return rows;
}

}  // namespace plumb
