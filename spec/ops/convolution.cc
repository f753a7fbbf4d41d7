#include "spec/ops/families.h"
#include "spec/ops/gradients.h"
#include "spec/ops/shape_rules.h"

namespace plumb {

std::span<const OpRow> ConvolutionOps() {
  static const OpRow rows[] = {
      {.signature = "Conv2D(input: T, filter: T) -> (output: T)",
       .attrs = "T: type in [floats, int32]; strides: list(int); use_cudnn_on_gpu: bool = true; padding: string "
                "in ['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = "
                "'NHWC' in ['NHWC', 'NCHW']; dilations: list(int) = [1, 1, 1, 1]",
       .doc = "The sum, over each window of the input, of input times filter [height, width, in, out]. "
              "Padding is VALID, SAME or EXPLICIT; dilations spread the window; an input that is k times as "
              "deep as the filter is convolved in k groups.",
       .shape_fn = shape_rules::Conv2D,
       .accuracy = Summation(),
       .gradient = Conv2DGradient,
       .sample = "strides=[1, 1, 1, 1]/[1, 2, 2, 1]/[1, 2, 3, 1] padding='SAME'/'VALID': [n 6 5 C] finite [3 "
                 "2 C O] finite | strides=[1, 1, 1, 1] padding='VALID'/'SAME' dilations=[1, 2, 2, 1]: [n 7 6 "
                 "C] finite [3 2 C O] finite | strides=[1, 1, 2, 1] padding='EXPLICIT' explicit_paddings=[0, "
                 "0, 1, 2, 0, 1, 0, 0]: [n 5 6 C] finite [3 2 C O] finite | strides=[1, 1, 1, 1] "
                 "padding='SAME': [n 4 3 C] finite [1 1 C O] finite"},
      {.signature = "Conv2DBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> (output: T)",
       .attrs = "T: type in [floats, int32]; strides: list(int); use_cudnn_on_gpu: bool = true; padding: string "
                "in ['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = "
                "'NHWC' in ['NHWC', 'NCHW']; dilations: list(int) = [1, 1, 1, 1]",
       .doc = "The gradient of Conv2D by its input, whose shape is input_sizes (or whose height and width).",
       .shape_fn = shape_rules::Conv2DBackpropInput,
       .accuracy = Summation(),
       .gradient = Conv2DBackpropInputGradient,
       .sample = "strides=[1, 1, 1, 1] padding='SAME': {n, 6, 5, C} [3 2 C O] finite [n 6 5 O] finite | "
                 "strides=[1, 2, 2, 1] padding='VALID': {n, 6, 5, C} [3 2 C O] finite [n 2 2 O] finite | "
                 "strides=[1, 2, 2, 1] padding='SAME': {n, 6, 5, C} [3 3 C O] finite [n 3 3 O] finite | "
                 "strides=[1, 1, 1, 1] padding='VALID' dilations=[1, 2, 2, 1]: {n, 7, 6, C} [3 2 C O] finite "
                 "[n 3 4 O] finite"},
      {.signature = "Conv2DBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> (output: T)",
       .attrs = "T: type in [floats]; strides: list(int); use_cudnn_on_gpu: bool = true; padding: string in "
                "['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = 'NHWC' "
                "in ['NHWC', 'NCHW']; dilations: list(int) = [1, 1, 1, 1]",
       .doc = "The gradient of Conv2D by its filter, whose shape is filter_sizes.",
       .shape_fn = shape_rules::Conv2DBackpropFilter,
       .accuracy = Summation(),
       .gradient = Conv2DBackpropFilterGradient,
       .sample = "strides=[1, 1, 1, 1] padding='SAME': [n 6 5 C] finite {3, 2, C, O} [n 6 5 O] finite | "
                 "strides=[1, 2, 2, 1] padding='VALID': [n 6 5 C] finite {3, 2, C, O} [n 2 2 O] finite | "
                 "strides=[1, 2, 2, 1] padding='SAME': [n 6 5 C] finite {3, 3, C, O} [n 3 3 O] finite | "
                 "strides=[1, 1, 1, 1] padding='VALID' dilations=[1, 2, 2, 1]: [n 7 6 C] finite {3, 2, C, O} "
                 "[n 3 4 O] finite"},
      {.signature = "MaxPool(input: T) -> (output: T)",
       .attrs = "T: type = float32 in [floats, int32, int64, uint8, int16, int8, uint16, qint8]; ksize: "
                "list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID', 'EXPLICIT']; "
                "explicit_paddings: list(int) = []; data_format: string = 'NHWC' in ['NHWC', 'NCHW', "
                "'NCHW_VECT_C']",
       .doc = "The largest element of each window; padding never wins.",
       .shape_fn = shape_rules::MaxPool,
       .gradient = MaxPoolGradient,
       .sample = "ksize=[1, 2, 2, 1]/[1, 3, 2, 1] strides=[1, 1, 1, 1]/[1, 2, 2, 1] padding='SAME'/'VALID': [n 5 "
                 "6 C] finite"},
      {.signature = "MaxPoolGrad(orig_input: T, orig_output: T, grad: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID', "
                "'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = 'NHWC' in ['NHWC', "
                "'NCHW']; T: type = float32 in [floats, ints]",
       .doc = "The gradient of MaxPool: each window's gradient goes to its first largest element, found anew "
              "in orig_input.",
       .shape = "[a b c e] [? ? ? ?] [? ? ? ?] -> [a b c e]",
       .accuracy = Summation(),
       .gradient = MaxPoolGradGradient,
       .sample = "ksize=[1, 2, 2, 1] strides=[1, 2, 2, 1] padding='VALID'/'SAME': [n 4 6 C] finite [n 2 3 C] [n "
                 "2 3 C] finite | ksize=[1, 3, 3, 1] strides=[1, 1, 1, 1] padding='SAME': [n 4 5 C] finite [n 4 "
                 "5 C] [n 4 5 C] finite"},
      {.signature = "MaxPoolGradGrad(orig_input: T, orig_output: T, grad: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID']; "
                "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; T: type in [floats, ints]",
       .doc = "The gradient of MaxPoolGrad by its grad: of each window, the element of grad that stands where "
              "orig_input first equals the window's orig_output; 0 where it never does.",
       .shape = "[a b c e] [n h w d] [a b c e] -> [n h w d]",
       .gradient = MaxPoolGradGradGradient,
       .sample = "ksize=[1, 2, 2, 1] strides=[1, 2, 2, 1] padding='VALID'/'SAME': [n 4 6 C] in 0..2 [n 2 3 C] in 0..2 "
                 "[n 4 6 C] finite | ksize=[1, 3, 3, 1] strides=[1, 1, 1, 1] padding='SAME': [n 4 5 C] in 0..2 "
                 "[n 4 5 C] in 0..2 [n 4 5 C] finite"},
      {.signature = "AvgPool(value: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID']; "
                "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; T: type in [floats]",
       .doc = "The mean of each window, counting only elements of the input.",
       .shape_fn = shape_rules::AvgPool,
       .accuracy = Summation(),
       .gradient = AvgPoolGradient,
       .sample = "ksize=[1, 2, 2, 1]/[1, 3, 2, 1] strides=[1, 1, 1, 1]/[1, 2, 2, 1] padding='SAME'/'VALID': [n 5 "
                 "6 C]"},
      {.signature = "AvgPoolGrad(orig_input_shape: int32, grad: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID']; "
                "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; T: type in [floats]",
       .doc = "The gradient of AvgPool: each window's gradient in equal parts to its elements. The shape of "
              "the result is orig_input_shape.",
       .shape_fn = shape_rules::AvgPoolGrad,
       .accuracy = Summation(),
       .gradient = AvgPoolGradGradient,
       .sample = "ksize=[1, 2, 2, 1] strides=[1, 2, 2, 1] padding='VALID'/'SAME': {n, 4, 6, C} [n 2 3 C] | "
                 "ksize=[1, 3, 3, 1] strides=[1, 1, 1, 1] padding='SAME': {n, 4, 5, C} [n 4 5 C]"},
  };
  return rows;
}

}  // namespace plumb
