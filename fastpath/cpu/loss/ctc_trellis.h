// The probability that a sequence of classes spells labels with blanks between them, and how often each label is taken
// at each time (connectionist temporal classification).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace plumb::fast::cpu {

// A number m·2^(512·e) that is not negative, with m between 2^-256 and 2^256, or zero: products of thousands of
// probabilities, without a logarithm.
struct Scaled {
  double m = 0;
  int64_t e = 0;

  Scaled() = default;
  explicit Scaled(double value, int64_t exponent = 0) : m(value), e(exponent) {
    if (m >= 0x1p256) {
      m *= 0x1p-512;
      ++e;
    } else if (m < 0x1p-256 && m > 0) {
      m *= 0x1p512;
      --e;
    }
  }
};
inline Scaled operator*(Scaled a, Scaled b) { return Scaled(a.m * b.m, a.e + b.e); }
inline Scaled operator+(Scaled a, Scaled b) {
  if (a.m == 0) return b;
  if (b.m == 0) return a;
  if (a.e < b.e) std::swap(a, b);
  const int64_t apart = a.e - b.e;
  return apart == 0 ? Scaled(a.m + b.m, a.e) : apart == 1 ? Scaled(a.m + b.m * 0x1p-512, a.e) : a;
}
// a/b where it is at most about 1; zero where it is too small for a double.
double Ratio(Scaled a, Scaled b);
double LogOf(Scaled a);

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
