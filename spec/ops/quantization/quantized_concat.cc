#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes JoinedShapes(const ShapeContext& c) {
  const int count = (c.num_inputs() - 1) / 3;
  RequireScalar(c, 0);
  RequireScalars(c, count + 1, 3 * count);
  int rank = -1;
  for (int i = 1; i <= count; ++i) {
    const PartialShape& shape = WithRankAtLeast(c, i, 1);
    if (!shape.has_rank()) continue;
    if (rank < 0) rank = shape.rank();
    WithRank(c, i, rank);
  }
  if (rank < 0) return WithScalarRange(PartialShape::Unknown());
  const auto axis = ConstantInt(c, 0);
  if (!axis) return WithScalarRange(PartialShape::OfRank(rank));
  const int at = CanonicalAxis(c, *axis, rank);
  std::vector<int64_t> dims(static_cast<size_t>(rank), -1);
  dims[at] = 0;
  for (int i = 1; i <= count; ++i) {
    for (int d = 0; d < rank; ++d) {
      const int64_t size = c.input(i).dim(d);
      dims[d] = d == at ? AddSizes(dims[d], size) : MergeDims(c, dims[d], size);
    }
  }
  return WithScalarRange(PartialShape(std::move(dims)));
}

}  // namespace

std::span<const OpRow> QuantizationQuantizedConcat() {
  static const OpRow rows[] = {
      {.signature = "QuantizedConcat(concat_dim: int32, values: T*N, input_mins: float32*N, input_maxes: float32*N) -> "
                    "(output: T, output_min: float32, output_max: float32)",
       .attrs = "N: int >= 2; T: type",
       .doc = "Codes side by side along concat_dim, which counts from the first dimension, all in one range: from "
              "the lowest end, or from 0 where all are above it, to the highest end; of signed codes, as far to either "
              "side of 0 as the farther of both.",
       .cpu = "T in [quint8, qint32]",
       .shape_fn = JoinedShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"T in [quint8, qint32]: 0 ([a b] [c b]) (-1 -2) (1 2)",
                   "T in [quint8, qint32]: 1 ([a b e] [a c e] [a d e]) (1 0 0) (5 6 6)",
                   "T in [quint8, qint32]: 1 ([a b] [a c]) (0 0) (3 3)"}},
  };
  return rows;
}

}  // namespace plumb::topics
