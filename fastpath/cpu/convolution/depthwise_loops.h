// The inner loop of depthwise convolution and its gradients: all three sum up products of channels.
#pragma once

#include <cstdint>
#include <span>

namespace plumb::fast::cpu {

// Two rows of channels that meet: where they begin in a and in b.
struct Meeting {
  int64_t a, b;
};

// Images in which the same rows meet, and how far apart they are in a and in b.
struct Images {
  int64_t count = 1;
  int64_t a = 0, b = 0;
};

// For each image i by itself: out[i·step + c] = Σ over meetings m of a[i·images.a + m.a + c]·b[i·images.b + m.b + c];
// in vectors of float.
void SumsOfProducts(const float* a, const float* b, std::span<const Meeting> meetings, const Images& images,
                    int64_t channels, int64_t step, float* out);
void SumsOfProducts(const double* a, const double* b, std::span<const Meeting> meetings, const Images& images,
                    int64_t channels, int64_t step, double* out);

// out[c] = Σ over images i and meetings m of a[i·images.a + m.a + c]·b[i·images.b + m.b + c]; in vectors of float.
void SumOfProducts(const float* a, const float* b, std::span<const Meeting> meetings, const Images& images,
                   int64_t channels, float* out);
void SumOfProducts(const double* a, const double* b, std::span<const Meeting> meetings, const Images& images,
                   int64_t channels, double* out);

}  // namespace plumb::fast::cpu
