// Rows folded by segment: entries [begins[s], begins[s] + counts[s]) are of segment s.
//
// A fold is one of reduce.h. It may have besides
//   using KeepsSingle = void;                        the result of one row is that row, bit by bit
//   Out StoreFor(Value value, int64_t count) const;  in the place of Store: for a segment of so many rows
#pragma once

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/team.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {

// `rows`: which row each entry is, a negative one none; without rows, that of the entry's number.
template <class Index>
struct SegmentEntries {
  Global<const int64_t> begins, counts;
  Global<const Index> rows;

  PLUMB_GPU_INLINE int64_t RowOf(int64_t entry) const { return rows.size == 0 ? entry : int64_t{rows[entry]}; }
};

template <class F>
PLUMB_GPU_INLINE typename F::Out StoredSegment(const F& fold, typename F::Value value, int64_t count) {
  if constexpr (requires { fold.StoreFor(value, count); }) {
    return fold.StoreFor(value, count);
  } else {
    return fold.Store(value);
  }
}

// The fold of a segment's column, or what a lane of a team contributes to it.
template <class F, class Index>
PLUMB_GPU_INLINE typename F::Value FoldSegment(Global<const typename F::In> x, const SegmentEntries<Index>& entries,
                                               int64_t begin, int64_t end, int64_t lanes, int64_t width, int64_t column,
                                               const F& fold) {
  typename F::Value value = fold.Identity();
  for (int64_t k = begin; k < end; k += lanes) {
    const int64_t row = entries.RowOf(k);
    if (row >= 0) value = fold.Merge(value, fold.Load(x[row * width + column], k));
  }
  return value;
}

// Whether a segment's result is its only row.
template <class F, class Index>
PLUMB_GPU_INLINE bool IsSingle(const SegmentEntries<Index>& entries, int64_t begin, int64_t count) {
  if constexpr (requires { typename F::KeepsSingle; }) {
    return count == 1 && entries.RowOf(begin) >= 0;
  } else {
    return false;
  }
}

// A thread for each element of the result: neighbours read neighbours where rows are wide.
template <class F, class Index>
PLUMB_GPU_KERNEL FoldBySingles(Global<const typename F::In> x, SegmentEntries<Index> entries, Global<typename F::Out> y,
                               int64_t width, F fold) {
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const int64_t segment = i / width, column = i % width, begin = entries.begins[segment];
    const int64_t count = entries.counts[segment];
    if (IsSingle<F, Index>(entries, begin, count)) {
      y[i] = x[entries.RowOf(begin) * width + column];
      continue;
    }
    y[i] =
        StoredSegment<F>(fold, FoldSegment<F, Index>(x, entries, begin, begin + count, 1, width, column, fold), count);
  }
}

// A team for each element of the result: of narrow rows that are many to a segment.
template <class F, class Index>
PLUMB_GPU_KERNEL FoldByTeams(Global<const typename F::In> x, SegmentEntries<Index> entries, Global<typename F::Out> y,
                             int64_t width, Teams teams, F fold) {
  using Value = typename F::Value;
  PLUMB_GPU_SHARED(Value, shared, kWarpsOfTeams);
  const int64_t i = teams.Row();
  Value value = fold.Identity();
  int64_t begin = 0, count = 0;
  if (i < y.size) {
    begin = entries.begins[i / width];
    count = entries.counts[i / width];
    value = FoldSegment<F, Index>(x, entries, begin + teams.Lane(), begin + count, teams.lanes, width, i % width, fold);
  }
  value = MergeTeam<Value>(teams, value, shared, MergeOf<F>{fold});
  if (i >= y.size || teams.Lane() != 0) return;
  if (IsSingle<F, Index>(entries, begin, count)) {
    y[i] = x[entries.RowOf(begin) * width + i % width];
  } else {
    y[i] = StoredSegment<F>(fold, value, count);
  }
}

inline constinit ChoicePoint segments_by_teams("segments on GPUs: a thread for each result, or a team");

// Queues y[s, column] = the fold of x[row, column] over the segment's rows, of which there are `count` in all.
template <class F, class Index>
void FoldSegments(GpuContext& context, Global<const typename F::In> x, const SegmentEntries<Index>& entries,
                  int64_t count, Global<typename F::Out> y, const F& fold) {
  const int64_t segments = entries.begins.size;
  if (y.size == 0) return;
  const int64_t width = y.size / segments;
  if (!segments_by_teams.Chosen(width < kLanesOfWarp && count / segments >= kLanesOfWarp)) {
    return Launch(context.stream(), LoopOver(y.size), FoldBySingles<F, Index>, x, entries, y, width, fold);
  }
  const Teams teams = Teams::ForRowsOf(count / segments);
  Launch(context.stream(), teams.Grid(y.size), FoldByTeams<F, Index>, x, entries, y, width, teams, fold);
}

}  // namespace plumb::fast::GPU_NAMESPACE
