#include <algorithm>

#include "spec/ops/gradient_helpers.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes BroadcastArgsShapes(const ShapeContext& c) {
  const int64_t m = WithRank(c, 0, 1).dim(0), n = WithRank(c, 1, 1).dim(0);
  return {PartialShape{m < 0 || n < 0 ? -1 : std::max(m, n)}};
}

std::optional<Tensor> FoldBroadcastArgs(const Folding& f) {
  std::vector<int64_t> a = f.values(0), b = f.values(1);
  if (a.size() < b.size()) a.swap(b);
  const size_t missing = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t& dim = a[missing + i];
    if (dim != b[i] && dim != 1 && b[i] != 1) return std::nullopt;
    if (dim == 1) dim = b[i];
  }
  return KnownVector(f, a);
}

// A dimension of the input that is longer than one is one of the result.
Shapes BroadcastToShapes(const ShapeContext& c) {
  WithRank(c, 1, 1);
  PartialShape wanted = ConstantShape(c, 1);
  const PartialShape& input = c.input(0);
  if (!wanted.has_rank() || !input.has_rank()) return {wanted};
  WithRankAtMost(c, 0, wanted.rank());
  const int missing = wanted.rank() - input.rank();
  for (int axis = 0; axis < input.rank(); ++axis) {
    if (input.dim(axis) <= 1) continue;
    wanted = WithDim(wanted, missing + axis, MergeDims(c, input.dim(axis), wanted.dim(missing + axis)));
  }
  return {wanted};
}

Values BroadcastToGradient(Gradient& g) {
  const Endpoint shape = g.Call("Shape", {g.x(0)}, {{"out_type", g.dtype(g.x(1))}});
  const NodeId axes = g.Add("BroadcastGradientArgs", {g.x(1), shape});
  const Endpoint sum = g.Call("Sum", {g.dy(), Endpoint{axes, 1}}, {{"keep_dims", true}});
  return {g.Call("Reshape", {sum, shape}), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ArrayBroadcast() {
  static const OpRow rows[] = {
      {.signature = "BroadcastGradientArgs(s0: T, s1: T) -> (r0: T, r1: T)",
       .attrs = "T: type = int32 in [int32, int64]",
       .doc = "For two shapes that broadcast: the axes over which a gradient must be summed to fit the first, "
              "and the second.",
       .shape = "[a] [b] -> [?] [?]",
       .gradient = BlocksGradient(),
       .samples = {"{2, 3} {3}", "{1, 3, 4} {5, 1, 4}", "{} {2, 2}", "{0, 1} {1}"}},
      {.signature = "BroadcastArgs(s0: T, s1: T) -> (r0: T)",
       .attrs = "T: type = int32 in [int32, int64]",
       .doc = "The shape that two shapes broadcast to.",
       .shape_fn = BroadcastArgsShapes,
       .fold = FromValues(FoldBroadcastArgs),
       .samples = {"{2, 3} {3}", "{1, 3, 4} {5, 1, 4}", "{} {2, 2}", "{0, 1} {1}", "{3} {1}"}},
      {.signature = "BroadcastTo(input: T, shape: Tidx) -> (output: T) hands_on",
       .attrs = "T: type; Tidx: type = int32 in [int32, int64]",
       .doc = "The input repeated along its dimensions of size 1, and along new ones before the first, up to the given "
              "shape.",
       .cpu = "T in [numbers, bool, string, resource, variant]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = BroadcastToShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = BroadcastToGradient,
       .samples = {"[a 1 c] {a, 3, c}", "[n] {2, n}", "[] {m, n}", "[a 1] {2, a, b}", "[a b] {a, b}", "[] {}",
                   "[1 b 1] {a, b, c}"}},
  };
  return rows;
}

}  // namespace plumb::topics
