// The discrete Fourier transform as it is defined: a sum of products for each element, axis by axis.
//
// Its error bound holds for any algorithm whose intermediate results are sums of numbers as large as the inputs: what
// sums of 2n products (the parts of n complex ones) lose for each axis of n elements, and some units for the factors
// exp(2πi r/n), over the sum M of the magnitudes of all numbers that are transformed together. Those that convolve
// (Bluestein's) meet numbers that are larger by a power of n in between: where they would overflow, nothing is known.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "reference/numbers/number.h"

namespace plumb::reference {

// Numbers that are transformed together, in row-major order; what is known of their errors is known of all at once.
struct Signal {
  std::vector<int64_t> sizes;
  std::vector<std::complex<double>> value, tangent;
  double error = 0;      // sum over the inputs
  double magnitude = 0;  // likewise
  bool moves = false;    // whether any tangent is not zero
  double steps = 0;      // unit roundoffs of `magnitude` that the axes so far may have lost

  explicit Signal(std::vector<int64_t> sizes);
  void Set(int64_t i, Complex z);
  Complex At(int64_t i) const;

  // y[k] = Σ x[t] exp(∓2πi k t/n) along an axis; the inverse has the plus sign and divides by n.
  void Transform(int axis, bool inverse);
};

}  // namespace plumb::reference
