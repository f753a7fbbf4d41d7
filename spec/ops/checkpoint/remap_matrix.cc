#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes RemappedShapes(const ShapeContext& c) {
  RequireScalar(c, 1);
  return {PartialShape({c.attr<int64_t>("num_rows"), c.attr<int64_t>("num_cols")})};
}

}  // namespace

std::span<const OpRow> CheckpointRemapMatrix() {
  static const OpRow rows[] = {
      {.signature = "LoadAndRemapMatrix(ckpt_path: string, old_tensor_name: string, row_remapping: int64, "
                    "col_remapping: int64, initializing_values: float32) -> (output_matrix: float32) stateful",
       .attrs = "num_rows: int >= 0; num_cols: int >= 1; max_rows_in_memory: int = -1",
       .doc = "Row i is row row_remapping[i] of a matrix in a checkpoint, column j its column col_remapping[j]; no "
              "col_remapping: all columns as they are. Where one is negative, initializing_values are taken in order, "
              "and all of them must be.",
       .shape_fn = RemappedShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = BlocksGradient(),
       .samples = {"s = SaveV2 dtypes=[float32]: 'c' {'m'} {''} ([3 2]); "
                   "num_rows=2 num_cols=2: 'c' 'm' {2, 0} {1, 0} [0]",
                   "s = SaveV2 dtypes=[float32]: 'c' {'m'} {''} ([3 2]); "
                   "num_rows=3 num_cols=2 max_rows_in_memory=-1/1: 'c' 'm' {1, -1, 0} [0] [2]",
                   "s = SaveV2 dtypes=[float32]: 'c' {'m'} {''} ([2 3]); "
                   "num_rows=2 num_cols=2: 'c' 'm' {1, 0} {2, -1} [2]"}},
  };
  return rows;
}

}  // namespace plumb::topics
