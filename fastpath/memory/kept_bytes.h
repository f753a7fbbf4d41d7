// How much of what tensors have given back is kept for the next ones.
#pragma once

#include <algorithm>
#include <cstdint>

namespace plumb::fast {

// Half as much again as has lately been in use at once: then steps that are alike ask the heap for nothing, though
// blocks serve their own size alone, and the sizes in use differ from moment to moment. But `always` may be kept in any
// case, and never more than `most`, where that is more. Sizes are in bytes.
class KeptBytes {
 public:
  KeptBytes(int64_t always, int64_t most) : always_(always), most_(std::max(always, most)) {}

  // A block comes into use, from the heap or of what was kept.
  void Take(int64_t bytes) {
    in_use_ += bytes;
    peak_ = std::max(peak_, in_use_);
    if (++taken_ < kTakenInAWindow) return;
    taken_ = 0;
    peak_before_ = peak_;
    peak_ = in_use_;
  }
  // It is used no more.
  void GiveBack(int64_t bytes) { in_use_ -= bytes; }

  int64_t Allowed() const {
    const int64_t peak = std::max(peak_, peak_before_);
    return std::clamp(peak + peak / 2, always_, most_);
  }

  // What was in use at once more than two such windows ago is forgotten.
  static constexpr int64_t kTakenInAWindow = 4096;

 private:
  const int64_t always_, most_;
  int64_t in_use_ = 0;
  int64_t peak_ = 0, peak_before_ = 0;  // of in_use_ in this window, and in the one before
  int64_t taken_ = 0;                   // in this window
};

}  // namespace plumb::fast
