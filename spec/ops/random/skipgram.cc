#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SkipgramShapes(const ShapeContext& c) {
  const auto batch = c.attr<int64_t>("batch_size");
  Require(batch >= 0, c.op().name, ": batch_size must not be negative: ", batch);
  const PartialShape scalar{Shape()}, words{-1}, examples{batch};
  return {words, words, scalar, scalar, scalar, examples, examples};
}

}  // namespace

std::span<const OpRow> RandomSkipgram() {
  static const OpRow rows[] = {
      {.signature = "Skipgram() -> (vocab_word: string, vocab_freq: int32, words_per_epoch: int64, current_epoch: "
                    "int32, total_words_processed: int64, examples: int32, labels: int32) stateful",
       .attrs = "filename: string; batch_size: int; window_size: int = 5; min_count: int = 5; subsample: float = "
                "0.00100000005",
       .doc = "Pairs of words that stand near each other in a text, for word2vec (rule R87), with the words that occur "
              "min_count times at least, the more frequent ones first, behind UNK, which all others are.",
       .shape_fn = SkipgramShapes,
       .cost = 64,
       .samples = {"w = WriteFile: 'text' 'a b a c a b d a b c e a b c d'; filename='text' batch_size=7 window_size=1 "
                   "min_count=2/3 subsample=0/0.25:"},
       .deprecated = {19, "Moving word2vec into tensorflow_models/tutorials and deprecating its ops here as a result"}},
  };
  return rows;
}

}  // namespace plumb::topics
