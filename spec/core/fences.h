// Fences around the memory of tensors, for tests: what is read or written beside the elements shows.
#pragma once

#include <atomic>
#include <cstddef>

#include "spec/core/tensor.h"

namespace plumb {

// Memory that ends at a page which nobody may touch, and begins behind another: who goes beyond them ends the process.
// What is left of its own pages on either side holds kFenceByte, which gives NaN and -1 to who reads it, and has to
// hold it still when the memory is released: else the process ends then, and says so. The elements hold it, too, until
// they are written. Throws kResourceExhausted.
Buffer* NewFencedBuffer(size_t bytes);

inline constexpr unsigned char kFenceByte = 0xff;

// Whether heap memory (NewHeapBuffer, and where values of a step come from) is fenced. Once put up they stay.
class Fences {
 public:
  static void PutUp() { up_.store(true, std::memory_order_relaxed); }
  static bool AreUp() { return up_.load(std::memory_order_relaxed); }

 private:
  inline static std::atomic<bool> up_{false};
};

}  // namespace plumb
