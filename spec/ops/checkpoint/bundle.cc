#include "spec/checkpoint/slice.h"
#include "spec/ops/checkpoint/restored_shapes.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

constexpr int kFixedInputs = 3;

Shapes SaveV2Shapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  for (const int i : {1, 2}) MergeDims(c, WithRank(c, i, 1).dim(0), c.num_inputs() - kFixedInputs);
  return {};
}

Shapes RestoreV2Shapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  MergeShapes(c, WithRank(c, 1, 1), WithRank(c, 2, 1));
  return RestoredShapes(c, 2);
}

Shapes MergedBundleShapes(const ShapeContext& c) {
  WithRank(c, 0, 1);
  RequireScalar(c, 1);
  return {};
}

}  // namespace

std::span<const OpRow> CheckpointBundle() {
  static const OpRow rows[] = {
      {.signature =
           "SaveV2(prefix: string, tensor_names: string, shape_and_slices: string, tensors: list(dtypes)) -> () "
           "stateful",
       .attrs = "dtypes: list(type) >= 1",
       .doc =
           "Writes a checkpoint, a tensor under each name. Where shape_and_slices is not empty, the tensor is a part: "
           "'6 4 0,3:-' are the first 3 rows of a [6,4] (rules Z30, Z40).",
       .shape_fn = SaveV2Shapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"dtypes=[float32, int64]: 'c' {'b', 'a'} {'', ''} ([2 3] [n]); "
                   "r = RestoreV2 dtypes=[int64, float32]: 'c' {'a', 'b'} {'', ''}; "
                   "i = ReadFile: 'c.index'; d = ReadFile: 'c.data-00000-of-00001'",
                   "dtypes=[float32]: 'd/c' {'a'} {'6 4 0,3:-'} ([3 4]); "
                   "r = RestoreV2 dtypes=[float32]: 'd/c' {'a'} {'6 4 1,2:-'}",
                   "dtypes=[string, bool]: 'c' {'a', 'b'} {'', ''} ([n] [2]); "
                   "r = RestoreV2 dtypes=[bool, string]: 'c' {'b', 'a'} {'', ''}; i = ReadFile: 'c.index'"}},
      {.signature = "RestoreV2(prefix: string, tensor_names: string, shape_and_slices: string) -> (tensors: "
                    "list(dtypes)) stateful",
       .attrs = "dtypes: list(type) >= 1",
       .doc = "Reads tensors, or parts of them, from a checkpoint; one of the first format where there is no other.",
       .shape_fn = RestoreV2Shapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"s = SaveV2 dtypes=[float32, int64]: 'c' {'b', 'a'} {'', ''} ([2 3] [n]); "
                   "dtypes=[float32, int64]: 'c' {'b', 'a'} {'', ''}",
                   "s = SaveV2 dtypes=[float32]: 'c' {'a'} {''} ([4 3]); dtypes=[float32]: 'c' {'a'} {'4 3 1,2:0,2'}",
                   "s = Save T=[float32]: 'c' {'a'} ([4 3]); dtypes=[float32]: 'c' {'a'} {''}",
                   "s = SaveV2 dtypes=[float32]: 'c' {'a'} {''} ([2]); dtypes=[float32]: 'c' {'b'} {''}"}},
      {.signature = "MergeV2Checkpoints(checkpoint_prefixes: string, destination_prefix: string) -> () stateful",
       .attrs = "delete_old_dirs: bool = true; allow_missing_files: bool = false",
       .doc = "Joins checkpoints into one: their data files are renamed (rule Z37).",
       .shape_fn = MergedBundleShapes,
       .samples = {"s = SaveV2 dtypes=[float32]: 'd/a' {'x'} {''} ([2]); "
                   "t = SaveV2 dtypes=[int32]: 'e/b' {'y'} {''} ([3]); "
                   "delete_old_dirs=true/false: {'d/a', 'e/b'} 'c'; "
                   "r = RestoreV2 dtypes=[float32, int32]: 'c' {'x', 'y'} {'', ''}; m = MatchingFiles: {'*', '*/*'}"}},
  };
  return rows;
}

}  // namespace plumb::topics
