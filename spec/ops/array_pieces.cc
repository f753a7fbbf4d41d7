#include "spec/ops/families.h"
#include "spec/ops/gradients.h"
#include "spec/ops/shape_rules.h"

namespace plumb {

std::span<const OpRow> ArrayPieceOps() {
  static const OpRow rows[] = {
      {.signature = "ConcatV2(values: T*N, axis: Tidx) -> (output: T)",
       .attrs = "N: int >= 2; T: type; Tidx: type = int32 in [int32, int64]",
       .doc = "The values joined along `axis`. They must agree in rank and in all other dimensions; scalars "
              "cannot be joined.",
       .shape_fn = shape_rules::ConcatV2,
       .gradient = ConcatV2Gradient,
       .sample = "([a 2 c] [a 3 c] [a 0 c]) 1 | ([a] [b]) -1 | ([a c] [b c]) 0"},
      {.signature = "Pack(values: T*N) -> (output: T)",
       .attrs = "N: int >= 1; T: type; axis: int = 0",
       .doc = "The values, all of one shape, side by side along a new dimension `axis`.",
       .shape_fn = shape_rules::Pack,
       .gradient = PackGradient,
       .sample = "axis=0/-1/1: ([a b] [a b] [a b]) | ([] [])"},
      {.signature = "Unpack(value: T) -> (output: T*num)",
       .attrs = "num: int >= 0; T: type; axis: int = 0",
       .doc = "The slices of value along the dimension `axis`, whose size must be `num`; each without that "
              "dimension.",
       .shape_fn = shape_rules::Unpack,
       .gradient = UnpackGradient,
       .sample = "num=3 axis=1/-2: [a 3 c] | num=2: [2] | num=0: [0 a]"},
      {.signature = "Split(split_dim: int32, value: T) -> (output: T*num_split)",
       .attrs = "num_split: int >= 1; T: type",
       .doc = "value cut along split_dim into num_split equal pieces. A size that does not divide is an error.",
       .shape_fn = shape_rules::Split,
       .gradient = SplitGradient,
       .sample = "num_split=3: 1 [a 6] | num_split=2: -2 [4 b] | num_split=1: 0 [a b]"},
      {.signature = "SplitV(value: T, size_splits: Tlen, split_dim: int32) -> (output: T*num_split)",
       .attrs = "num_split: int >= 1; T: type; Tlen: type = int64 in [int8, int32, int64]",
       .doc = "value cut along split_dim into pieces of the given sizes. One size may be -1: what is left "
              "over; else they must add up.",
       .shape_fn = shape_rules::SplitV,
       .gradient = SplitVGradient,
       .sample = "num_split=3: [a 6] {1, -1, 2} 1 | num_split=2: [5 b] {0, 5} -2"},
      {.signature = "Slice(input: T, begin: Index, size: Index) -> (output: T)",
       .attrs = "T: type; Index: type in [int32, int64]",
       .doc = "The box of `size` elements that starts at `begin`; a size of -1 reaches to the end. A box that "
              "sticks out is an error.",
       .shape_fn = shape_rules::Slice,
       .gradient = SliceGradient,
       .sample = "[4 5] {1, 2} {2, -1} | [a 3] {0, 1} {a, 2} | [3] {3} {0} | [] {} {}"},
      {.signature = "StridedSlice(input: T, begin: Index, end: Index, strides: Index) -> (output: T)",
       .attrs = "T: type; Index: type in [int16, int32, int64]; begin_mask: int = 0; end_mask: int = 0; "
                "ellipsis_mask: int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
       .doc = "Python's input[begin:end:strides]. Bit i of a mask concerns slot i: begin_mask and end_mask "
              "take the whole range on that side, ellipsis_mask is \"…\", new_axis_mask inserts a dimension, "
              "shrink_axis_mask takes one index and drops the dimension.",
       .shape_fn = shape_rules::StridedSlice,
       .gradient = StridedSliceGradient,
       .sample = "[4 5] {1, 0} {3, 4} {1, 2} | begin_mask=1 end_mask=2: [4 5] {1, -1} {3, 0} {1, -1} | "
                 "shrink_axis_mask=2: [4 5 b] {0, 2} {3, 3} {2, 1} | ellipsis_mask=2 new_axis_mask=1: [4 b 3] "
                 "{0, 0, 1} {0, 0, 3} {1, 1, 1} | [4] {-1} {-5} {-2}"},
      {.signature = "StridedSliceGrad(shape: Index, begin: Index, end: Index, strides: Index, dy: T) -> (output: T)",
       .attrs = "T: type; Index: type in [int32, int64]; begin_mask: int = 0; end_mask: int = 0; ellipsis_mask: "
                "int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
       .doc = "Zeros of the shape `shape`, with dy where StridedSlice of such a tensor would read.",
       .shape_fn = shape_rules::StridedSliceGrad,
       .gradient = StridedSliceGradGradient,
       .sample = "{4, 5} {1, 0} {3, 4} {1, 2} [2 2] | shrink_axis_mask=1: {3, 2} {1, 0} {2, 2} {1, 1} [2] | "
                 "begin_mask=1 end_mask=1: {4} {0} {0} {-1} [4]"},
      {.signature = "Pad(input: T, paddings: Tpaddings) -> (output: T)",
       .attrs = "T: type; Tpaddings: type = int32 in [int32, int64]",
       .doc = "The input with zeros around it: row i of `paddings` says how many before and after dimension "
              "i. Negative amounts are an error.",
       .shape_fn = shape_rules::Pad,
       .gradient = PadGradient,
       .sample = "[a b] {{1, 0}, {2, 3}} | [a] {{0, 0}} | [] [0 2]"},
      {.signature = "Tile(input: T, multiples: Tmultiples) -> (output: T)",
       .attrs = "T: type; Tmultiples: type = int32 in [int32, int64]",
       .doc = "The input repeated multiples[i] times along each dimension i.",
       .shape_fn = shape_rules::Tile,
       .gradient = TileGradient,
       .sample = "[a b] {2, 3} | [a] {0} | [] {}"},
      {.signature = "TileGrad(input: T, multiples: int32) -> (output: T)",
       .attrs = "T: type",
       .doc = "The gradient of Tile: the tiles of the input added up.",
       .shape = "? [?] -> ?",
       .accuracy = Summation(),
       .sample = "[4 6] {2, 3} | [6] {1}",
       .deprecated = {3, "TileGrad has been replaced with reduce_sum"}},
      {.signature = "Transpose(x: T, perm: Tperm) -> (y: T)",
       .attrs = "T: type; Tperm: type = int32 in [int32, int64]",
       .doc = "The input with its dimensions in another order: dimension i of y is dimension perm[i] of x. "
              "perm must be a permutation.",
       .shape_fn = shape_rules::Transpose,
       .gradient = TransposeGradient,
       .sample = "[a b c] {2, 0, 1} | [a b] {1, 0} | [] {} | [a b c e] [4] permutation"},
      {.signature = "ReverseV2(tensor: T, axis: Tidx) -> (output: T)",
       .attrs = "Tidx: type = int32 in [int32, int64]; T: type in [numbers, bool, string]",
       .doc = "The tensor read backwards along each of the axes; naming one twice is an error.",
       .shape_fn = shape_rules::ReverseV2,
       .gradient = ReverseV2Gradient,
       .sample = "[a b c] {0, -1} | [a b] {1} | [d...] {}"},
      {.signature = "ReverseSequence(input: T, seq_lengths: Tlen) -> (output: T)",
       .attrs = "seq_dim: int; batch_dim: int = 0; T: type; Tlen: type = int64 in [int32, int64]",
       .doc = "For each index b of dimension batch_dim, the first seq_lengths[b] slices of dimension seq_dim "
              "reversed, the others as they were. A length outside [0, size] is an error.",
       .shape_fn = shape_rules::ReverseSequence,
       .gradient = ReverseSequenceGradient,
       .sample = "seq_dim=1: [b 4 c] [b] in 0..5 | seq_dim=0 batch_dim=1: [3 b] [b] in 0..4"},
      {.signature = "GatherV2(params: Tparams, indices: Tindices, axis: Taxis) -> (output: Tparams)",
       .attrs = "batch_dims: int = 0; Tparams: type; Tindices: type in [int16, int32, int64]; Taxis: type in "
                "[int32, int64]",
       .doc = "The slices of params along `axis` that the indices name. The first batch_dims dimensions of "
              "params and indices run together. An index outside the axis is an error.",
       .shape_fn = shape_rules::GatherV2,
       .gradient = GatherV2Gradient,
       .sample = "[P b] [n] in 0..P 0 | [a P c] [i j] in 0..P 1 | [P] [] in 0..P -1 | batch_dims=1: [b P c] [b "
                 "3] in 0..P 1"},
      {.signature = "DynamicPartition(data: T, partitions: int32) -> (outputs: T*num_partitions)",
       .attrs = "num_partitions: int >= 1; T: type",
       .doc = "The slices of data sorted into num_partitions outputs as `partitions` says, in their order. "
              "The shape of partitions must begin the shape of data; a number out of range is an error.",
       .shape_fn = shape_rules::DynamicPartition,
       .gradient = DynamicPartitionGradient,
       .sample = "num_partitions=3: [a b] [a] in 0..3 | num_partitions=2: [a b c] [a b] in 0..2 | "
                 "num_partitions=1: [] 0"},
      {.signature = "DynamicStitch(indices: int32*N, data: T*N) -> (merged: T)",
       .attrs = "N: int >= 1; T: type",
       .doc = "merged[indices[m][i]] = data[m][i]; where an index appears twice the later one stands. Rows "
              "that no index names are zeros.",
       .shape_fn = shape_rules::DynamicStitch,
       .gradient = DynamicStitchGradient,
       .sample = "({0, 2} {1, 3, 1}) ([2 b] [3 b]) | (1 {0}) ([b] [1 b]) | ({{0, 1}, {3, 2}}) ([2 2])"},
  };
  return rows;
}

}  // namespace plumb
