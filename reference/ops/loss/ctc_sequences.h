// Sequences of classes in [time, batch, class], as CTC decoders take them.
#pragma once

#include <algorithm>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"

namespace plumb::reference {

struct Sequences {
  int64_t batch, classes;
  std::vector<int64_t> lengths;
  int64_t At(int64_t time, int64_t b) const { return (time * batch + b) * classes; }
};

// Inputs 0 and 1: the classes, and how long each sequence is.
inline Sequences SequencesOf(const OpContext& c) {
  const Shape& inputs = c.tensor(0).shape();
  Require(inputs.rank() == 3, "inputs must be [time, batch, class], not of shape ", inputs.ToString());
  Require(inputs.elements() > 0, "inputs must have times, sequences and classes, not the shape ", inputs.ToString());
  Require(c.tensor(1).rank() == 1, "sequence_length must be a vector, not of shape ", c.tensor(1).shape().ToString());
  Sequences sequences{inputs.dim(1), inputs.dim(2), IntegersOf(c.tensor(1), "sequence_length")};
  if (std::ssize(sequences.lengths) != sequences.batch) {
    throw FailedPrecondition("sequence_length must have ", sequences.batch, " entries, not ", sequences.lengths.size());
  }
  for (int64_t& length : sequences.lengths) {
    length = std::max<int64_t>(length, 0);  // below nothing there is nothing either
    if (length > inputs.dim(0)) throw FailedPrecondition("sequence_length ", length, " is beyond ", inputs.dim(0));
  }
  return sequences;
}

}  // namespace plumb::reference
