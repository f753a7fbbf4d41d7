#include "spec/ops/families.h"
#include "spec/ops/gradients.h"
#include "spec/ops/shape_rules.h"

namespace plumb {

std::span<const OpRow> ReductionOps() {
  static const OpRow rows[] = {
      {.signature = "Sum(input: T, reduction_indices: Tidx) -> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in [int32, int64]",
       .doc = "The sum over the named axes, which stay with size 1 if keep_dims. An axis outside [-rank, "
              "rank) is an error.",
       .shape_fn = shape_rules::Reduction,
       .accuracy = Summation(),
       .gradient = SumGradient,
       .sample = "keep_dims=false/true: [a b c] {0} | keep_dims=true/false: [a b] {0, -1} | [a b c e] {1, 3} | "
                 "[d...] {} | [a b] 1"},
      {.signature = "Mean(input: T, reduction_indices: Tidx) -> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in [int32, int64]",
       .doc = "The mean over the named axes, which stay with size 1 if keep_dims. An axis outside [-rank, "
              "rank) is an error.",
       .shape_fn = shape_rules::Reduction,
       .accuracy = Summation(),
       .gradient = MeanGradient,
       .sample = "keep_dims=false/true: [A b c] {0} | keep_dims=true/false: [A B] {0, -1} | [a B c E] {1, 3} | "
                 "[d...] {} | [a B] 1"},
      {.signature = "Prod(input: T, reduction_indices: Tidx) -> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in [int32, int64]",
       .doc = "The product over the named axes, which stay with size 1 if keep_dims. An axis outside [-rank, "
              "rank) is an error.",
       .shape_fn = shape_rules::Reduction,
       .accuracy = Composed(1),
       .gradient = ProdGradient,
       .sample = "T in [floats, complexes] keep_dims=false/true: [a b c] in 0.5..1.5 {0} | T in [floats, complexes]: "
                 "[a b] in -1.5..1.5 {0, -1} | T in [ints, quantized] keep_dims=true/false: [a b c e] {1, 3} | [d...] "
                 "{} | T in [ints]: [a b] 1"},
      {.signature = "Max(input: T, reduction_indices: Tidx) -> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [floats, ints, quantized]; Tidx: type = int32 in [int32, "
                "int64]",
       .doc = "The largest element (NaN if there is one) over the named axes, which stay with size 1 if "
              "keep_dims. An axis outside [-rank, rank) is an error.",
       .shape_fn = shape_rules::Reduction,
       .gradient = MaxGradient,
       .sample = "keep_dims=false/true: [a b c] {0} | keep_dims=true/false: [a b] {0, -1} | [a b c e] {1, 3} | "
                 "[d...] {} | [a b] 1"},
      {.signature = "Min(input: T, reduction_indices: Tidx) -> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [floats, ints, quantized]; Tidx: type = int32 in [int32, "
                "int64]",
       .doc = "The smallest element (NaN if there is one) over the named axes, which stay with size 1 if "
              "keep_dims. An axis outside [-rank, rank) is an error.",
       .shape_fn = shape_rules::Reduction,
       .gradient = MinGradient,
       .sample = "keep_dims=false/true: [a b c] {0} | keep_dims=true/false: [a b] {0, -1} | [a b c e] {1, 3} | "
                 "[d...] {} | [a b] 1"},
      {.signature = "All(input: bool, reduction_indices: Tidx) -> (output: bool)",
       .attrs = "keep_dims: bool = false; Tidx: type = int32 in [int32, int64]",
       .doc = "Whether all elements are true over the named axes, which stay with size 1 if keep_dims. An "
              "axis outside [-rank, rank) is an error.",
       .shape_fn = shape_rules::Reduction,
       .sample = "keep_dims=false/true: [a b c] {0} | keep_dims=true/false: [a b] {0, -1} | [a b c e] {1, 3} | "
                 "[d...] {} | [a b] 1"},
      {.signature = "Any(input: bool, reduction_indices: Tidx) -> (output: bool)",
       .attrs = "keep_dims: bool = false; Tidx: type = int32 in [int32, int64]",
       .doc = "Whether some element is true over the named axes, which stay with size 1 if keep_dims. An axis "
              "outside [-rank, rank) is an error.",
       .shape_fn = shape_rules::Reduction,
       .sample = "keep_dims=false/true: [a b c] {0} | keep_dims=true/false: [a b] {0, -1} | [a b c e] {1, 3} | "
                 "[d...] {} | [a b] 1"},
      {.signature = "ArgMax(input: T, dimension: Tidx) -> (output: output_type)",
       .attrs = "T: type in [floats, ints, quantized, bool]; Tidx: type = int32 in [int16, int32, int64]; "
                "output_type: type = int64 in [int16, uint16, int32, int64]",
       .doc = "The position of the largest element along `dimension`, the first one of several. A dimension "
              "of size 0 is an error.",
       .shape_fn = shape_rules::ArgMinMax,
       .gradient = ArgMaxGradient,
       .sample = "[a B c] finite 1 | [A b] finite 0 | [B] in 0..3 -1"},
      {.signature = "ArgMin(input: T, dimension: Tidx) -> (output: output_type)",
       .attrs = "T: type in [floats, ints, quantized, bool]; Tidx: type = int32 in [int32, int64]; output_type: "
                "type = int64 in [int32, int64]",
       .doc = "The position of the smallest element along `dimension`, the first one of several. A dimension "
              "of size 0 is an error.",
       .shape_fn = shape_rules::ArgMinMax,
       .gradient = ArgMinGradient,
       .sample = "[a B c] finite 1 | [A b] finite 0 | [B] in 0..3 -1"},
      {.signature = "TopKV2(input: T, k: int32) -> (values: T, indices: int32)",
       .attrs = "sorted: bool = true; T: type in [floats, ints]",
       .doc = "The k largest elements of each row of the last dimension in falling order, and their "
              "positions; equal ones in the order of their positions.",
       .shape_fn = shape_rules::TopK,
       .gradient = TopKV2Gradient,
       .sample = "[a 5] finite 3 | [d... K] finite 1 | [6] in 0..3 6"},
      {.signature = "InTopK(predictions: float32, targets: T) -> (precision: bool)",
       .attrs = "k: int; T: type = int32 in [int32, int64]",
       .doc = "For each row whether the target class is among the k largest predictions; ties with the last "
              "place count. Not so for a target out of range or a prediction that is not finite.",
       .shape = "[b c] [b] -> [b]",
       .sample = "k=2: [b 4] [b] in 0..5 | k=1: [b 3] finite [b] in 0..3"},
      {.signature = "Cumsum(x: T, axis: Tidx) -> (out: T)",
       .attrs =
           "exclusive: bool = false; reverse: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in "
           "[int32, int64]",
       .doc = "The sums of the elements up to each one along the axis; without the element itself if exclusive, from "
              "the end if reverse.",
       .shape = "[d...] [] -> [d...]",
       .accuracy = Summation(),
       .gradient = CumsumGradient,
       .sample = "exclusive=false/true reverse=false/true: [a b c] 1 | [a b] -1 | [a] 0"},
      {.signature = "Cumprod(x: T, axis: Tidx) -> (out: T)",
       .attrs =
           "exclusive: bool = false; reverse: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in "
           "[int32, int64]",
       .doc =
           "The products of the elements up to each one along the axis; without the element itself if exclusive, from "
           "the end if reverse.",
       .shape = "[d...] [] -> [d...]",
       .accuracy = Composed(1),
       .gradient = CumprodGradient,
       .sample = "exclusive=false/true reverse=false/true: [a b c] 1 | [a b] -1 | [a] 0"},
      {.signature = "UnsortedSegmentSum(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; Tnumsegments: type = int32 "
                "in [int32, int64]",
       .doc = "The rows of data added up by their segment number, one output row for each of num_segments. "
              "Negative numbers are skipped; one that is too large is an error.",
       .shape_fn = shape_rules::UnsortedSegment,
       .accuracy = Summation(),
       .gradient = UnsortedSegmentSumGradient,
       .sample = "[a b] [a] in 0..4 4 | [a b c] [a b] in -1..3 3 | [] 0 2"},
  };
  return rows;
}

}  // namespace plumb
