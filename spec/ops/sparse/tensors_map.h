// What both sides refuse of a sparse tensor whose rows are kept one by one.
#pragma once

#include <cstdint>

#include "spec/core/status.h"

namespace plumb {

// Rows without elements are kept as well: more than this many are beyond any memory (rule S12).
inline constexpr int64_t kMaxKeptRows = int64_t{1} << 22;

inline void CheckRowCount(int64_t count) {
  if (count > kMaxKeptRows)
    throw ResourceExhausted("no more than ", kMaxKeptRows, " rows are kept at once, not ", count);
}

}  // namespace plumb
