#include <algorithm>

#include "spec/graph/int32_attr.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The elements of a shape without its dimension `except`; -1 where a dimension is not known and none is 0.
int64_t KnownElements(const ShapeContext& c, const PartialShape& shape, int64_t except) {
  int64_t elements = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axis != except) elements = MultiplySizes(c, elements, shape.dim(axis));
  }
  return elements;
}

// The first dimension that is not known; the rank where all are.
int64_t FirstUnknown(const PartialShape& shape) {
  return std::find(shape.dims().begin(), shape.dims().end(), -1) - shape.dims().begin();
}

// Whether the unknown dimension of the input, if it is one, can be such that as many elements are there as wanted.
void RequireCanFill(const ShapeContext& c, const PartialShape& input, const PartialShape& wanted) {
  const int64_t unknown = FirstUnknown(input), known = KnownElements(c, input, unknown);
  Require(known <= 0 || KnownElements(c, wanted, wanted.rank()) % known == 0, c.op().name, ": the shape ",
          input.ToString(), " does not fill the shape ", wanted.ToString());
}

Shapes ReshapeShapes(const ShapeContext& c) {
  WithRank(c, 1, 1);
  const PartialShape wanted = ConstantShape(c, 1);
  const PartialShape& input = c.input(0);
  if (!wanted.has_rank() || !input.has_rank()) return {wanted};
  const int64_t elements = KnownElements(c, input, input.rank()), unknown = FirstUnknown(wanted);
  if (elements < 0) {
    if (wanted.IsFullyDefined()) RequireCanFill(c, input, wanted);
    return {wanted};
  }
  const int64_t known = KnownElements(c, wanted, unknown);
  if (known < 0) return {wanted};
  if (unknown == wanted.rank()) {
    Require(known == elements, c.op().name, ": ", elements, " elements do not fill the shape ", wanted.ToString());
    return {wanted};
  }
  if (known == 0 && elements == 0) return {wanted};
  Require(known != 0 && elements % known == 0, c.op().name, ": ", elements, " elements do not fill the shape ",
          wanted.ToString());
  return {WithDim(wanted, static_cast<int>(unknown), elements / known)};
}

Shapes QuantizedReshapeShapes(const ShapeContext& c) {
  for (const int i : {2, 3}) RequireScalar(c, i);
  return {ReshapeShapes(c)[0], PartialShape(Shape()), PartialShape(Shape())};
}

Shapes ExpandDimsShapes(const ShapeContext& c) {
  const PartialShape& input = c.input(0);
  const auto dim = ConstantInt(c, 1);
  if (!dim || !input.has_rank()) return {PartialShape::Unknown()};
  const int at = CanonicalAxis(c, *dim, input.rank() + 1);
  return {Join(Join(Part(input, 0, at), PartialShape{1}), Part(input, at))};
}

Shapes SqueezeShapes(const ShapeContext& c) {
  const PartialShape& input = c.input(0);
  const std::vector<int64_t>& wanted = Int32List(c.attrs(), "squeeze_dims");
  if (!input.has_rank()) return {PartialShape::Unknown()};
  std::vector<bool> squeezed(input.rank(), false);
  for (const int64_t axis : wanted) squeezed[CanonicalAxis(c, axis, input.rank())] = true;
  std::vector<int64_t> dims;
  for (int axis = 0; axis < input.rank(); ++axis) {
    const int64_t size = input.dim(axis);
    Require(!squeezed[axis] || size < 0 || size == 1, "Squeeze: dimension ", axis, " has the size ", size, ", not 1");
    if (squeezed[axis] || (wanted.empty() && size == 1)) continue;
    if (wanted.empty() && size < 0) return {PartialShape::Unknown()};
    dims.push_back(size);
  }
  return {PartialShape(std::move(dims))};
}

Values ReshapedBack(Gradient& g) {
  Values values(g.num_inputs());
  values[0] = g.Call("Reshape", {g.dy(), g.ShapeOf(g.x(0))});
  return values;
}

Values ReshapeGradient(Gradient& g) { return ReshapedBack(g); }
Values ExpandDimsGradient(Gradient& g) { return ReshapedBack(g); }
Values SqueezeGradient(Gradient& g) { return ReshapedBack(g); }

// To a scalar or a vector.
std::optional<Tensor> FoldReshape(const Folding& f) {
  const std::vector<int64_t> values = f.values(0), shape = f.values(1);
  const bool flattens = shape.size() == 1 && (shape[0] == -1 || shape[0] == static_cast<int64_t>(values.size()));
  if (shape.empty() && values.size() == 1) return KnownScalar(f, values[0]);
  return flattens ? KnownVector(f, values) : std::nullopt;
}

// A scalar to a vector of one.
std::optional<Tensor> FoldExpandDims(const Folding& f) {
  return f.input(0).rank() == 0 ? KnownVector(f, f.values(0)) : std::nullopt;
}

}  // namespace

std::span<const OpRow> ArrayReshape() {
  static const OpRow rows[] = {
      {.signature = "Reshape(tensor: T, shape: Tshape) -> (output: T) hands_on",
       .attrs = "T: type; Tshape: type = int32 in [int32, int64]",
       .doc = "The elements of `tensor` in the same order under another shape. One dimension of `shape` may "
              "be -1: what is left over. Element counts that differ are an error.",
       .gpu = "T in [floats, complexes, int64, uint8, bool]",
       .shape_fn = ReshapeShapes,
       .strictness = Strictness::kStricterThanKernel,
       .fold = FromValues(FoldReshape),
       .gradient = ReshapeGradient,
       .samples = {"[a 6] {-1, 3}", "[a b] {b, a}", "[1] {}", "[] {1, 1}", "[2 3 b] {6, b}"}},
      {.signature = "QuantizedReshape(tensor: T, shape: Tshape, input_min: float32, input_max: float32) -> (output: T, "
                    "output_min: float32, output_max: float32)",
       .attrs = "T: type; Tshape: type = int32 in [int32, int64]",
       .doc = "Reshape of codes, whose range stays what it is.",
       .cpu = "T in [qint32, quint8]",
       .shape_fn = QuantizedReshapeShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"T in [qint32, quint8]: [a 6] {-1, 3} -1 1", "T in [qint32, quint8]: [a b] {b, a} 0 6",
                   "T in [qint32, quint8]: [2 3 b] {6, b} -2 -1"}},
      {.signature = "ExpandDims(input: T, dim: Tdim) -> (output: T) hands_on",
       .attrs = "T: type; Tdim: type = int32 in [int32, int64]",
       .doc = "The input with a dimension of size 1 inserted at `dim`, which counts from the end when "
              "negative.",
       .gpu = "T in [floats, complexes, int64, uint8, bool]",
       .shape_fn = ExpandDimsShapes,
       .fold = FromValues(FoldExpandDims),
       .gradient = ExpandDimsGradient,
       .samples = {"[d...] 0", "[d...] -1", "[a b] 1"}},
      {.signature = "Squeeze(input: T) -> (output: T) hands_on",
       .attrs = "T: type; squeeze_dims: list(int) = [] >= 0",
       .doc = "The input without its dimensions of size 1, or without those named by squeeze_dims, which must "
              "have size 1.",
       .gpu = "T in [floats, complexes, int64, uint8, bool]",
       .shape_fn = SqueezeShapes,
       .gradient = SqueezeGradient,
       .samples = {"[1 b 1 c]", "squeeze_dims=[0]: [1 b 1]", "squeeze_dims=[-1, 0]: [1 a 1]"}},
  };
  return rows;
}

}  // namespace plumb::topics
