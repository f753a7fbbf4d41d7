#include "spec/ops/gradient_helpers.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SliceShapes(const ShapeContext& c) {
  const int64_t begins = WithRank(c, 1, 1).dim(0);
  const int64_t count = MergeDims(c, begins, WithRank(c, 2, 1).dim(0));
  const PartialShape& input = c.input(0);
  Require(count < 0 || !input.has_rank() || count == input.rank(), InputName(c, 1), " has ", count,
          " values for the shape ", input.ToString());
  Require(count <= kMaxRank, "Slice: ", count, " dimensions are too many");
  const int rank = input.has_rank() ? input.rank() : static_cast<int>(count);
  if (rank < 0) return {input};
  const auto begin = ConstantInts(c, 1);
  const auto size = ConstantInts(c, 2);
  for (int axis = 0; begin && axis < rank; ++axis) {
    Require((*begin)[axis] >= -1, "Slice: the begin ", (*begin)[axis], " of the dimension ", axis, " is negative");
  }
  std::vector<int64_t> dims(rank, -1);
  for (int axis = 0; size && axis < rank; ++axis) {
    const int64_t wanted = (*size)[axis];
    Require(wanted >= -1, "Slice: the size ", wanted, " of the dimension ", axis, " is negative");
    dims[axis] = wanted >= 0 || !begin ? wanted : SubtractSizes(c, input.dim(axis), (*begin)[axis]);
  }
  return {PartialShape(std::move(dims))};
}

// The slice's gradient, padded with zeros to the input's shape.
Values SliceGradient(Gradient& g) {
  const DType index = g.dtype(g.x(1));
  const Endpoint begin = g.x(1);
  const Endpoint input_shape = g.Call("Shape", {g.x(0)}, {{"out_type", index}});
  const Endpoint slice_shape = g.Call("Shape", {g.y()}, {{"out_type", index}});
  const Endpoint after = g.Call("Sub", {g.Call("Sub", {input_shape, slice_shape}), begin});
  const Endpoint paddings = g.Call("Pack", {begin, after}, {{"axis", 1}});
  return {g.Call("Pad", {g.dy(), paddings}), GradientValue::None(), GradientValue::None()};
}

std::optional<Tensor> FoldSlice(const Folding& f) {
  if (f.input(0).rank() != 1) return std::nullopt;  // else begin and size have one element, by the shape rule
  const std::vector<int64_t> values = f.values(0);
  const int64_t length = f.input(0).elements();
  const int64_t begin = f.values(1)[0];
  if (begin < 0 || begin > length) return std::nullopt;
  const int64_t size = f.values(2)[0] == -1 ? length - begin : f.values(2)[0];
  if (size < 0 || size > length - begin) return std::nullopt;
  return KnownVector(f, std::vector<int64_t>(values.begin() + begin, values.begin() + begin + size));
}

}  // namespace

std::span<const OpRow> ArraySlice() {
  static const OpRow rows[] = {
      {.signature = "Slice(input: T, begin: Index, size: Index) -> (output: T) hands_on",
       .attrs = "T: type; Index: type in [int32, int64]",
       .doc = "The box of `size` elements that starts at `begin`; a size of -1 reaches to the end. A box that "
              "sticks out is an error.",
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, string]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = SliceShapes,
       .fold = FromValues(FoldSlice),
       .gradient = SliceGradient,
       .samples = {"[4 5] {1, 2} {2, -1}", "[a 3] {0, 1} {a, 2}", "[3] {3} {0}", "[] {} {}",
                   "[a 4 c] {0, 1, 0} {-1, 2, c}", "[130] {64} {64}", "[4 64] {1, 0} {2, 64}", "[a b] {0, 0} {a, b}"}},
  };
  return rows;
}

}  // namespace plumb::topics
