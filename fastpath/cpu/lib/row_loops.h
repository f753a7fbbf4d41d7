// Loops over rows of float or double, in vectors, that several families have in common.
#pragma once

#include <cstdint>

namespace plumb::fast::cpu {

// to[i] = from[i] / divisor.
void PutQuotients(const float* from, float divisor, int64_t n, float* to);
void PutQuotients(const double* from, double divisor, int64_t n, double* to);
// to[i] += from[i] / divisor.
void AddQuotients(const float* from, float divisor, int64_t n, float* to);
void AddQuotients(const double* from, double divisor, int64_t n, double* to);
// to[i] += factor * from[i].
void AddMultiple(const float* from, float factor, int64_t n, float* to);
void AddMultiple(const double* from, double factor, int64_t n, double* to);
// Σ a[i] * b[i], in any order.
float DotOfRows(const float* a, const float* b, int64_t n);
// row[i] /= divisor.
void TakeQuotients(float divisor, int64_t n, float* row);
void TakeQuotients(double divisor, int64_t n, double* row);
// row[i] = (row[i] + 0) / divisor: a quotient that is never the negative zero of a positive divisor.
void DivideRow(float divisor, int64_t n, float* row);
void DivideRow(double divisor, int64_t n, double* row);
// row[i] as near to zero as `by` takes it, with its sign; NaN stays.
void ShrinkRow(float by, int64_t n, float* row);

// out[i] = a[i] > b[i] ? a[i] : b[i], and the same by <. out may be a or b.
void TakeLarger(const float* a, const float* b, int64_t n, float* out);
void TakeLarger(const double* a, const double* b, int64_t n, double* out);
void TakeSmaller(const float* a, const float* b, int64_t n, float* out);
void TakeSmaller(const double* a, const double* b, int64_t n, double* out);

}  // namespace plumb::fast::cpu
