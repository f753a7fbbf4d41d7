// Rows of tensors as sets: sorted runs of different values.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {

using SetTypes = Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, std::string>;

// Strings are compared where they lie.
template <class T>
using Member = std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>;

// The different values of elements [begin, end), in ascending order.
template <class T>
void SortInto(const T* values, int64_t begin, int64_t end, std::vector<Member<T>>& set) {
  set.assign(values + begin, values + end);
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

// Neighbours in a sparse tensor that agree in all coordinates but the last.
struct SetRun {
  const int64_t* row = nullptr;
  int64_t begin = 0, end = 0;
};

// The sparse tensor at inputs first, first + 1, first + 2, which must have two dimensions at least.
struct SetRuns {
  SparseView view;
  Dims outer;  // the dimensions before the last one
  std::vector<SetRun> runs;

  SetRuns(const KernelContext& context, int first, bool validate)
      : view(SparseInput(context, first)), outer(view.dims) {
    const Shape shape = view.dims.ToShape();
    Require(shape.rank() >= 2, "sets lie in tensors of rank 2 at least, not of shape ", shape.ToString());
    if (validate) CheckOrder(view.rows, view.dims);
    --outer.rank;
    for (int64_t i = 0; i < view.rows.count; ++i) {
      const int64_t* const row = view.rows[i];
      if (runs.empty() || !std::equal(row, row + outer.rank, runs.back().row)) runs.push_back({row, i, i});
      runs.back().end = i + 1;
    }
  }

  // kInternal where a coordinate is beyond the shape.
  void CheckRun(const SetRun& run) const {
    for (int64_t i = run.begin; i < run.end; ++i) {
      for (int axis = 0; axis < view.dims.rank; ++axis) {
        if (view.rows[i][axis] >= view.dims[axis]) {
          throw Internal("element ", i, " is beyond the shape ", view.dims.ToShape().ToString(), " along axis ", axis);
        }
      }
    }
  }
};

}  // namespace plumb::fast::cpu
