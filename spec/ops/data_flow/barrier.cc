#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes InsertManyShapes(const ShapeContext& c) {
  RequirePair(c, 0);
  const PartialShape keys = WithRank(c, 1, 1);
  const PartialShape& values = WithRankAtLeast(c, 2, 1);
  if (values.has_rank()) MergeDims(c, keys.dim(0), values.dim(0));
  return {};
}

Shapes TakeManyShapes(const ShapeContext& c) {
  Shapes shapes(static_cast<size_t>(c.num_outputs()), PartialShape::Unknown());
  shapes[0] = shapes[1] = PartialShape{-1};
  return shapes;
}

}  // namespace

std::span<const OpRow> DataFlowBarrier() {
  static const OpRow rows[] = {
      {.signature = "Barrier() -> (handle: ref string<KeyedQueue>) stateful",
       .attrs = "component_types: list(type) >= 1; shapes: list(shape) = [] >= 0; capacity: int = -1; container: "
                "string = ''; shared_name: string = ''",
       .doc = "A handle to tuples that are put together under keys, a component at a time, and taken out when they are "
              "complete (rules B1, B2).",
       .shape = "-> [2]",
       .samples = {"component_types=[float32, int32] shapes=[[2], []]: ; "
                   "a = BarrierInsertMany T=float32 component_index=0: this {'x', 'y', 'z'} [3 2]; "
                   "b = BarrierInsertMany T=int32 component_index=1: this {'z', 'x'} [2]; "
                   "n = BarrierReadySize: this; i = BarrierIncompleteSize: this; "
                   "t = BarrierTakeMany component_types=[float32, int32]: this 2; "
                   "m = BarrierReadySize: this"}},
      {.signature = "BarrierInsertMany(handle: ref string<KeyedQueue>, keys: string, values: T) -> ()",
       .attrs = "T: type; component_index: int",
       .doc = "Gives the tuples of these keys this component; keys that are not there begin new ones (rules B1–B3).",
       .cpu = "T in [numbers, bool, string, resource, variant]",
       .shape_fn = InsertManyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"b = Barrier component_types=$T shapes=[[2]]: ; "
                   "T in [numbers, bool, string] component_index=0: b {'x', 'y', 'x'} [3 2]; "
                   "n = BarrierReadySize: b; t = BarrierTakeMany component_types=$T allow_small_batch=true: b 1",
                   "b = Barrier component_types=[string, int64] shapes=[[], [2]]: ; "
                   "T in [int64] component_index=1: b {'x', 'y'} [2 2]; i = BarrierIncompleteSize: b; "
                   "a = BarrierInsertMany T=string component_index=0: b {'y'} [1]; "
                   "t = BarrierTakeMany component_types=[string, int64]: b 1"}},
      {.signature = "BarrierTakeMany(handle: ref string<KeyedQueue>, num_elements: int32) -> (indices: int64, keys: "
                    "string, values: list(component_types))",
       .attrs = "component_types: list(type) >= 1; allow_small_batch: bool = false; wait_for_incomplete: bool = false; "
                "timeout_ms: int = -1",
       .doc = "Takes num_elements complete tuples, those with the smallest indices first; waits until there are as "
              "many. With allow_small_batch a closed barrier gives what it has (rule B4).",
       .shape_fn = TakeManyShapes,
       .samples = {"b = Barrier component_types=[float32] shapes=[[2]]: ; "
                   "i = BarrierInsertMany T=float32 component_index=0: b {'x', 'y', 'z'} [3 2]; "
                   "component_types=[float32]: b 2; n = BarrierReadySize: b",
                   "b = Barrier component_types=[int32] shapes=[[]]: ; "
                   "i = BarrierInsertMany T=int32 component_index=0: b {'x', 'y'} [2]; c = BarrierClose: b; "
                   "component_types=[int32] allow_small_batch=true: b 5"}},
      {.signature = "BarrierClose(handle: ref string<KeyedQueue>) -> ()",
       .attrs = "cancel_pending_enqueues: bool = false",
       .doc = "No key can be begun any more, and with cancel_pending_enqueues none completed (rule B5).",
       .shape = "[2] ->",
       .samples = {"b = Barrier component_types=[int32, int32] shapes=[[], []]: ; "
                   "i = BarrierInsertMany T=int32 component_index=0: b {'x', 'y'} [2]; "
                   "cancel_pending_enqueues=false/true: b; n = BarrierIncompleteSize: b"}},
      {.signature = "BarrierReadySize(handle: ref string<KeyedQueue>) -> (size: int32)",
       .doc = "How many tuples are complete.",
       .shape = "[2] -> []",
       .samples = {"b = Barrier component_types=[int32] shapes=[[]]: ; "
                   "i = BarrierInsertMany T=int32 component_index=0: b {'x', 'y'} [2]; b"}},
      {.signature = "BarrierIncompleteSize(handle: ref string<KeyedQueue>) -> (size: int32)",
       .doc = "How many tuples have been begun and are not complete.",
       .shape = "[2] -> []",
       .samples = {"b = Barrier component_types=[int32, bool] shapes=[[], []]: ; "
                   "i = BarrierInsertMany T=int32 component_index=0: b {'x', 'y'} [2]; b"}},
  };
  return rows;
}

}  // namespace plumb::topics
