#include "fastpath/cpu/loss/ctc_trellis.h"

#include <algorithm>
#include <cmath>

namespace plumb::fast::cpu {

CtcTrellis::CtcTrellis(const std::vector<int32_t>& labels, bool merges)
    : labels_(static_cast<int64_t>(labels.size())), merges_(merges), skips_(static_cast<size_t>(states()), 0) {
  for (size_t i = 1; i < labels.size(); ++i) skips_[2 * i + 1] = merges && labels[i] == labels[i - 1] ? 0 : 1;
}

void CtcTrellis::Run(std::vector<Scaled> probabilities, int64_t times) {
  probabilities_ = std::move(probabilities);
  times_ = times;
  Forward();
  const int64_t size = states();
  const Scaled* const last = forward_.data() + (times - 1) * size;
  total_ = last[size - 1] + (size > 1 ? last[size - 2] : Scaled());
}

// What cannot be reached from the start, or cannot reach the end, is left at zero.
void CtcTrellis::Forward() {
  const int64_t size = states();
  forward_.assign(static_cast<size_t>(times_ * size), Scaled());
  for (int64_t u = 0; u < std::min<int64_t>(2, size); ++u) forward_[static_cast<size_t>(u)] = Probability(0, u);
  for (int64_t t = 1; t < times_; ++t) {
    const Scaled* const from = forward_.data() + (t - 1) * size;
    Scaled* const to = forward_.data() + t * size;
    const int64_t begin = std::max<int64_t>(0, size - 2 * (times_ - t)), end = std::min(size, 2 * (t + 1));
    for (int64_t u = begin; u < end; ++u) {
      Scaled sum = MayStay(u) ? from[u] : Scaled();
      if (u > 0) sum = sum + from[u - 1];
      if (MaySkipTo(u)) sum = sum + from[u - 2];
      to[u] = sum * Probability(t, u);
    }
  }
}

void CtcTrellis::StepBack(int64_t time) {
  const int64_t size = states();
  if (time == times_ - 1) {
    backward_.assign(static_cast<size_t>(size), Scaled());
    for (int64_t u = std::max<int64_t>(0, size - 2); u < size; ++u) backward_[static_cast<size_t>(u)] = Scaled(1);
    scratch_.resize(backward_.size());
    return;
  }
  for (int64_t u = 0; u < size; ++u) {
    scratch_[static_cast<size_t>(u)] = backward_[static_cast<size_t>(u)] * Probability(time + 1, u);
  }
  for (int64_t u = 0; u < size; ++u) {
    Scaled sum = MayStay(u) ? scratch_[static_cast<size_t>(u)] : Scaled();
    if (u + 1 < size) sum = sum + scratch_[static_cast<size_t>(u) + 1];
    if (u + 2 < size && MaySkipTo(u + 2)) sum = sum + scratch_[static_cast<size_t>(u) + 2];
    backward_[static_cast<size_t>(u)] = sum;
  }
}

void CtcTrellis::Taken(int64_t time, double* taken) {
  StepBack(time);
  const Scaled* const forward = forward_.data() + time * states();
  std::fill(taken, taken + labels_ + 1, 0.0);
  for (int64_t u = 0; u < states(); ++u) {
    taken[u % 2 == 0 ? 0 : u / 2 + 1] += Ratio(forward[u] * backward_[static_cast<size_t>(u)], total_);
  }
}

}  // namespace plumb::fast::cpu
