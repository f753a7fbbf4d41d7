#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// How much was decoded shows when it is done: for each path a sparse tensor [batch, longest].
Shapes BeamSearchShapes(const ShapeContext& c) {
  const int64_t batch = MergeDims(c, WithRank(c, 0, 3).dim(1), WithRank(c, 1, 1).dim(0));
  const int64_t paths = c.attr<int64_t>("top_paths");
  Shapes shapes;
  for (const PartialShape& shape : {PartialShape{-1, 2}, PartialShape{-1}, PartialShape{2}}) {
    shapes.insert(shapes.end(), static_cast<size_t>(paths), shape);
  }
  shapes.push_back({batch, paths});
  return shapes;
}

}  // namespace

std::span<const OpRow> LossCtcBeamSearch() {
  static const OpRow rows[] = {
      {.signature = "CTCBeamSearchDecoder(inputs: T, sequence_length: int32) -> (decoded_indices: int64*top_paths, "
                    "decoded_values: int64*top_paths, decoded_shape: int64*top_paths, log_probability: T)",
       .attrs = "beam_width: int >= 1; top_paths: int >= 1; merge_repeated: bool = true; T: type = float32 in "
                "[float32, float64]",
       .doc =
           "The top_paths most probable sequences of classes for inputs [time, batch, class], of which softmax makes "
           "probabilities at each time, each path as a sparse matrix of sequences; the last class is the blank. At "
           "each time the beam_width most probable prefixes are followed. merge_repeated: classes that repeat in a "
           "result count once. log_probability is the logarithm of each path's probability.",
       .shape_fn = BeamSearchShapes,
       .cost = 256,
       .accuracy = Composed(4),
       .gradient = BlocksGradient(),
       .samples = {"beam_width=1 top_paths=1 merge_repeated=false/true: [5 2 3] finite {5, 3}",
                   "beam_width=4/20 top_paths=2 merge_repeated=false/true: [4 3 4] finite {4, 3, 2}",
                   "beam_width=3 top_paths=1: [4 2 C] finite {4, 0}"}},
  };
  return rows;
}

}  // namespace plumb::topics
