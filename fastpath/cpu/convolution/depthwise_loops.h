// The inner loop of depthwise convolution and its gradients: all three sum up products of channels.
#pragma once

#include <cstdint>
#include <span>

namespace plumb::fast::cpu {

// Two rows of channels that meet: where they begin in a and in b.
struct Meeting {
  int64_t a, b;
};

// out[c] = Σ over meetings of a[m.a + c]·b[m.b + c]; in vectors of float.
void SumOfProducts(const float* a, const float* b, std::span<const Meeting> meetings, int64_t channels, float* out);
void SumOfProducts(const double* a, const double* b, std::span<const Meeting> meetings, int64_t channels, double* out);

}  // namespace plumb::fast::cpu
