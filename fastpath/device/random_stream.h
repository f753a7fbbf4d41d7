// The stream of words that a random kernel draws from, on any device.
#pragma once

#include "fastpath/device/resources.h"
#include "fastpath/formulas/philox.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

// The stream of one kernel instance: each execution takes its share and the next one goes on after it (rule R71).
class RandomStream {
 public:
  // Both seeds zero: a seed nobody knows.
  RandomStream(int64_t seed, int64_t seed2);
  // A generator for `blocks` blocks that no other execution gets.
  Philox Reserve(uint64_t blocks);
  void Save(const StateWriter& writer) const;
  void Restore(const StateReader& reader);

 private:
  mutable Mutex mutex_;
  Philox generator_ PLUMB_GUARDED_BY(mutex_);
};

constexpr uint64_t kBlocksPerOutput = 256;  // R71

}  // namespace plumb::fast
