#include "fastpath/formulas/spectral/real_sizes.h"

#include <vector>

namespace plumb::fast {
namespace {

int64_t CheckedLength(int64_t length) {
  Require(length >= 0, "fft_length must not be negative, but holds ", length);
  return length;
}

}  // namespace

void CheckTransformLength(int64_t n) {
  Require(n <= kLongestTransform, "an axis of ", n, " elements is longer than what can be transformed, ",
          kLongestTransform);
}

RealTransformSizes::RealTransformSizes(const Shape& shape, const Tensor& lengths, int axes, bool forward) : axes(axes) {
  Require(shape.rank() >= axes, "the input must have rank ", axes, " at least, not the shape ", shape.ToString());
  Require(lengths.rank() == 1 && lengths.elements() == axes, "fft_length must have the shape [", axes, "], not ",
          lengths.shape().ToString());
  const std::vector<int64_t> given = ToInt64s(lengths);
  std::vector<int64_t> dims = shape.ToVector();
  const bool is_empty = shape.elements() == 0;
  const int first = shape.rank() - axes;
  for (int i = 0; i < first; ++i) batch *= shape[i];
  for (int i = 0; i < axes; ++i) {
    const int64_t n = CheckedLength(given[static_cast<size_t>(i)]), size = shape[first + i];
    const bool is_last = i == axes - 1;
    const int64_t least = !forward && is_last ? n / 2 + 1 : n;
    Require(size == 0 || size >= least, "dimension ", first + i, " of the input must be ", least, " at least, not ",
            size);
    if (!is_empty) CheckTransformLength(n);
    length[i] = n;
    input[i] = size;
    dims[static_cast<size_t>(first + i)] = forward && is_last && n != 0 ? n / 2 + 1 : n;
  }
  for (int i = 0; i < axes; ++i) {
    Require(is_empty || length[i] != 0, "fft_length must not be zero where there is an input");
  }
  half = last() / 2 + 1;
  output = Shape(dims);
}

}  // namespace plumb::fast
