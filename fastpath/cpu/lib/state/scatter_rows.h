// Rows of a tensor changed by index: what scatters into variables have in common.
#pragma once

#include <cstdint>
#include <span>

#include "fastpath/device/thread_pool.h"
#include "spec/core/tensor.h"

namespace plumb::fast::cpu {

enum class Scatter { kReplace, kAdd, kSubtract, kMultiply, kDivide, kMin, kMax };

// Whether one of the elements is zero.
bool HasZero(const Tensor& divisors);

// Whether the values lie in the memory of the others.
bool IsPartOf(const Tensor& part, const Tensor& whole);

// Which rows change: row i of the updates goes to the `width` elements from rows[i] · width on. Checked already.
struct RowsToChange {
  std::span<const int64_t> rows;
  int64_t width;
};

// One after the other: rows that are named several times take every update. Updates of rank 0 are one number for every
// element. `is_own`: updates are elements of target itself, and each row is read as those before it left it. NaN
// changes nothing, nor is changed, in kMin and kMax; integers wrap, and are divided by zero (kInvalidArgument) only
// where updates are target's own.
void ScatterRows(ThreadPool& pool, Scatter scatter, Tensor& target, const RowsToChange& to, const Tensor& updates,
                 bool is_own);

}  // namespace plumb::fast::cpu
