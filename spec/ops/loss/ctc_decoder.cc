#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// How much was decoded shows when it is done: a sparse tensor [batch, longest] per path.
Shapes GreedyShapes(const ShapeContext& c) {
  const int64_t batch = MergeDims(c, WithRank(c, 0, 3).dim(1), WithRank(c, 1, 1).dim(0));
  return {{-1, 2}, {-1}, {2}, {batch, 1}};
}

}  // namespace

std::span<const OpRow> LossCtcDecoder() {
  static const OpRow rows[] = {
      {.signature = "CTCGreedyDecoder(inputs: T, sequence_length: int32) -> (decoded_indices: int64, decoded_values: "
                    "int64, decoded_shape: int64, log_probability: T)",
       .attrs = "merge_repeated: bool = false; blank_index: int = -1; T: type = float32 in [float32, float64]",
       .doc = "The most probable class at each time of inputs [time, batch, class], without blanks, as a sparse matrix "
              "of sequences, and the negative sum of the inputs taken. merge_repeated: classes that repeat without a "
              "blank between them count once. A negative blank_index counts from the end.",
       .shape_fn = GreedyShapes,
       .accuracy = Summation(),
       .gradient = BlocksGradient(),
       .samples = {"merge_repeated=false/true blank_index=-1/0: [5 2 3] finite {5, 3}",
                   "merge_repeated=false/true: [4 3 C] finite {4, 0, 2}"}},
  };
  return rows;
}

}  // namespace plumb::topics
