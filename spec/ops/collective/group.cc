#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// CO4: as many rows as all members bring.
Shapes GatherShapes(const ShapeContext& c) {
  const PartialShape& shape = WithRankAtLeast(c, 0, 1);
  if (!shape.has_rank()) return {PartialShape::Unknown()};
  return {WithDim(shape, 0, MultiplySizes(c, shape.dim(0), c.attr<int64_t>("group_size")))};
}

}  // namespace

std::span<const OpRow> CollectiveGroup() {
  static const OpRow rows[] = {
      {.signature = "CollectiveReduce(input: T) -> (data: T) stateful meets_group",
       .attrs = "T: type in [bfloat16, float32, float16, float64, int32, int64]; group_size: int; group_key: int; "
                "instance_key: int; merge_op: string in ['Min', 'Max', 'Mul', 'Add']; final_op: string in ['Id', "
                "'Div']; subdiv_offsets: list(int); wait_for: list(int) = []; communication_hint: string = 'auto'; "
                "timeout_seconds: float = 0.0",
       .doc = "What the members of a group bring, merged element by element in the order of their devices (rule CO3).",
       .shape = "[s...] -> [s...]",
       .accuracy = Composed(1),
       .samples = {"group_size=1 group_key=1 instance_key=1 merge_op='Add' final_op='Id' subdiv_offsets=[]: [n m]",
                   "group_size=1 group_key=1 instance_key=2 merge_op='Max' final_op='Div' subdiv_offsets=[0]: [n]"}},
      {.signature = "CollectiveGather(input: T) -> (data: T) stateful meets_group",
       .attrs = "T: type in [float32, float16, float64, int32, int64]; group_size: int; group_key: int; instance_key: "
                "int; shape: shape; communication_hint: string = 'auto'; timeout_seconds: float = 0.0",
       .doc = "What the members of a group bring, one after the other in the order of their devices (rule CO4).",
       .shape_fn = GatherShapes,
       .samples = {"group_size=1 group_key=1 instance_key=3 shape=[0]: [n m]"}},
      {.signature = "CollectiveBcastSend(input: T) -> (data: T) stateful meets_group",
       .attrs = "T: type in [bool, float32, float16, float64, int32, int64]; group_size: int; group_key: int; "
                "instance_key: int; shape: shape; communication_hint: string = 'auto'; timeout_seconds: float = 0.0",
       .doc = "Gives its input to all members of a group (rule CO5).",
       .shape_fn = OfShapeAttr,
       .strictness = Strictness::kRepeatsDeclaration,
       .samples = {"group_size=1 group_key=1 instance_key=4 shape=[a b]: [a b]"}},
      {.signature = "CollectiveBcastRecv() -> (data: T) stateful meets_group",
       .attrs = "T: type in [bool, float32, float16, float64, int32, int64]; group_size: int; group_key: int; "
                "instance_key: int; shape: shape; communication_hint: string = 'auto'; timeout_seconds: float = 0.0",
       .doc = "What the CollectiveBcastSend of its group has as its input (rule CO5).",
       .shape_fn = OfShapeAttr,
       .strictness = Strictness::kRepeatsDeclaration,
       .samples = {"-: it needs one who sends, on another device; group_test.cc has both"}},
  };
  return rows;
}

}  // namespace plumb::topics
