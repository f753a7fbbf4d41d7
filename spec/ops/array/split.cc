#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SplitShapes(const ShapeContext& c) {
  const PartialShape& value = c.input(1);
  const int64_t count = c.attr<int64_t>("num_split");
  const auto axis = ScalarOnceKnown(c, 0);
  PartialShape part;
  if (value.has_rank() && !axis) part = count == 1 ? value : PartialShape::OfRank(value.rank());
  if (value.has_rank() && axis) {
    const int at = CanonicalAxis(c, *axis, value.rank());
    const int64_t size = value.dim(at);
    Require(size < 0 || size % count == 0, "Split: the dimension ", at, " of size ", size, " is no multiple of ",
            count);
    part = WithDim(value, at, size < 0 ? -1 : size / count);
  }
  return Shapes(static_cast<size_t>(count), part);
}

// The sizes of SplitV's pieces; one of them may be -1: the rest of `total` (itself -1 when unknown).
std::vector<int64_t> PieceSizes(std::vector<int64_t> sizes, int64_t total) {
  int64_t sum = 0;
  int64_t* rest = nullptr;
  for (int64_t& size : sizes) {
    Require(size >= -1, "SplitV: a piece of the size ", size);
    if (size >= 0) {
      sum = AddSizes(sum, size);
      continue;
    }
    Require(rest == nullptr, "SplitV: only one size may be -1");
    rest = &size;
  }
  if (total < 0) return sizes;
  Require(rest != nullptr ? sum <= total : sum == total, "SplitV: pieces of ", sum, " in all do not make up ", total);
  if (rest != nullptr) *rest = total - sum;
  return sizes;
}

Shapes SplitVShapes(const ShapeContext& c) {
  const int64_t count = c.attr<int64_t>("num_split");
  const PartialShape& value = WithRankAtLeast(c, 0, 1);
  const auto axis = ScalarOnceKnown(c, 2);
  const auto sizes = ConstantInts(c, 1);
  if (!value.has_rank()) return Shapes(static_cast<size_t>(count));
  if (sizes) WithRank(c, 1, 1);
  if (!axis) return Shapes(static_cast<size_t>(count), PartialShape::OfRank(value.rank()));
  const int at = CanonicalAxis(c, *axis, value.rank());
  if (!sizes) return Shapes(static_cast<size_t>(count), WithDim(value, at, count == 1 ? value.dim(at) : -1));
  Require(static_cast<int64_t>(sizes->size()) == count, "SplitV: ", sizes->size(), " sizes for ", count, " pieces");
  Shapes pieces;
  for (const int64_t size : PieceSizes(*sizes, value.dim(at))) pieces.push_back(WithDim(value, at, size));
  return pieces;
}

// ConcatV2 takes no less than two.
Endpoint Joined(Gradient& g, Endpoint axis) {
  std::vector<Endpoint> inputs = AllGradients(g);
  if (inputs.size() == 1) return g.Call("Identity", inputs);
  inputs.push_back(axis);
  return g.Call("ConcatV2", inputs, {{"N", g.num_outputs()}});
}

Values SplitGradient(Gradient& g) { return {GradientValue::None(), Joined(g, g.x(0))}; }
Values SplitVGradient(Gradient& g) { return {Joined(g, g.x(2)), GradientValue::None(), GradientValue::None()}; }

}  // namespace

std::span<const OpRow> ArraySplit() {
  static const OpRow rows[] = {
      {.signature = "Split(split_dim: int32, value: T) -> (output: T*num_split) hands_on",
       .attrs = "num_split: int >= 1; T: type",
       .doc = "value cut along split_dim into num_split equal pieces. A size that does not divide is an error.",
       .cpu = "T in [numbers, bool, quint8, resource, string, variant]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = SplitShapes,
       .gradient = SplitGradient,
       .samples = {"num_split=3: 1 [a 6]", "num_split=2: -2 [4 b]", "num_split=1: 0 [a b]", "num_split=2: 1 [a 4 c]",
                   "num_split=2: 0 [4 16]"}},
      {.signature = "SplitV(value: T, size_splits: Tlen, split_dim: int32) -> (output: T*num_split) hands_on",
       .attrs = "num_split: int >= 1; T: type; Tlen: type = int64 in [int8, int32, int64]",
       .doc = "value cut along split_dim into pieces of the given sizes. One size may be -1: what is left "
              "over; else they must add up.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu =
           "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]; Tlen in [int32, int64]",
       .shape_fn = SplitVShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = SplitVGradient,
       .samples = {"num_split=3: [a 6] {1, -1, 2} 1", "num_split=2: [5 b] {0, 5} -2", "num_split=2: [a 5 c] {2, 3} 1",
                   "num_split=2: [4 16] {1, 3} 0", "num_split=1: [a b] {a} 0"}},
  };
  return rows;
}

}  // namespace plumb::topics
