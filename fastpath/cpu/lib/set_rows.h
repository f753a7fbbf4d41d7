// Rows of tensors as sets: runs of different values in ascending order.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/lib/types.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {

using SetTypes = Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, std::string>;

// Strings are compared where they lie.
template <class T>
using Member = std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>;

inline constinit ChoicePoint marked_members("different values of a set: sorted, or marked one by one");

// Many integers from a short stretch: each value of the stretch gets a mark, and the marked ones are the set. Says
// whether it could be done so.
template <class T>
bool MarkInto(const T* begin, const T* end, std::vector<T>& set) {
  constexpr int64_t kManyMembers = 64;
  constexpr uint64_t kMarksForEach = 4;
  const int64_t count = end - begin;
  if (count < kManyMembers) return marked_members.Chosen(false);
  T least = *begin, most = *begin;
  for (const T* at = begin; at < end; ++at) {
    least = std::min(least, *at);
    most = std::max(most, *at);
  }
  const uint64_t stretch = static_cast<uint64_t>(most) - static_cast<uint64_t>(least);
  if (!marked_members.Chosen(stretch < kMarksForEach * static_cast<uint64_t>(count))) return false;
  std::vector<uint8_t> marks(static_cast<size_t>(stretch) + 1);
  const auto first = static_cast<uint64_t>(least);
  for (const T* at = begin; at < end; ++at) marks[static_cast<size_t>(static_cast<uint64_t>(*at) - first)] = 1;
  set.clear();
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] != 0) set.push_back(static_cast<T>(first + i));
  }
  return true;
}

// The different values of elements [begin, end), in ascending order.
template <class T>
void SortInto(const T* values, int64_t begin, int64_t end, std::vector<Member<T>>& set) {
  if constexpr (!std::is_same_v<T, std::string>) {
    if (MarkInto(values + begin, values + end, set)) return;
  }
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
