#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerNegTrain() {
  static const OpRow rows[] = {
      {.signature =
           "NegTrain(w_in: ref float32, w_out: ref float32, examples: int32, labels: int32, lr: float32) -> () "
           "stateful",
       .attrs = "vocab_count: list(int); num_negative_samples: int",
       .doc =
           "Steps of word2vec's skip-gram model, one example after the other: rows of w_in and w_out are the vectors "
           "of words. For an example's row v and its label's row w, w grows by g·lr·v and v by g·lr·w, with g = "
           "1/(exp(v·w) + 1); for each of num_negative_samples words that are drawn by vocab_count^0.75, unless it "
           "is the label, with g = -1/(exp(-v·w) + 1). v changes when all that is done.",
       .shape = "? ? ? ? ? ->",
       .cost = 64,
       .accuracy = Composed(4),
       .samples = {"vocab_count=[3, 2, 1] num_negative_samples=0: [3 D] finite [3 D] finite {0, 2, 1, 2} {1, 0, 2, 2} "
                   "0.25",
                   "vocab_count=[0, 4] num_negative_samples=3: [2 7] in -1..1 [2 7] in -1..1 {0, 1, 1} {0, 0, 1} 0.5"},
       .deprecated = {19, "Moving word2vec into tensorflow_models/tutorials and deprecating its ops here as a result"}},
  };
  return rows;
}

}  // namespace plumb::topics
