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
       .samples = {"-: it writes files; checkpoint_test.cc gives it some"}},
      {.signature = "RestoreV2(prefix: string, tensor_names: string, shape_and_slices: string) -> (tensors: "
                    "list(dtypes)) stateful",
       .attrs = "dtypes: list(type) >= 1",
       .doc = "Reads tensors, or parts of them, from a checkpoint; one of the first format where there is no other.",
       .shape_fn = RestoreV2Shapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"-: it needs files; checkpoint_test.cc writes some"}},
      {.signature = "MergeV2Checkpoints(checkpoint_prefixes: string, destination_prefix: string) -> () stateful",
       .attrs = "delete_old_dirs: bool = true; allow_missing_files: bool = false",
       .doc = "Joins checkpoints into one: their data files are renamed (rule Z37).",
       .shape_fn = MergedBundleShapes,
       .samples = {"-: it needs files; checkpoint_test.cc writes some"}},
  };
  return rows;
}

}  // namespace plumb::topics
