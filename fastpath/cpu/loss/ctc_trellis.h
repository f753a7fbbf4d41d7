// The probability that a sequence of classes spells labels with blanks between them, and how often each label is taken
// at each time (connectionist temporal classification).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace plumb::fast::cpu {

#define PLUMB_INLINE inline
#include "fastpath/formulas/loss/scaled-inl.h"
#undef PLUMB_INLINE

class CtcTrellis {
 public:
  // `merges`: a class that repeats without a blank between is one label.
  CtcTrellis(const std::vector<int32_t>& labels, bool merges);

  // `probabilities`: for each time that of the blank, then those of the labels.
  void Run(std::vector<Scaled> probabilities, int64_t times);
  // Zero where the labels cannot be spelled.
  Scaled total() const { return total_; }
  // taken[0] is how probable the blank is at this time among all ways that spell the labels, taken[i + 1] label i.
  // Goes backwards: from the last time to the first, each once.
  void Taken(int64_t time, double* taken);

 private:
  int64_t states() const { return 2 * labels_ + 1; }
  Scaled Probability(int64_t time, int64_t state) const {
    return probabilities_[static_cast<size_t>(time * (labels_ + 1) + (state % 2 == 0 ? 0 : state / 2 + 1))];
  }
  bool MayStay(int64_t state) const { return merges_ || state % 2 == 0; }
  bool MaySkipTo(int64_t state) const { return skips_[static_cast<size_t>(state)] != 0; }
  void Forward();
  void StepBack(int64_t time);

  int64_t labels_, times_ = 0;
  bool merges_;
  std::vector<uint8_t> skips_;              // whether a state can be reached over the blank before it
  std::vector<Scaled> probabilities_;       // [time][blank, labels…]
  std::vector<Scaled> forward_;             // [time][state]: all ways to a state, that included
  std::vector<Scaled> backward_, scratch_;  // [state]: all ways on from a state, that left out
  Scaled total_;
};

}  // namespace plumb::fast::cpu
