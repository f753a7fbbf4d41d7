// Which examples of a data set make the next batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spec/session/saved_state.h"

namespace plumb::tools {

// Numbers of rows in an order that is shuffled anew each epoch; equal seeds give equal batches. What is left of an
// epoch and makes no whole batch waits for another one.
class ShuffledRows {
 public:
  // kInvalidArgument for a batch that is empty or larger than the data set.
  ShuffledRows(int64_t rows, int64_t batch, uint64_t seed);
  // Of the next batch; good until the next call.
  std::span<const int64_t> Next();
  // Where it is, for one of as many rows: kFailedPrecondition for another number, kDataLoss for what cannot be.
  void Save(const StateWriter& writer) const;
  void Restore(const StateReader& reader);

 private:
  int64_t size() const { return std::ssize(order_); }
  void Shuffle();

  int64_t batch_;
  uint64_t state_;
  int64_t position_ = 0;
  std::vector<int64_t> order_;
};

}  // namespace plumb::tools
