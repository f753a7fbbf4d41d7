// Loops over rows of float or double, in vectors, that scatters and segments have in common.
#pragma once

#include <cstdint>

namespace plumb::fast::cpu {

// to[i] += from[i] / divisor.
void AddQuotients(const float* from, float divisor, int64_t n, float* to);
void AddQuotients(const double* from, double divisor, int64_t n, double* to);
// row[i] = (row[i] + 0) / divisor: a quotient that is never the negative zero of a positive divisor.
void DivideRow(float divisor, int64_t n, float* row);
void DivideRow(double divisor, int64_t n, double* row);

// out[i] = a[i] > b[i] ? a[i] : b[i], and the same by <. out may be a or b.
void TakeLarger(const float* a, const float* b, int64_t n, float* out);
void TakeLarger(const double* a, const double* b, int64_t n, double* out);
void TakeSmaller(const float* a, const float* b, int64_t n, float* out);
void TakeSmaller(const double* a, const double* b, int64_t n, double* out);

}  // namespace plumb::fast::cpu
