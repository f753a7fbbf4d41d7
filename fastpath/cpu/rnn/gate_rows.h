// Rows of gates as the vector loops want them: short rows would leave most of a vector empty, so that several are taken
// at once.
#pragma once

#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/rnn/lstm_loops.h"
#include "fastpath/device/thread_pool.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {

inline constinit ChoicePoint rows_alone("rows of gates: several at once, or each by itself");

inline int64_t RowsAtOnce(int64_t cells) {
  constexpr int64_t kCellsAtOnce = 256;
  const int64_t rows = std::max<int64_t>(1, kCellsAtOnce / std::max<int64_t>(1, cells));
  rows_alone.Chosen(rows == 1);
  return rows;
}

// What all rows share, once for each row that is taken at once.
inline std::vector<float> ForEachRow(const float* numbers, int64_t n, int64_t rows) {
  std::vector<float> repeated;
  repeated.reserve(static_cast<size_t>(n * rows));
  for (int64_t row = 0; row < rows; ++row) repeated.insert(repeated.end(), numbers, numbers + n);
  return repeated;
}

// to[gate, row, cell] = x[row, gate, cell] + h[row, gate, cell]
inline void AddGates(const float* x, const float* h, int64_t rows, int64_t gates, int64_t cells, float* to) {
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t gate = 0; gate < gates; ++gate, x += cells, h += cells) {
      float* const sums = to + (gate * rows + row) * cells;
      for (int64_t k = 0; k < cells; ++k) sums[k] = x[k] + h[k];
    }
  }
}

// Calls body(row, rows, sums) for groups of rows of a batch; sums is memory for so many gates of each row.
template <class Body>
void ForRows(ThreadPool& pool, int64_t batch, int64_t gates, int64_t cells, const Body& body) {
  const int64_t each = RowsAtOnce(cells);
  pool.ParallelFor(batch, GrainFor(cells * kLstmCellWork), [&](int64_t begin, int64_t end) {
    std::vector<float> sums(static_cast<size_t>(each * gates * cells));
    for (int64_t row = begin; row < end; row += each) body(row, std::min(each, end - row), sums.data());
  });
}

}  // namespace plumb::fast::cpu
