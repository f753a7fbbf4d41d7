#include "spec/graph/int32_attr.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes PackShapes(const ShapeContext& c) {
  const int64_t axis = Int32Attr(c.attrs(), "axis");
  PartialShape part = c.input(0);
  for (int i = 1; i < c.num_inputs(); ++i) part = MergeShapes(c, part, c.input(i));
  if (!part.has_rank()) return {part};
  const int at = CanonicalAxis(c, axis, part.rank() + 1);
  return {Join(Join(Part(part, 0, at), PartialShape{c.num_inputs()}), Part(part, at))};
}

Shapes UnpackShapes(const ShapeContext& c) {
  const int64_t count = c.attr<int64_t>("num"), axis = Int32Attr(c.attrs(), "axis");
  const PartialShape& value = WithRankAtLeast(c, 0, 1);
  PartialShape part;
  if (value.has_rank()) {
    const int at = CanonicalAxis(c, axis, value.rank());
    MergeDims(c, value.dim(at), count);
    part = Join(Part(value, 0, at), Part(value, at + 1));
  }
  return Shapes(static_cast<size_t>(count), part);
}

Values PackGradient(Gradient& g) {
  const NodeId parts = g.Add("Unpack", {g.dy()}, {{"num", g.num_inputs()}, {"axis", g.attr<int64_t>("axis")}});
  Values values;
  for (int i = 0; i < g.num_inputs(); ++i) values.push_back(Endpoint{parts, i});
  return values;
}

Values UnpackGradient(Gradient& g) { return {g.Call("Pack", AllGradients(g), {{"axis", g.attr<int64_t>("axis")}})}; }

std::optional<Tensor> FoldPack(const Folding& f) {
  std::vector<int64_t> values;
  for (int i = 0; i < f.num_inputs(); ++i) {
    if (f.input(i).rank() != 0) return std::nullopt;
    values.push_back(f.values(i)[0]);
  }
  return KnownVector(f, values);
}

}  // namespace

std::span<const OpRow> ArrayPack() {
  static const OpRow rows[] = {
      {.signature = "Pack(values: T*N) -> (output: T) hands_on",
       .attrs = "N: int >= 1; T: type; axis: int = 0",
       .doc = "The values, all of one shape, side by side along a new dimension `axis`.",
       .cpu = "T in [numbers, quantized, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = PackShapes,
       .fold = FromValues(FoldPack),
       .gradient = PackGradient,
       .samples = {"axis=0/-1/1: ([a b] [a b] [a b])", "([] [])", "([a b])"}},
      {.signature = "Unpack(value: T) -> (output: T*num) hands_on",
       .attrs = "num: int >= 0; T: type; axis: int = 0",
       .doc = "The slices of value along the dimension `axis`, whose size must be `num`; each without that "
              "dimension.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = UnpackShapes,
       .gradient = UnpackGradient,
       .samples = {"num=3 axis=1/-2: [a 3 c]", "num=2: [2]", "num=0: [0 a]", "num=2: [2 64]"}},
  };
  return rows;
}

}  // namespace plumb::topics
