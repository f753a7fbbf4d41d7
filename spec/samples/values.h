// Random numbers and tensors for samples. Everything follows from the seed, on every machine.
#pragma once

#include <cstdint>

#include "spec/core/tensor.h"

namespace plumb {

// SplitMix64: a short generator with good bits for every seed.
class SampleRandom {
 public:
  explicit SampleRandom(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // From 0 … n-1; n > 0.
  int64_t Below(int64_t n) { return static_cast<int64_t>(Next() % static_cast<uint64_t>(n)); }
  bool Chance(int one_in) { return Below(one_in) == 0; }
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }  // [0, 1)

 private:
  uint64_t state_;
};

// Which values come up beside the ordinary ones.
enum class Specials {
  kNone,
  kNoExtremes,  // NaN, infinities, −0, subnormals, but nothing whose sums and products overflow in some orders only
  kAll,         // the largest numbers as well
};

// What values a tensor may hold: SampleRule with its names resolved.
struct ValueRange {
  bool bounded = false;  // low <= value < high
  double low = 0;
  double high = 0;
  bool positive = false;
  bool nonzero = false;
  Specials specials = Specials::kNone;
};

// Throws kInvalidArgument when a bounded range is empty and the tensor is not.
Tensor RandomTensor(DType dtype, const Shape& shape, const ValueRange& range, SampleRandom& random);
// The rows in lexicographic order (a vector's elements in ascending order), drawn anew until no two are equal. Throws
// kInvalidArgument when the range has too few different rows.
Tensor SortedRows(DType dtype, const Shape& shape, const ValueRange& range, SampleRandom& random);
// 0 … n-1 in random order; the type must be one of integers.
Tensor RandomPermutation(DType dtype, const Shape& shape, SampleRandom& random);

}  // namespace plumb
