// Places in one block of memory for values that come and go in an order that is known: where each lies, and how large
// the block has to be.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "spec/core/thread_annotations.h"

namespace plumb::fast {

// Thread-safe. The same calls in the same order give the same places.
class Arena {
 public:
  // Without a capacity it grows as it must.
  explicit Arena(size_t capacity = SIZE_MAX) : capacity_(capacity) {}

  // The offset of so many bytes, aligned for tensors; none where they do not fit.
  std::optional<size_t> Take(size_t bytes);
  void GiveBack(size_t offset);

  // What a block has to have for all that was taken so far.
  size_t extent() const;
  // How many places are taken.
  size_t taken() const;

 private:
  // The lowest hole of that size; where there is none, the end.
  size_t FindPlace(size_t size) const PLUMB_REQUIRES(mutex_);

  const size_t capacity_;
  mutable Mutex mutex_;
  std::map<size_t, size_t> taken_ PLUMB_GUARDED_BY(mutex_);  // sizes, by offset
  size_t extent_ PLUMB_GUARDED_BY(mutex_) = 0;
};

}  // namespace plumb::fast
