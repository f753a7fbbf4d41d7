#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SampledShapes(const ShapeContext& c) {
  const int64_t sampled = c.attr<int64_t>("num_sampled");
  const int64_t batch = WithRank(c, 0, 2).dim(0);
  return {PartialShape{sampled}, PartialShape{batch, c.attr<int64_t>("num_true")}, PartialShape{sampled}};
}

Shapes HitShapes(const ShapeContext& c) {
  const int64_t of_each = WithRank(c, 0, 2).dim(1), wanted = c.attr<int64_t>("num_true");
  Require(of_each < 0 || of_each == wanted, c.op().name, ": true_classes has ", of_each, " columns, num_true is ",
          wanted);
  WithRank(c, 1, 1);
  const PartialShape hits = {-1};
  return {hits, hits, hits};
}

}  // namespace

std::span<const OpRow> RandomCandidateSampler() {
  static const OpRow rows[] = {
      {.signature = "AllCandidateSampler(true_classes: int64) -> (sampled_candidates: int64, true_expected_count: "
                    "float32, sampled_expected_count: float32) stateful draws_numbers",
       .attrs = "num_true: int >= 1; num_sampled: int >= 1; unique: bool; seed: int = 0; seed2: int = 0",
       .doc = "The classes 0 … num_sampled − 1, each expected once (rule R81).",
       .shape_fn = SampledShapes,
       .accuracy = Statistical(4),
       .samples = {"num_true=2 num_sampled=5 unique=true/false seed=1: [b 2] in 0..5",
                   "num_true=1 num_sampled=1 unique=true seed=1: [b 1] in 0..1"}},
      {.signature = "ComputeAccidentalHits(true_classes: int64, sampled_candidates: int64) -> (indices: int32, ids: "
                    "int64, weights: float32)",
       .attrs = "num_true: int; seed: int = 0; seed2: int = 0",
       .doc =
           "Where a true class of a row stands among the sampled ones: the row, the last place in sampled_candidates, "
           "and the lowest float, which masks it.",
       .shape_fn = HitShapes,
       .samples = {"num_true=2: [b 2] in 0..6 [n] in 0..6", "num_true=1: [3 1] [n]", "num_true=0: [b 0] [n]"}},
      {.signature = "FixedUnigramCandidateSampler(true_classes: int64) -> (sampled_candidates: int64, "
                    "true_expected_count: float32, sampled_expected_count: float32) stateful draws_numbers",
       .attrs =
           "num_true: int >= 1; num_sampled: int >= 1; unique: bool; range_max: int >= 1; vocab_file: string = ''; "
           "distortion: float = 1; num_reserved_ids: int = 0; num_shards: int = 1 >= 1; shard: int = 0 >= 0; "
           "unigrams: list(float) = []; seed: int = 0; seed2: int = 0",
       .doc =
           "Classes drawn with weights that a list or the last column of a file gives, raised to the power distortion; "
           "reserved ones, which come first, have none. A shard holds the ids that are `shard` modulo num_shards "
           "(rule R81).",
       .shape_fn = SampledShapes,
       .accuracy = Statistical(4),
       .samples = {"num_true=2 num_sampled=3 unique=true/false range_max=5 unigrams=[1, 2, 3, 4, 0.5] seed=1 seed2=2: "
                   "[b 2] in 0..5",
                   "num_true=1 num_sampled=4 unique=false range_max=4 num_reserved_ids=1 distortion=0.5 unigrams=[1, "
                   "20, 3] seed=3: [b 1] in 0..4",
                   "num_true=1 num_sampled=2 unique=true range_max=3 num_shards=2 shard=1 unigrams=[1, 1, 2, 3, 4, 5] "
                   "seed=5: [b 1] in 0..3"}},
      {.signature = "LearnedUnigramCandidateSampler(true_classes: int64) -> (sampled_candidates: int64, "
                    "true_expected_count: float32, sampled_expected_count: float32) stateful draws_numbers",
       .attrs =
           "num_true: int >= 1; num_sampled: int >= 1; unique: bool; range_max: int >= 1; seed: int = 0; seed2: int "
           "= 0",
       .doc = "Classes drawn with weights that begin with 1 and grow by 1 with each true class (rule R81).",
       .shape_fn = SampledShapes,
       .accuracy = Statistical(4),
       .samples = {"num_true=2 num_sampled=3 unique=true/false range_max=6 seed=1 seed2=2: [b 2] in 0..6",
                   "num_true=1 num_sampled=7 unique=true range_max=7 seed=3: [b 1] in 0..7"}},
      {.signature = "LogUniformCandidateSampler(true_classes: int64) -> (sampled_candidates: int64, "
                    "true_expected_count: float32, sampled_expected_count: float32) stateful draws_numbers",
       .attrs =
           "num_true: int >= 1; num_sampled: int >= 1; unique: bool; range_max: int >= 1; seed: int = 0; seed2: int "
           "= 0",
       .doc = "Classes drawn with the probability log((k + 2) / (k + 1)) / log(range_max + 1) (rule R81).",
       .shape_fn = SampledShapes,
       .accuracy = Statistical(4),
       .samples = {"num_true=2 num_sampled=3 unique=true/false range_max=50 seed=1 seed2=2: [b 2] in 0..50",
                   "num_true=1 num_sampled=5 unique=true range_max=5 seed=3: [b 1] in 0..5"}},
      {.signature = "ThreadUnsafeUnigramCandidateSampler(true_classes: int64) -> (sampled_candidates: int64, "
                    "true_expected_count: float32, sampled_expected_count: float32) stateful draws_numbers",
       .attrs =
           "num_true: int >= 1; num_sampled: int >= 1; unique: bool; range_max: int >= 1; seed: int = 0; seed2: int "
           "= 0",
       .doc = "As LearnedUnigramCandidateSampler, for those who call it from one thread (rule R81).",
       .shape_fn = SampledShapes,
       .accuracy = Statistical(4),
       .samples = {"num_true=2 num_sampled=3 unique=true/false range_max=6 seed=1 seed2=2: [b 2] in 0..6",
                   "num_true=1 num_sampled=7 unique=true range_max=7 seed=3: [b 1] in 0..7"}},
      {.signature = "UniformCandidateSampler(true_classes: int64) -> (sampled_candidates: int64, true_expected_count: "
                    "float32, sampled_expected_count: float32) stateful draws_numbers",
       .attrs =
           "num_true: int >= 1; num_sampled: int >= 1; unique: bool; range_max: int >= 1; seed: int = 0; seed2: int "
           "= 0",
       .doc = "Classes drawn evenly (rule R81).",
       .shape_fn = SampledShapes,
       .accuracy = Statistical(4),
       .samples = {"num_true=2 num_sampled=3 unique=true/false range_max=50 seed=1 seed2=2: [b 2] in 0..50",
                   "num_true=1 num_sampled=8 unique=true range_max=8 seed=3: [b 1] in 0..8"}},
  };
  return rows;
}

}  // namespace plumb::topics
