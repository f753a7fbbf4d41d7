// Where fractional pooling cuts images: positions along rows and columns, drawn at random or given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fastpath/formulas/philox.h"

namespace plumb::fast::cpu {

struct FractionalCuts {
  struct Cell {
    int64_t first, last;
  };
  std::vector<int64_t> rows, columns;  // where cells begin, and where the last one ends
  bool overlapping = false;            // a cell also holds the first element of the next one

  Cell RowCell(int64_t i, int64_t size) const { return CellOf(rows, i, size); }
  Cell ColumnCell(int64_t i, int64_t size) const { return CellOf(columns, i, size); }
  bool AllCellsHoldSomething(int64_t row_size, int64_t column_size) const {
    return AllHoldSomething(rows, row_size) && AllHoldSomething(columns, column_size);
  }

 private:
  Cell CellOf(const std::vector<int64_t>& cuts, int64_t i, int64_t size) const {
    const auto at = static_cast<size_t>(i);
    return {cuts[at], std::min(overlapping ? cuts[at + 1] : cuts[at + 1] - 1, size - 1)};
  }
  bool AllHoldSomething(const std::vector<int64_t>& cuts, int64_t size) const {
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      const Cell cell = CellOf(cuts, static_cast<int64_t>(i), size);
      if (cell.first > cell.last) return false;
    }
    return true;
  }
};

// How many blocks of random words the cuts of an axis take.
uint64_t BlocksForCuts(int64_t output, bool regular);
// The positions that cut `input` elements into `output` cells, 0 < output ≤ input. `regular`: at ⌈α(i + u)⌉ for one
// random u, else cells of both sizes in random order.
std::vector<int64_t> DrawCuts(int64_t input, int64_t output, bool regular, Philox generator);

}  // namespace plumb::fast::cpu
