#include "spec/ops/random/stateless.h"

namespace plumb::topics {
namespace {

Shapes KeyShapes(const ShapeContext& c) {
  MergeDims(c, WithRank(c, 0, 1).dim(0), 2);
  Shapes shapes = {PartialShape{1}, PartialShape{2}};
  if (c.num_outputs() > 2) shapes.push_back(Shape());
  return shapes;
}

}  // namespace

Shapes OfKeyAndCounter(const ShapeContext& c) {
  MergeDims(c, WithRank(c, 1, 1).dim(0), 1);
  WithRank(c, 2, 1);
  for (int i = 3; i < c.num_inputs(); ++i) RequireScalar(c, i);
  return {ConstantShape(c, 0)};
}

std::vector<const char*> StatelessSamples() {
  return {"{5, 4} [1] [2] 1", "{n, 7} {1} {0, 0} 3", "{} [1] [3] 3", "{0, 3} [1] [2] 1", "{3, 0} [1] [2] 2"};
}

Shapes OfSeeds(const ShapeContext& c) {
  MergeDims(c, WithRank(c, 1, 1).dim(0), 2);
  for (int i = 2; i < c.num_inputs(); ++i) RequireScalar(c, i);
  return {ConstantShape(c, 0)};
}

std::vector<const char*> SeededSamples() { return {"{5, 4} [2]", "{n, 7} {0, 0}", "{} {7, -3}", "{0, 3} [2]"}; }

std::span<const OpRow> RandomStateless() {
  static const OpRow rows[] = {
      {.signature = "StatelessRandomGetKeyCounter(seed: Tseed) -> (key: uint64, counter: uint64)",
       .attrs = "Tseed: type = int64 in [int32, int64]",
       .doc = "Key and counter of a Philox generator for two seeds, scrambled by another one.",
       .gpu = "all",
       .shape_fn = KeyShapes,
       .samples = {"[2]", "{0, 0}", "{-1, 7}"}},
      {.signature = "StatelessRandomGetKeyCounterAlg(seed: Tseed) -> (key: uint64, counter: uint64, alg: int32)",
       .attrs = "Tseed: type = int64 in [int32, int64]",
       .doc = "StatelessRandomGetKeyCounter, and the number of the generator, which is 1, Philox.",
       .shape_fn = KeyShapes,
       .samples = {"[2]", "{0, 0}", "{-1, 7}"}},
      {.signature = "StatelessRandomGetAlg() -> (alg: int32) stateful",
       .doc = "The number of the generator that stateless ops use here: 1, Philox.",
       .shape = "-> []"},
  };
  return rows;
}

}  // namespace plumb::topics
