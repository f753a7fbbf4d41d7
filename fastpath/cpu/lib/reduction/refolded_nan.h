// The largest or least of columns that hold NaN: of NaN and a number whichever comes later (N12).
#pragma once

#include <cmath>

#include "fastpath/cpu/lib/reduction/reduce.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {

// `to`: the folds of `rows` rows, one at least, of `width` elements. A column with NaN is NaN after a fold in any
// order, and is folded again in its own. Other folds, and integers, stay as they are.
inline void RefoldNaN(Fold fold, DType type, const void* from, int64_t rows, int64_t width, void* to) {
  if (fold != Fold::kMax && fold != Fold::kMin) return;
  VisitOneOf(Types<float, double>(), type, false, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T* const values = static_cast<const T*>(from);
    T* const folds = static_cast<T*>(to);
    for (int64_t i = 0; i < width; ++i) {
      if (!std::isnan(folds[i])) continue;
      for (int64_t row = 0; row < rows; ++row) {
        const T value = values[row * width + i];
        const bool stays = fold == Fold::kMax ? folds[i] > value : folds[i] < value;
        if (!stays) folds[i] = value;
      }
    }
    return true;
  });
}

}  // namespace plumb::fast::cpu
