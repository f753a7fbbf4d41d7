#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> DataFlowSparseAccumulator() {
  static const OpRow rows[] = {
      {.signature = "SparseConditionalAccumulator() -> (handle: ref string<Accumulator>) stateful",
       .attrs = "dtype: type in [numbers, quantized]; shape: shape; container: string = ''; shared_name: string = ''; "
                "reduction_type: string = 'MEAN' in ['MEAN', 'SUM']",
       .doc = "A handle to a sum of gradients that are given as rows with their indices. A mean is that of "
              "the gradients which have the row (rule C5).",
       .cpu = "dtype in [float16, float32, float64]",
       .shape = "-> [2]",
       .samples = {"shape=[5 b] reduction_type='MEAN'/'SUM' dtype in [float16, float32, float64]: ; g = "
                   "SparseAccumulatorApplyGradient dtype=$dtype has_known_shape=false: this 0 {0, 2, 4} [3 b] {}; "
                   "h = SparseAccumulatorApplyGradient dtype=$dtype has_known_shape=true: this 0 {1, 2} [2 b] {5, "
                   "b}; n = AccumulatorNumAccumulated: this; t = SparseAccumulatorTakeGradient dtype=$dtype: this 2"}},
      {.signature = "SparseAccumulatorApplyGradient(handle: ref string<Accumulator>, local_step: int64, "
                    "gradient_indices: int64, gradient_values: dtype, gradient_shape: int64) -> ()",
       .attrs = "dtype: type in [numbers, quantized]; has_known_shape: bool",
       .doc = "Adds rows to the sum. The indices ascend; gradient_shape is looked at if has_known_shape says "
              "so (rules C1, C5).",
       .shape = "? [] ? ? ? ->",
       .accuracy = Summation(),
       .samples = {"c = SparseConditionalAccumulator dtype=$dtype shape=[7 v]; has_known_shape=true/false dtype in "
                   "[float16, float32, float64]: c 0 [4] sorted in 0..7 [4 v] {7, v}; g = "
                   "SparseAccumulatorApplyGradient dtype=$dtype has_known_shape=false: c 0 [3] sorted in 0..7 [3 "
                   "v] {}; t = SparseAccumulatorTakeGradient dtype=$dtype: c 2",
                   "c = SparseConditionalAccumulator dtype=$dtype shape=[7]; s = AccumulatorSetGlobalStep: c 5; "
                   "has_known_shape=false dtype in [float16, float32, float64]: c 4 {0} [1] {}; n = "
                   "AccumulatorNumAccumulated: c"}},
      {.signature = "SparseAccumulatorTakeGradient(handle: ref string<Accumulator>, num_required: int32) -> "
                    "(indices: int64, values: dtype, shape: int64)",
       .attrs = "dtype: type in [numbers, quantized]",
       .doc = "Waits until the sum has num_required gradients, gives it with the indices of its rows and its "
              "shape, whose first dimension is that of the accumulator, and begins a new one (rules C2, C5).",
       .shape = "? [] -> [n] ? ?",
       .samples = {"c = SparseConditionalAccumulator dtype=$dtype shape=[5 b]; g = SparseAccumulatorApplyGradient "
                   "dtype=$dtype has_known_shape=false: c 0 {0, 2, 4} [3 b] {}; h = SparseAccumulatorApplyGradient "
                   "dtype=$dtype has_known_shape=false: c 0 {2, 3} [2 b] {}; dtype in [float16, float32, float64]: "
                   "c 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
