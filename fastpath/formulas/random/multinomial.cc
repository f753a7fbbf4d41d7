#include "fastpath/formulas/random/multinomial.h"

#include "spec/core/status.h"

namespace plumb::fast {

Shape ShapeOfSamples(const Shape& logits, const Tensor& count) {
  Require(logits.rank() == 2, "logits must be a matrix, not of shape ", logits.ToString());
  Require(count.rank() == 0, "num_samples must be a scalar, not of shape ", count.shape().ToString());
  const int64_t samples = ToInt64s(count).front();
  Require(samples >= 0, "num_samples must not be negative: ", samples);
  Require(logits[1] > 0, "there are no classes to draw from: the logits have the shape ", logits.ToString());
  return Shape({logits[0], samples});
}

uint64_t OutputsTaken(const Shape& samples) {
  return static_cast<uint64_t>(samples[0]) * ((static_cast<uint64_t>(samples[1]) + 3) / 4 * 4) * 2;
}

}  // namespace plumb::fast
