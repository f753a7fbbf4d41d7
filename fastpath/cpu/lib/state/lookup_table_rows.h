// Values of tables moved by the rows that keys were found in.
#pragma once

#include <cstdint>
#include <span>

#include "spec/core/tensor.h"

namespace plumb::fast::cpu {

// The row of a key that is not there.
inline constexpr int64_t kNoRow = -1;

// Keys are looked up so many at a time, and then their values moved.
inline constexpr int64_t kRowsAtOnce = 256;

// Where values come from: rows of one tensor, or of another instead of kNoRow.
struct RowSource {
  const Tensor& column;
  const Tensor& standard;
  bool has_standard_for_each;  // else its first row is for all
};

// Rows of `width` elements, not 0, into `to` from row `first` on, of which there are as many as `rows`.
void GatherRows(const RowSource& from, int64_t width, std::span<const int64_t> rows, int64_t first, Tensor& to);

// Row first + i of `from` into row rows[i] of `to`, one after the other.
void ScatterRows(const Tensor& from, int64_t width, int64_t first, std::span<const int64_t> rows, Tensor& to);

// Moves row rows[i] of `from`, which nobody else has, into row i of `to`.
void MoveRows(Tensor& from, int64_t width, std::span<const int64_t> rows, Tensor& to) noexcept;

}  // namespace plumb::fast::cpu
