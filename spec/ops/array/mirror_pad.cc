#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The rank that the input and the paddings [rank, 2] tell together; -1 when neither does. The gradient's rule looks at
// paddings that tell a rank only.
int PaddedRank(const ShapeContext& c, bool adds) {
  const PartialShape paddings = WithRank(c, 1, 2);
  if (adds || paddings.dim(0) >= 0) MergeDims(c, paddings.dim(1), 2);
  const int64_t rank = MergeDims(c, paddings.dim(0), c.input(0).rank());
  Require(rank <= kMaxRank, c.op().name, ": ", rank, " dimensions are too many");
  return static_cast<int>(rank);
}

// Each dimension with the amounts on both sides added to it, or taken away.
Shapes WithAmounts(const ShapeContext& c, bool adds) {
  const int rank = PaddedRank(c, adds);
  if (rank < 0) return {PartialShape::Unknown()};
  const auto amounts = ConstantInts(c, 1);
  if (!amounts) return {PartialShape::OfRank(rank)};
  std::vector<int64_t> dims;
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t before = (*amounts)[2 * axis], after = (*amounts)[2 * axis + 1];
    Require(before >= 0 && after >= 0, c.op().name, ": paddings must not be negative: ", before, ", ", after);
    const int64_t amount = AddSizes(before, after), size = c.input(0).dim(axis);
    dims.push_back(adds ? AddSizes(size, amount) : SubtractSizes(c, size, amount));
  }
  return {PartialShape(std::move(dims))};
}

Shapes MirrorPadShapes(const ShapeContext& c) { return WithAmounts(c, true); }
Shapes MirrorPadGradShapes(const ShapeContext& c) { return WithAmounts(c, false); }

Values MirrorPadGradient(Gradient& g) {
  return {g.Call("MirrorPadGrad", {g.dy(), g.x(1)}, SameAttrs(g, {"mode"})), GradientValue::None()};
}

Values MirrorPadGradGradient(Gradient& g) {
  return {g.Call("MirrorPad", {g.dy(), g.x(1)}, SameAttrs(g, {"mode"})), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ArrayMirrorPad() {
  static const OpRow rows[] = {
      {.signature = "MirrorPad(input: T, paddings: Tpaddings) -> (output: T) hands_on",
       .attrs = "T: type; Tpaddings: type = int32 in [int32, int64]; mode: string in ['REFLECT', 'SYMMETRIC']",
       .doc = "The input continued by its mirror image: row i of `paddings` says how far before and after dimension i. "
              "REFLECT leaves out the border itself, SYMMETRIC repeats it.",
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, string]",
       .gpu = "T in [floats]",
       .shape_fn = MirrorPadShapes,
       .gradient = MirrorPadGradient,
       .samples = {"mode='REFLECT': [4 5] {{1, 3}, {4, 2}}", "mode='SYMMETRIC': [4 5] {{1, 4}, {5, 2}}",
                   "mode='REFLECT'/'SYMMETRIC': [a 3 c] {{0, 0}, {1, 2}, {0, 0}}", "mode='SYMMETRIC': [] [0 2]",
                   "mode='REFLECT': [n 3] {{0, 0}, {2, 2}}", "mode='SYMMETRIC': [2 n] {{2, 1}, {0, 0}}",
                   "mode='SYMMETRIC': [A B] {{0, 0}, {0, 0}}"}},
      {.signature = "MirrorPadGrad(input: T, paddings: Tpaddings) -> (output: T) hands_on",
       .attrs = "T: type; Tpaddings: type = int32 in [int32, int64]; mode: string in ['REFLECT', 'SYMMETRIC']",
       .doc =
           "The gradient of MirrorPad: the input without its paddings, each element of which is added to the one that "
           "it mirrors.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]",
       .shape_fn = MirrorPadGradShapes,
       .accuracy = Summation(),
       .gradient = MirrorPadGradGradient,
       .samples = {"mode='REFLECT': [8 11] {{1, 3}, {4, 2}}", "mode='SYMMETRIC': [9 12] {{1, 4}, {5, 2}}",
                   "mode='REFLECT'/'SYMMETRIC': [a 6 c] {{0, 0}, {1, 2}, {0, 0}}", "mode='SYMMETRIC': [] [0 2]",
                   "mode='REFLECT': [n 7] {{0, 0}, {2, 2}}", "mode='SYMMETRIC': [5 n] {{2, 1}, {0, 0}}",
                   "mode='SYMMETRIC': [A B] {{0, 0}, {0, 0}}"}},
  };
  return rows;
}

}  // namespace plumb::topics
