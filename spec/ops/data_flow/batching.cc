#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

PartialShape WithAnyRows(const ShapeContext& c, int input) {
  const PartialShape& shape = WithRankAtLeast(c, input, 1);
  return shape.has_rank() ? WithDim(shape, 0, -1) : PartialShape::Unknown();
}

// Rows of all, or none; what has no rows gives vectors without elements.
Shapes BatchShapes(const ShapeContext& c) {
  Shapes shapes;
  bool has_rows = true;
  for (int i = 0; i < c.num_inputs(); ++i) {
    const PartialShape whole = WithAnyRows(c, i);
    has_rows = has_rows && c.input(i).has_rank() && c.input(i).dim(0) > 0;
    shapes.push_back(has_rows ? whole : PartialShape::Unknown());
  }
  shapes.push_back(has_rows ? PartialShape{-1, 3} : PartialShape::Unknown());
  shapes.push_back(has_rows ? PartialShape(Shape()) : PartialShape::Unknown());
  return shapes;
}

Shapes UnbatchShapes(const ShapeContext& c) {
  const PartialShape& batch = c.input(0);
  if (!batch.has_rank()) return {PartialShape::Unknown()};
  return {WithDim(WithRankAtLeast(c, 0, 1), 0, -1)};
}

// A scalar gradient is the kernel's to refuse.
Shapes UnbatchGradShapes(const ShapeContext& c) {
  const PartialShape& gradient = c.input(2);
  const bool has_rows = gradient.rank() > 0;
  return {has_rows ? WithDim(gradient, 0, -1) : PartialShape::Unknown()};
}

}  // namespace

std::span<const OpRow> DataFlowBatching() {
  static const OpRow rows[] = {
      {.signature = "Batch(in_tensors: list(T)) -> (batched_tensors: list(T), batch_index: int64, id: int64) stateful",
       .attrs = "num_batch_threads: int; max_batch_size: int; max_enqueued_batches: int = 10; batch_timeout_micros: "
                "int; allowed_batch_sizes: list(int) = []; grad_timeout_micros: int; container: string = ''; "
                "shared_name: string = ''; batching_queue: string = ''; T: list(type) >= 1",
       .doc = "Waits for rows of other steps, and gives one of the steps those of all (rules BT1, BT2).",
       .shape_fn = BatchShapes,
       .samples = {"num_batch_threads=1 max_batch_size=4 batch_timeout_micros=0 grad_timeout_micros=0 T=[float32]: "
                   "([4 2])",
                   "num_batch_threads=1 max_batch_size=4 batch_timeout_micros=0 grad_timeout_micros=0 "
                   "allowed_batch_sizes=[2, 4] T=[float32, int64]: ([3 2] [3])"}},
      {.signature = "Unbatch(batched_tensor: T, batch_index: int64, id: int64) -> (unbatched_tensor: T) stateful",
       .attrs = "timeout_micros: int; container: string = ''; shared_name: string = ''; T: type",
       .doc = "Cuts a batch apart, and waits for the part with its own number (rule BT3).",
       .shape_fn = UnbatchShapes,
       .samples = {"timeout_micros=0: [5 2] {{7, 0, 2}, {8, 2, 5}} 8", "timeout_micros=0: [3] {{8, 0, 0}} 8"}},
      {.signature = "UnbatchGrad(original_input: T, batch_index: int64, grad: T, id: int64) -> (batched_grad: T) "
                    "stateful",
       .attrs = "container: string = ''; shared_name: string = ''; T: type",
       .doc = "Gives the gradient of one part, and where it has the batch, waits for those of all parts (rule BT4).",
       .shape_fn = UnbatchGradShapes,
       .samples = {"[2 3] {{8, 0, 2}} [2 3] 8", "[0 3] [0 3] [2 3] 8"}},
  };
  return rows;
}

}  // namespace plumb::topics
