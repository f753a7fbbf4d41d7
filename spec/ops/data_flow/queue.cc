#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The components' shapes are the queue's affair, and n the kernel's.
Shapes BatchShapes(const ShapeContext& c) { return Shapes(static_cast<size_t>(c.num_outputs())); }
// But for a number that is known to be negative.
Shapes CountedShapes(const ShapeContext& c) {
  const auto n = ConstantInt(c, 1);
  Require(n.value_or(0) >= 0, InputName(c, 1), " must not be negative: it is ", n.value_or(0));
  return BatchShapes(c);
}

}  // namespace

std::span<const OpRow> DataFlowQueue() {
  static const OpRow rows[] = {
      {.signature = "QueueEnqueueV2(handle: resource<Queue>, components: list(Tcomponents)) -> () stateful",
       .attrs = "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
       .doc = "Puts one element at the end of the queue; waits while it is full (rule Q10).",
       .shape = "? ? ->",
       .samples = {"q = FIFOQueueV2 component_types=[float32, string]: ; "
                   "Tcomponents=[float32, string]: q ([a] [b c]); "
                   "d = QueueDequeueV2 component_types=[float32, string]: q",
                   "q = FIFOQueueV2 component_types=[float32] shapes=[[2]] capacity=1: ; "
                   "Tcomponents=[float32]: q ([2]); "
                   "n = QueueSizeV2: q"}},
      {.signature = "QueueEnqueueManyV2(handle: resource<Queue>, components: list(Tcomponents)) -> () stateful",
       .attrs = "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
       .doc = "Puts the rows of the components at the end of the queue, one element each; waits whenever it is full "
              "(rule Q11).",
       .shape = "? ? ->",
       .samples = {"q = FIFOQueueV2 component_types=[float32, int64]: ; "
                   "Tcomponents=[float32, int64]: q ([N b] [N]); "
                   "n = QueueSizeV2: q; "
                   "d = QueueDequeueV2 component_types=[float32, int64]: q",
                   "q = FIFOQueueV2 component_types=[string]: ; "
                   "c = QueueCloseV2: q; "
                   "Tcomponents=[string]: q ([0 2]); "
                   "n = QueueSizeV2: q"}},
      {.signature =
           "QueueDequeueV2(handle: resource<Queue>) -> (components: list(component_types)) stateful gives_back",
       .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
       .doc = "Takes the first element; waits while there is none. OUT_OF_RANGE when the queue is closed and empty "
              "(rule Q20).",
       .shape = "? -> ?",
       .samples = {"q = FIFOQueueV2 component_types=[float32, string]: ; "
                   "e = QueueEnqueueV2 Tcomponents=[float32, string]: q ([a] [b c]); "
                   "component_types=[float32, string]: q; "
                   "n = QueueSizeV2: q",
                   "q = FIFOQueueV2 component_types=[int32]: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[int32]: q ([2 a]); "
                   "component_types=[int32]: q; "
                   "d = QueueDequeueV2 component_types=[int32]: q"}},
      {.signature = "QueueDequeueManyV2(handle: resource<Queue>, n: int32) -> (components: list(component_types)) "
                    "stateful",
       .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
       .doc = "Takes n elements as they come and stacks each component along a new first axis. The queue's shapes "
              "must be known. OUT_OF_RANGE when the queue is closed and has fewer (rules Q21, Q22).",
       .shape_fn = CountedShapes,
       .samples = {"q = FIFOQueueV2 component_types=[float32, string] shapes=[[2], []]: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[float32, string]: q ([4 2] [4]); "
                   "component_types=[float32, string]: q 3; "
                   "n = QueueSizeV2: q",
                   "q = FIFOQueueV2 component_types=[int64] shapes=[[3]]: ; component_types=[int64]: q 0",
                   "q = FIFOQueueV2 component_types=[bool] shapes=[[2]]: ; "
                   "e = QueueEnqueueV2 Tcomponents=[bool]: q ([2]); "
                   "component_types=[bool]: q 1",
                   "q = FIFOQueueV2 component_types=[float32] shapes=[[4]]: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[float32]: q ([N 4]); "
                   "component_types=[float32]: q [] in 0..N"}},
      {.signature = "QueueDequeueUpToV2(handle: resource<Queue>, n: int32) -> (components: list(component_types)) "
                    "stateful",
       .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
       .doc = "As QueueDequeueMany, but a closed queue gives what it has left, if that is anything (rule Q23).",
       .shape_fn = BatchShapes,
       .samples = {"q = FIFOQueueV2 component_types=[int32] shapes=[[]]: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[int32]: q ([3]); "
                   "c = QueueCloseV2: q; "
                   "component_types=[int32]: q 5; "
                   "n = QueueSizeV2: q",
                   "q = FIFOQueueV2 component_types=[float64] shapes=[[2]]: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[float64]: q ([3 2]); "
                   "component_types=[float64]: q 2; "
                   "n = QueueSizeV2: q"}},
      {.signature = "QueueCloseV2(handle: resource<Queue>) -> () stateful",
       .attrs = "cancel_pending_enqueues: bool = false",
       .doc = "Closes the queue once those who already wait to put elements into it are done, or at once: then they "
              "fail (rules Q30, Q31).",
       .shape = "? ->",
       .samples = {"q = FIFOQueueV2 component_types=[float32]: ; "
                   "cancel_pending_enqueues=true/false: q; "
                   "s = QueueIsClosedV2: q"}},
      {.signature = "QueueIsClosedV2(handle: resource<Queue>) -> (is_closed: bool) stateful",
       .doc = "Whether the queue is closed.",
       .shape = "? -> []",
       .samples = {"q = FIFOQueueV2 component_types=[float32]: ; q",
                   "q = FIFOQueueV2 component_types=[float32]: ; c = QueueCloseV2: q; q"}},
      {.signature = "QueueSizeV2(handle: resource<Queue>) -> (size: int32) stateful",
       .doc = "How many elements the queue holds (rule Q6).",
       .shape = "? -> []",
       .samples = {"q = FIFOQueueV2 component_types=[float32]: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[float32]: q ([n 2]); "
                   "q"}},
      {.signature = "QueueEnqueue(handle: ref string<Queue>, components: list(Tcomponents)) -> ()",
       .attrs = "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
       .doc = "Puts one element at the end of the queue; waits while it is full (rule Q10).",
       .shape = "? ? ->",
       .gradient = BlocksGradient(),
       .samples = {"q = FIFOQueue component_types=[float32, string]: ; "
                   "Tcomponents=[float32, string]: q ([a] [b c]); "
                   "d = QueueDequeue component_types=[float32, string]: q",
                   "q = FIFOQueue component_types=[float32] shapes=[[2]] capacity=1: ; "
                   "Tcomponents=[float32]: q ([2]); "
                   "n = QueueSize: q"}},
      {.signature = "QueueEnqueueMany(handle: ref string<Queue>, components: list(Tcomponents)) -> ()",
       .attrs = "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
       .doc = "Puts the rows of the components at the end of the queue, one element each; waits whenever it is full "
              "(rule Q11).",
       .shape = "? ? ->",
       .gradient = BlocksGradient(),
       .samples = {"q = FIFOQueue component_types=[float32, int64]: ; "
                   "Tcomponents=[float32, int64]: q ([N b] [N]); "
                   "n = QueueSize: q; "
                   "d = QueueDequeue component_types=[float32, int64]: q",
                   "q = FIFOQueue component_types=[string]: ; "
                   "c = QueueClose: q; "
                   "Tcomponents=[string]: q ([0 2]); "
                   "n = QueueSize: q"}},
      {.signature = "QueueDequeue(handle: ref string<Queue>) -> (components: list(component_types)) gives_back",
       .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
       .doc = "Takes the first element; waits while there is none. OUT_OF_RANGE when the queue is closed and empty "
              "(rule Q20).",
       .shape = "? -> ?",
       .gradient = BlocksGradient(),
       .samples = {"q = FIFOQueue component_types=[float32, string]: ; "
                   "e = QueueEnqueue Tcomponents=[float32, string]: q ([a] [b c]); "
                   "component_types=[float32, string]: q; "
                   "n = QueueSize: q",
                   "q = FIFOQueue component_types=[int32]: ; "
                   "e = QueueEnqueueMany Tcomponents=[int32]: q ([2 a]); "
                   "component_types=[int32]: q; "
                   "d = QueueDequeue component_types=[int32]: q"}},
      {.signature = "QueueDequeueMany(handle: ref string<Queue>, n: int32) -> (components: list(component_types))",
       .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
       .doc = "Takes n elements as they come and stacks each component along a new first axis. The queue's shapes "
              "must be known. OUT_OF_RANGE when the queue is closed and has fewer (rules Q21, Q22).",
       .shape_fn = BatchShapes,
       .gradient = BlocksGradient(),
       .samples = {"q = FIFOQueue component_types=[float32, string] shapes=[[2], []]: ; "
                   "e = QueueEnqueueMany Tcomponents=[float32, string]: q ([4 2] [4]); "
                   "component_types=[float32, string]: q 3; "
                   "n = QueueSize: q",
                   "q = FIFOQueue component_types=[int64] shapes=[[3]]: ; component_types=[int64]: q 0",
                   "q = FIFOQueue component_types=[bool] shapes=[[2]]: ; "
                   "e = QueueEnqueue Tcomponents=[bool]: q ([2]); "
                   "component_types=[bool]: q 1"}},
      {.signature = "QueueDequeueUpTo(handle: ref string<Queue>, n: int32) -> (components: list(component_types))",
       .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
       .doc = "As QueueDequeueMany, but a closed queue gives what it has left, if that is anything (rule Q23).",
       .shape_fn = BatchShapes,
       .gradient = BlocksGradient(),
       .samples = {"q = FIFOQueue component_types=[int32] shapes=[[]]: ; "
                   "e = QueueEnqueueMany Tcomponents=[int32]: q ([3]); "
                   "c = QueueClose: q; "
                   "component_types=[int32]: q 5; "
                   "n = QueueSize: q",
                   "q = FIFOQueue component_types=[float64] shapes=[[2]]: ; "
                   "e = QueueEnqueueMany Tcomponents=[float64]: q ([3 2]); "
                   "component_types=[float64]: q 2; "
                   "n = QueueSize: q"}},
      {.signature = "QueueClose(handle: ref string<Queue>) -> ()",
       .attrs = "cancel_pending_enqueues: bool = false",
       .doc = "Closes the queue once those who already wait to put elements into it are done, or at once: then they "
              "fail (rules Q30, Q31).",
       .shape = "[2] ->",
       .gradient = BlocksGradient(),
       .samples = {"q = FIFOQueue component_types=[float32]: ; "
                   "cancel_pending_enqueues=true/false: q; "
                   "s = QueueIsClosed: q"}},
      {.signature = "QueueIsClosed(handle: ref string<Queue>) -> (is_closed: bool)",
       .doc = "Whether the queue is closed.",
       .shape = "? -> []",
       .samples = {"q = FIFOQueue component_types=[float32]: ; q",
                   "q = FIFOQueue component_types=[float32]: ; c = QueueClose: q; q"}},
      {.signature = "QueueSize(handle: ref string<Queue>) -> (size: int32)",
       .doc = "How many elements the queue holds (rule Q6).",
       .shape = "[2] -> []",
       .gradient = BlocksGradient(),
       .samples = {"q = FIFOQueue component_types=[float32]: ; e = QueueEnqueueMany Tcomponents=[float32]: q ([n "
                   "2]); q"}},
  };
  return rows;
}

}  // namespace plumb::topics
