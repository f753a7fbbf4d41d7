#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The rank that input and permutation tell together; -1 when neither does. A permutation of one axis may be meant for
// a scalar, too, and tells nothing alone.
int TransposeRank(const ShapeContext& c) {
  const PartialShape& input = c.input(0);
  const PartialShape permutation = c.constant(1) != nullptr ? PartialShape(c.constant(1)->shape()) : c.input(1);
  const int64_t axes = permutation.IsFullyDefined() ? permutation.ToShape().elements() : -1;
  if (!input.has_rank() && axes < 2) return -1;
  Require(!permutation.has_rank() || permutation.rank() == 1, InputName(c, 1), " must have rank 1, not the shape ",
          permutation.ToString());
  const int64_t length = permutation.has_rank() ? permutation.dim(0) : -1;
  Require(length < 0 || !input.has_rank() || length == input.rank(), "Transpose: ", length,
          " axes do not permute the shape ", input.ToString());
  Require(length <= kMaxRank, "Transpose: ", length, " axes are too many");
  return length >= 0 ? static_cast<int>(length) : input.rank();
}

Shapes TransposeShapes(const ShapeContext& c) {
  const auto permutation = ConstantInts(c, 1);
  const int rank = TransposeRank(c);
  if (rank < 0) return {PartialShape::Unknown()};
  if (!permutation) return {PartialShape::OfRank(rank)};
  std::vector<int64_t> dims;
  for (const int64_t axis : *permutation) {
    // TensorFlow's rule counts axes from the back, and never so far as the first.
    Require(axis > -rank, c.op().name, ": ", axis, " is no axis of ", rank, " in a permutation");
    dims.push_back(c.input(0).dim(CanonicalAxis(c, axis, rank)));
  }
  return {PartialShape(std::move(dims))};
}

Values TransposeGradient(Gradient& g) {
  return {g.Call("Transpose", {g.dy(), g.Call("InvertPermutation", {g.x(1)})}), GradientValue::None()};
}

Values ConjugateTransposeGradient(Gradient& g) {
  return {g.Call("ConjugateTranspose", {g.dy(), g.Call("InvertPermutation", {g.x(1)})}), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ArrayTranspose() {
  static const OpRow rows[] = {
      {.signature = "Transpose(x: T, perm: Tperm) -> (y: T) hands_on",
       .attrs = "T: type; Tperm: type = int32 in [int32, int64]",
       .doc = "The input with its dimensions in another order: dimension i of y is dimension perm[i] of x. "
              "perm must be a permutation.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64, uint8, bool]",
       .shape_fn = TransposeShapes,
       .gradient = TransposeGradient,
       .samples = {"[a b c] {2, 0, 1}", "[a b] {1, 0}", "[] {}", "[a b c e] [4] permutation", "[a 1 b] {1, 0, 2}"}},
      {.signature = "ConjugateTranspose(x: T, perm: Tperm) -> (y: T)",
       .attrs = "T: type; Tperm: type = int32 in [int32, int64]",
       .doc = "As Transpose, with the complex conjugates of the elements.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64, uint8, bool]",
       .shape_fn = TransposeShapes,
       .gradient = ConjugateTransposeGradient,
       .samples = {"[a b c] {2, 0, 1}", "[a b] {1, 0}", "[] {}", "[a b c e] [4] permutation", "[n] {0}"}},
      {.signature = "InvertPermutation(x: T) -> (y: T)",
       .attrs = "T: type = int32 in [int32, int64]",
       .doc = "The vector y with y[x[i]] = i. x must hold each of 0 … n-1 once.",
       .shape = "[n] -> [n]",
       .gradient = BlocksGradient(),
       .samples = {"[n] permutation"}},
  };
  return rows;
}

}  // namespace plumb::topics
