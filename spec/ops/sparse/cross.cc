#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> SparseCross() {
  static const OpRow rows[] = {
      {.signature = "SparseCross(indices: int64*N, values: list(sparse_types), shapes: int64*N, dense_inputs: "
                    "list(dense_types)) -> (output_indices: int64, output_values: out_type, output_shape: int64)",
       .attrs = "N: int >= 0; hashed_output: bool; num_buckets: int >= 0; hash_key: int; sparse_types: list(type) >= 0 "
                "in [int64, string]; dense_types: list(type) >= 0 in [int64, string]; out_type: type in [int64, "
                "string]; internal_type: type in [int64, string]",
       .doc = "All combinations of the elements of each row: one of every sparse matrix, then one of every dense one. "
              "They are joined by '_X_', or, for out_type int64, hashed: whole numbers as they are, strings by their "
              "fingerprints, the sum modulo num_buckets, if that is not 0. The rows of the sparse matrices ascend.",
       .shape = "? ? ? ? -> [n 2] [n] [2]",
       .samples = {"N=2 hashed_output=false num_buckets=0 hash_key=1 sparse_types=[string, string] "
                   "dense_types=[string] out_type in [string] internal_type in [string]: ({{0, 0}, {0, 1}, {2, 0}} "
                   "{{0, 0}, {1, 0}, {2, 0}, {2, 1}}) ([3] [4]) ({3, 2} {3, 2}) ([3 2])",
                   "N=1 hashed_output=true num_buckets=0/7 hash_key=5 sparse_types=[int64] dense_types=[string] "
                   "out_type in [int64] internal_type in [int64]: ({{0, 0}, {0, 1}, {2, 0}}) ([3]) ({3, 2}) ([3 2])",
                   "N=1 hashed_output=true num_buckets=0/7 hash_key=5 sparse_types=[string] dense_types=[string] "
                   "out_type in [int64] internal_type in [string]: ({{0, 0}, {0, 1}, {2, 0}}) ([3]) ({3, 2}) ([3 2])",
                   "N=1 hashed_output=false num_buckets=0 hash_key=1 sparse_types=[int64] dense_types=[int64] out_type "
                   "in [string] internal_type in [int64]: ({{0, 0}, {1, 0}}) ([2]) ({2, 1}) ([2 b])"}},
      {.signature =
           "SparseCrossV2(indices: int64*N, values: list(sparse_types), shapes: int64*N, dense_inputs: "
           "list(dense_types), sep: string) -> (output_indices: int64, output_values: string, output_shape: int64)",
       .attrs = "N: int >= 0; sparse_types: list(type) >= 0 in [int64, string]; dense_types: list(type) >= 0 in "
                "[int64, string]",
       .doc = "All combinations of the elements of each row, joined by sep: one of every sparse matrix, then one of "
              "every dense one. The rows of the sparse matrices ascend.",
       .shape = "? ? ? ? ? -> [n 2] [n] [2]",
       .samples = {"N=2 sparse_types=[string, int64] dense_types=[string]: ({{0, 0}, {0, 1}, {2, 0}} {{0, 0}, {1, 0}, "
                   "{2, 0}, {2, 1}}) ([3] [4]) ({3, 2} {3, 2}) ([3 2]) '-'",
                   "N=1 sparse_types=[string] dense_types=[int64]: ({{0, 0}, {1, 0}}) ([2]) ({2, 1}) ([2 b]) ''"}},
  };
  return rows;
}

}  // namespace plumb::topics
