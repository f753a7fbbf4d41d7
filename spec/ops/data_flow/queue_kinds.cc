#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> DataFlowQueueKinds() {
  static const OpRow rows[] = {
      {.signature = "FIFOQueueV2() -> (handle: resource<Queue>) stateful",
       .attrs = "component_types: list(type) >= 1; shapes: list(shape) = [] >= 0; capacity: int = -1; container: "
                "string = ''; shared_name: string = ''",
       .doc = "A handle to a queue of tuples of these types, first in, first out, of at most capacity elements "
              "(negative: no limit). shapes says the shape of every component, or nothing (rules Q1, Q3).",
       .shape = "-> []",
       .samples = {"component_types=[float32, string]: ; "
                   "e = QueueEnqueueV2 Tcomponents=[float32, string]: this ([a] [b c]); "
                   "d = QueueDequeueV2 component_types=[float32, string]: this",
                   "component_types=[int32] shapes=[[2]] capacity=4: ; "
                   "e = QueueEnqueueManyV2 Tcomponents=[int32]: this ([3 2]); "
                   "d = QueueDequeueManyV2 component_types=[int32]: this 2; "
                   "n = QueueSizeV2: this"}},
      {.signature = "FIFOQueue() -> (handle: ref string<Queue>) stateful",
       .attrs = "component_types: list(type) >= 1; shapes: list(shape) = [] >= 0; capacity: int = -1; container: "
                "string = ''; shared_name: string = ''",
       .doc = "A handle to a queue of tuples of these types, first in, first out, of at most capacity elements "
              "(negative: no limit). shapes says the shape of every component, or nothing (rules Q1, Q3).",
       .shape = "-> [2]",
       .samples = {"component_types=[float32, string]: ; "
                   "e = QueueEnqueue Tcomponents=[float32, string]: this ([a] [b c]); "
                   "d = QueueDequeue component_types=[float32, string]: this",
                   "component_types=[int32] shapes=[[2]] capacity=4: ; "
                   "e = QueueEnqueueMany Tcomponents=[int32]: this ([3 2]); "
                   "d = QueueDequeueMany component_types=[int32]: this 2; "
                   "n = QueueSize: this"}},
      {.signature = "PaddingFIFOQueueV2() -> (handle: resource<Queue>) stateful",
       .attrs = "component_types: list(type) >= 1; shapes: list(shape) = [] >= 0; capacity: int = -1; container: "
                "string = ''; shared_name: string = ''",
       .doc = "A handle to a queue of tuples of these types, first in, first out. shapes says the shape of every "
              "component, in which extents may be unknown: elements that are taken together are then padded with "
              "zeros to the longest (rule Q41).",
       .shape = "-> []",
       .samples = {"component_types=[float32, string] shapes=[[2, ?], []]: ; e = QueueEnqueueV2 "
                   "Tcomponents=[float32, string]: this ([2 3] []); f = QueueEnqueueV2 Tcomponents=[float32, "
                   "string]: this ([2 1] []); d = QueueDequeueManyV2 component_types=[float32, string]: this 2",
                   "component_types=[string] shapes=[[?, ?]] capacity=3: ; e = QueueEnqueueManyV2 "
                   "Tcomponents=[string]: this ([2 3 2]); f = QueueEnqueueV2 Tcomponents=[string]: this ([0 4]); d "
                   "= QueueDequeueUpToV2 component_types=[string]: this 3",
                   "component_types=[int32] shapes=[[?]]: ; e = QueueEnqueueV2 Tcomponents=[int32]: this ([5]); d "
                   "= QueueDequeueV2 component_types=[int32]: this; f = QueueDequeueManyV2 "
                   "component_types=[int32]: this 0"}},
      {.signature = "PaddingFIFOQueue() -> (handle: ref string<Queue>) stateful",
       .attrs = "component_types: list(type) >= 1; shapes: list(shape) = [] >= 0; capacity: int = -1; container: "
                "string = ''; shared_name: string = ''",
       .doc = "A handle to a queue of tuples of these types, first in, first out. shapes says the shape of every "
              "component, in which extents may be unknown: elements that are taken together are then padded with "
              "zeros to the longest (rule Q41).",
       .shape = "-> [2]",
       .samples = {"component_types=[float32, string] shapes=[[2, ?], []]: ; e = QueueEnqueue "
                   "Tcomponents=[float32, string]: this ([2 3] []); f = QueueEnqueue Tcomponents=[float32, "
                   "string]: this ([2 1] []); d = QueueDequeueMany component_types=[float32, string]: this 2",
                   "component_types=[string] shapes=[[?, ?]] capacity=3: ; e = QueueEnqueueMany "
                   "Tcomponents=[string]: this ([2 3 2]); f = QueueEnqueue Tcomponents=[string]: this ([0 4]); d = "
                   "QueueDequeueUpTo component_types=[string]: this 3",
                   "component_types=[int32] shapes=[[?]]: ; e = QueueEnqueue Tcomponents=[int32]: this ([5]); d = "
                   "QueueDequeue component_types=[int32]: this; f = QueueDequeueMany component_types=[int32]: this "
                   "0"}},
      {.signature = "RandomShuffleQueueV2() -> (handle: resource<Queue>) stateful",
       .attrs = "component_types: list(type) >= 1; shapes: list(shape) = [] >= 0; capacity: int = -1; "
                "min_after_dequeue: int = 0; seed: int = 0; seed2: int = 0; container: string = ''; shared_name: "
                "string = ''",
       .doc = "A handle to a queue of tuples of these types, of which any may come out next, as the seeds say. "
              "While it is open, at least min_after_dequeue stay in it (rule Q40).",
       .shape = "-> []",
       .samples = {"seed=3 seed2=8 component_types=[float32, string] shapes=[[2], []] capacity=9: ; e = "
                   "QueueEnqueueManyV2 Tcomponents=[float32, string]: this ([9 2] [9]); d = QueueDequeueManyV2 "
                   "component_types=[float32, string]: this 7; f = QueueDequeueV2 component_types=[float32, "
                   "string]: this",
                   "seed=5 component_types=[int32] shapes=[[]] min_after_dequeue=2: ; e = QueueEnqueueManyV2 "
                   "Tcomponents=[int32]: this ([5]); d = QueueDequeueManyV2 component_types=[int32]: this 3; c = "
                   "QueueCloseV2: this; f = QueueDequeueUpToV2 component_types=[int32]: this 3; n = QueueSizeV2: "
                   "this",
                   "seed2=9 component_types=[float32]: ; e = QueueEnqueueV2 Tcomponents=[float32]: this ([a b]); f "
                   "= QueueEnqueueV2 Tcomponents=[float32]: this ([b]); d = QueueDequeueV2 "
                   "component_types=[float32]: this"}},
      {.signature = "RandomShuffleQueue() -> (handle: ref string<Queue>) stateful",
       .attrs = "component_types: list(type) >= 1; shapes: list(shape) = [] >= 0; capacity: int = -1; "
                "min_after_dequeue: int = 0; seed: int = 0; seed2: int = 0; container: string = ''; shared_name: "
                "string = ''",
       .doc = "A handle to a queue of tuples of these types, of which any may come out next, as the seeds say. "
              "While it is open, at least min_after_dequeue stay in it (rule Q40).",
       .shape = "-> [2]",
       .samples = {"seed=3 seed2=8 component_types=[float32, string] shapes=[[2], []] capacity=9: ; e = "
                   "QueueEnqueueMany Tcomponents=[float32, string]: this ([9 2] [9]); d = QueueDequeueMany "
                   "component_types=[float32, string]: this 7; f = QueueDequeue component_types=[float32, string]: "
                   "this",
                   "seed=5 component_types=[int32] shapes=[[]] min_after_dequeue=2: ; e = QueueEnqueueMany "
                   "Tcomponents=[int32]: this ([5]); d = QueueDequeueMany component_types=[int32]: this 3; c = "
                   "QueueClose: this; f = QueueDequeueUpTo component_types=[int32]: this 3; n = QueueSize: this",
                   "seed2=9 component_types=[float32]: ; e = QueueEnqueue Tcomponents=[float32]: this ([a b]); f = "
                   "QueueEnqueue Tcomponents=[float32]: this ([b]); d = QueueDequeue component_types=[float32]: "
                   "this"}},
      {.signature = "PriorityQueueV2() -> (handle: resource<Queue>) stateful",
       .attrs = "component_types: list(type) = [] >= 0; shapes: list(shape) >= 0; capacity: int = -1; container: "
                "string = ''; shared_name: string = ''",
       .doc = "A handle to a queue of tuples of an int64 scalar, the priority, and of these types. The element of "
              "the smallest priority comes out first (rule Q42).",
       .shape = "-> []",
       .samples = {"component_types=[float32] shapes=[[2]]: ; e = QueueEnqueueManyV2 Tcomponents=[int64, float32]: "
                   "this ([6] in 0..4 [6 2]); d = QueueDequeueManyV2 component_types=[int64, float32]: this 4; f = "
                   "QueueDequeueV2 component_types=[int64, float32]: this",
                   "component_types=[string] shapes=[[1]] capacity=2: ; e = QueueEnqueueV2 Tcomponents=[int64, "
                   "string]: this ([] [1]); f = QueueEnqueueV2 Tcomponents=[int64, string]: this ([] [1]); d = "
                   "QueueDequeueV2 component_types=[int64, string]: this",
                   "component_types=[int32] shapes=[[]]: ; e = QueueEnqueueManyV2 Tcomponents=[int64, int32]: this "
                   "([3] [3]); c = QueueCloseV2: this; d = QueueDequeueUpToV2 component_types=[int64, int32]: this "
                   "5"}},
      {.signature = "PriorityQueue() -> (handle: ref string<Queue>) stateful",
       .attrs = "component_types: list(type) = [] >= 0; shapes: list(shape) >= 0; capacity: int = -1; container: "
                "string = ''; shared_name: string = ''",
       .doc = "A handle to a queue of tuples of an int64 scalar, the priority, and of these types. The element of "
              "the smallest priority comes out first (rule Q42).",
       .shape = "-> [2]",
       .samples = {"component_types=[float32] shapes=[[2]]: ; e = QueueEnqueueMany Tcomponents=[int64, float32]: "
                   "this ([6] in 0..4 [6 2]); d = QueueDequeueMany component_types=[int64, float32]: this 4; f = "
                   "QueueDequeue component_types=[int64, float32]: this",
                   "component_types=[string] shapes=[[1]] capacity=2: ; e = QueueEnqueue Tcomponents=[int64, string]: "
                   "this ([] [1]); f = QueueEnqueue Tcomponents=[int64, string]: this ([] [1]); d = QueueDequeue "
                   "component_types=[int64, string]: this",
                   "component_types=[int32] shapes=[[]]: ; e = QueueEnqueueMany Tcomponents=[int64, int32]: this "
                   "([3] [3]); c = QueueClose: this; d = QueueDequeueUpTo component_types=[int64, int32]: this 5"}},
  };
  return rows;
}

}  // namespace plumb::topics
