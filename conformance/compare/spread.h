// How far random rounding moves the numbers of a tensor, and the limit that follows (rule N10).
#pragma once

#include <cstddef>
#include <vector>

namespace plumb::conformance {

// `centre`: the reference's own numbers; `bounds`: how far they may be off for sure, one each; `samples`: the same
// numbers in runs under random rounding.
class Spread {
 public:
  Spread(const std::vector<double>& centre, const std::vector<double>& bounds,
         const std::vector<std::vector<double>>& samples);

  // kSpreads times the spread of number i, or what is typical of the tensor where that is more: a few samples may well
  // agree by chance on one number of a million. `spacing` is added, since samples are stored and show nothing below it.
  // Never above the bound, which holds for sure; and where the samples have measured nothing, for they agree on
  // everything or none of them is a number, the bound stands: vague, but sound.
  double Limit(size_t i, double spacing) const;

 private:
  std::vector<double> own_;  // largest minus smallest; infinite where a sample overflows, NaN where none is a number
  const std::vector<double>& bounds_;
  // Medians over the numbers that moved, so that one that moves wildly widens no other: of the spread as a part of the
  // bound, and of the spread itself, for numbers whose bound is infinite.
  double typical_part_ = 0, typical_size_ = 0;
};

}  // namespace plumb::conformance
