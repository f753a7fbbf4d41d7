// The sizes of a Fourier transform of real numbers, and of its inverse.
#pragma once

#include <string>

#include "spec/core/tensor.h"

namespace plumb::fast {

inline constexpr int64_t kLongestTransform = int64_t{1} << 28;

struct RealTransformSizes {
  static constexpr int kMostAxes = 3;

  // `lengths` lies on the host. Throws kInvalidArgument where it does not fit the input; `node` is for the error.
  RealTransformSizes(const Shape& input, const Tensor& lengths, int axes, bool forward);

  int axes;
  int64_t batch = 1;
  // `length` of the signal along each of the last axes, and of the input.
  int64_t length[kMostAxes] = {}, input[kMostAxes] = {};
  int64_t half = 0;  // coefficients along the last axis
  Shape output;

  // Rows along the last axis in one signal.
  int64_t rows() const {
    int64_t rows = 1;
    for (int i = 0; i < axes - 1; ++i) rows *= length[i];
    return rows;
  }
  int64_t last() const { return length[axes - 1]; }
  // Where row `row` of all begins in the input.
  int64_t InputRow(int64_t row) const {
    int64_t at = 0, stride = input[axes - 1];
    for (int i = axes - 2; i >= 0; --i) {
      at += row % length[i] * stride;
      row /= length[i];
      stride *= input[i];
    }
    return at + row * stride;
  }
};

// Throws kInvalidArgument for axes longer than transforms are made for.
void CheckTransformLength(int64_t n);

}  // namespace plumb::fast
