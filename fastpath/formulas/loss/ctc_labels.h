// What CTCLoss takes besides the inputs: how long each sequence is, and the labels that it spells.
#pragma once

#include <string>
#include <vector>

#include "spec/core/tensor.h"
#include "spec/graph/graph.h"

namespace plumb::fast {

struct CtcSequence {
  std::vector<int32_t> labels;
  int64_t length = 0;
  bool is_skipped = false;  // nothing to be computed
};

struct CtcOptions {
  explicit CtcOptions(const Node& node, bool blank_is_first);

  std::string node;  // for errors
  bool collapses, merges, ignores;
  bool blank_is_first;  // else the last class is the blank
};

// A sequence for each of the inputs [time, batch, class]. The labels [n, 2], [n] and the lengths [batch] lie on the
// host. Throws kInvalidArgument for what does not fit (rule N23).
std::vector<CtcSequence> CtcSequencesOf(const CtcOptions& options, const Shape& inputs, const Tensor& labels_indices,
                                        const Tensor& labels_values, const Tensor& sequence_length);

}  // namespace plumb::fast
