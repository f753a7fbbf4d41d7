#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes PadShapes(const ShapeContext& c) {
  const PartialShape paddings = WithRank(c, 1, 2);
  MergeDims(c, paddings.dim(1), 2);
  const PartialShape& input = c.input(0);
  if (input.has_rank()) MergeDims(c, paddings.dim(0), input.rank());
  const auto amounts = ConstantInts(c, 1);
  if (!amounts) {
    const int64_t rank = input.has_rank() ? input.rank() : paddings.dim(0);
    if (rank < 0) return {PartialShape::Unknown()};
    Require(rank <= kMaxRank, c.op().name, ": ", rank, " dimensions are too many");
    return {PartialShape::OfRank(static_cast<int>(rank))};
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i + 1 < amounts->size(); i += 2) {
    const int64_t before = (*amounts)[i];
    const int64_t after = (*amounts)[i + 1];
    Require(before >= 0 && after >= 0, c.op().name, ": paddings must not be negative: ", before, ", ", after);
    const int64_t size = input.has_rank() ? input.dim(static_cast<int>(i / 2)) : -1;
    dims.push_back(AddSizes(size, AddSizes(before, after)));
  }
  return {PartialShape(std::move(dims))};
}

Values PadGradient(Gradient& g) {
  const Endpoint before = g.Call("StridedSlice", {g.x(1), g.Int32s({0, 0}), g.Int32s({0, 1}), g.Int32s({1, 1})},
                                 {{"begin_mask", 1}, {"end_mask", 1}, {"shrink_axis_mask", 2}});
  const Endpoint shape = g.Call("Shape", {g.x(0)}, {{"out_type", g.dtype(g.x(1))}});
  Values values(g.num_inputs());
  values[0] = g.Call("Slice", {g.dy(), before, shape});
  return values;
}

}  // namespace

std::span<const OpRow> ArrayPad() {
  static const OpRow rows[] = {
      {.signature = "Pad(input: T, paddings: Tpaddings) -> (output: T) hands_on",
       .attrs = "T: type; Tpaddings: type = int32 in [int32, int64]",
       .doc = "The input with zeros around it: row i of `paddings` says how many before and after dimension "
              "i. Negative amounts are an error.",
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, string]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = PadShapes,
       .gradient = PadGradient,
       .samples = {"[a b] {{1, 0}, {2, 3}}", "[a] {{0, 0}}", "[] [0 2]", "[a b c] {{1, 2}, {0, 1}, {2, 0}}"}},
      {.signature = "PadV2(input: T, paddings: Tpaddings, constant_values: T) -> (output: T) hands_on",
       .attrs = "T: type; Tpaddings: type = int32 in [int32, int64]",
       .doc = "As Pad, with the value of constant_values around the input.",
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, string]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = PadShapes,
       .gradient = PadGradient,
       .gradient_trial = {.constant_inputs = {2}},
       .samples = {"[a b] {{1, 0}, {2, 3}} []", "[a] {{0, 0}} []", "[] [0 2] []",
                   "[a b c] {{1, 2}, {0, 1}, {2, 0}} []"}},
  };
  return rows;
}

}  // namespace plumb::topics
