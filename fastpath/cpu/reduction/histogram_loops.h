// The inner loops of HistogramFixedWidth: which part of the range each value is in.
#pragma once

#include <cstdint>
#include <type_traits>

namespace plumb::fast::cpu {

#define PLUMB_INLINE inline
#include "fastpath/formulas/reduction/equal_parts-inl.h"
#undef PLUMB_INLINE

// part[i] = parts.PartOf(x[i]) for i < n, in vectors where values are floating-point numbers.
void PartsOf(const EqualParts<float>& parts, const float* x, int64_t n, int32_t* part);
void PartsOf(const EqualParts<double>& parts, const double* x, int64_t n, int32_t* part);
void PartsOf(const EqualParts<int32_t>& parts, const int32_t* x, int64_t n, int32_t* part);
void PartsOf(const EqualParts<int64_t>& parts, const int64_t* x, int64_t n, int32_t* part);

// Whether one of the values has no part.
bool HasStray(const EqualParts<float>& parts, const float* x, int64_t n);
bool HasStray(const EqualParts<double>& parts, const double* x, int64_t n);
inline bool HasStray(const EqualParts<int32_t>& /*parts*/, const int32_t* /*x*/, int64_t /*n*/) { return false; }
inline bool HasStray(const EqualParts<int64_t>& /*parts*/, const int64_t* /*x*/, int64_t /*n*/) { return false; }

}  // namespace plumb::fast::cpu
