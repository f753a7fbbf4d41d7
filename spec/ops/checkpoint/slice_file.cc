#include "spec/ops/checkpoint/restored_shapes.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SaveShapes(const ShapeContext& c) {
  constexpr int kFixedInputs = 2;
  RequireScalar(c, 0);
  MergeDims(c, WithRank(c, 1, 1).dim(0), c.num_inputs() - kFixedInputs);
  return {};
}
Shapes SaveSlicesShapes(const ShapeContext& c) {
  constexpr int kFixedInputs = 3;
  RequireScalar(c, 0);
  for (const int i : {1, 2}) MergeDims(c, WithRank(c, i, 1).dim(0), c.num_inputs() - kFixedInputs);
  return {};
}

Shapes RestoreShapes(const ShapeContext& c) {
  for (const int i : {0, 1}) RequireScalar(c, i);
  return {PartialShape::Unknown()};
}
Shapes RestoreSliceShapes(const ShapeContext& c) {
  for (const int i : {0, 1, 2}) RequireScalar(c, i);
  return RestoredShapes(c, 2);
}

}  // namespace

std::span<const OpRow> CheckpointSliceFile() {
  static const OpRow rows[] = {
      {.signature = "Save(filename: string, tensor_names: string, data: list(T)) -> () stateful",
       .attrs = "T: list(type) >= 1",
       .doc = "Writes a checkpoint of the first format: one file, a tensor under each name (rule Z52).",
       .shape_fn = SaveShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"T=[float32]: 'f' {'a'} ([2 3]); r = Restore dt=float32: 'f' 'a'; f = ReadFile: 'f'",
                   "T=[int64, float64]: 'f' {'b', 'a'} ([n] []); r = Restore dt=int64: 'f' 'b'; "
                   "s = Restore dt=float64: 'f' 'a'"}},
      {.signature =
           "SaveSlices(filename: string, tensor_names: string, shapes_and_slices: string, data: list(T)) -> () "
           "stateful",
       .attrs = "T: list(type) >= 1",
       .doc = "As Save, of parts: '6 4 0,3:-' are the first 3 rows of a [6,4], an empty text stands for the whole.",
       .shape_fn = SaveSlicesShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"T=[float32]: 'f' {'a'} {'6 4 0,3:-'} ([3 4]); "
                   "r = RestoreSlice dt=float32: 'f' 'a' '6 4 1,2:-'; f = ReadFile: 'f'",
                   "T=[int32]: 'f' {'a'} {''} ([n 2]); r = Restore dt=int32: 'f' 'a'"}},
      {.signature = "Restore(file_pattern: string, tensor_name: string) -> (tensor: dt) stateful",
       .attrs = "dt: type; preferred_shard: int = -1",
       .doc =
           "Reads a tensor from the checkpoint of the first format that the matching files are. preferred_shard says "
           "where it probably lies.",
       .shape_fn = RestoreShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"s = Save T=$dt: 'f' {'a'} ([2 3]); "
                   "dt in [float16, float32, float64, complexes, int8, int16, int32, int64, uint8, uint16, bool, "
                   "string]: 'f' 'a'",
                   "s = Save T=[int64]: 'f' {'a'} ([n]); dt in [int64]: 'f' 'a'",
                   "s = Save T=[float64]: 'f' {'a'} ([]); dt in [float64] preferred_shard=0: 'f' 'a'"}},
      {.signature = "RestoreSlice(file_pattern: string, tensor_name: string, shape_and_slice: string) -> (tensor: dt) "
                    "stateful",
       .attrs = "dt: type; preferred_shard: int = -1",
       .doc = "As Restore, of a part.",
       .shape_fn = RestoreSliceShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples =
           {"s = Save T=$dt: 'f' {'a'} ([4 3]); "
            "dt in [float16, float32, float64, complexes, int8, int16, int32, int64, uint8, uint16, bool, string]: "
            "'f' 'a' '4 3 1,2:0,2'",
            "s = SaveSlices T=[int32]: 'f' {'a'} {'6 4 0,3:-'} ([3 4]); dt in [int32]: 'f' 'a' '6 4 1,2:-'",
            "s = Save T=[float64]: 'f' {'a'} ([n]); dt in [float64]: 'f' 'a' ''"}},
  };
  return rows;
}

}  // namespace plumb::topics
