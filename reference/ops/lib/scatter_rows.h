// Rows of a value changed by index: what scatters into variables have in common (rules R23, R24, R45).
#pragma once

#include <vector>

#include "reference/numbers/value.h"

namespace plumb::reference {

// kMin and kMax put an update in the place of what is greater, or less, than it, which nothing is that is not a number.
enum class Scatter { kReplace, kAdd, kSubtract, kMultiply, kDivide, kMin, kMax };

// Which rows change: row i of the updates goes to the `width` elements from rows[i] · width on.
struct RowsToChange {
  std::vector<int64_t> rows;
  int64_t width;
};

// One after the other, so that rows that are named several times take every update. Updates of rank 0 are one number
// for every element. Updates that are the value's own elements show what was written before. kInvalidArgument for an
// integer that is divided by zero.
Value ScatteredRows(Scatter scatter, const Value& old, const RowsToChange& to, const Value& updates);

}  // namespace plumb::reference
