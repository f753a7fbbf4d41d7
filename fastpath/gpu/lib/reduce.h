// Folds of a tensor over any of its axes. What is folded in which order follows from the shape alone, so that equal
// inputs have equal results.
//
// A fold says how: struct F {
//   using In, Value, Out;                    of the elements, of what is merged (up to 16 bytes), of the results
//   Value Identity() const;                  the fold of nothing
//   Value Load(In element, int64_t i) const; i: the element's number along the folded axes
//   Value Merge(Value a, Value b) const;     associative up to rounding, and commutative
//   Out Store(Value value) const;
// };
// A fold whose elements need more than that has, in the place of Load,
//   Value LoadAt(In element, int64_t place, int64_t result) const; place: of the element in the tensor
#pragma once

#include <vector>

#include "fastpath/gpu/gpu_context.h"
#include "fastpath/gpu/lib/runs.h"
#include "fastpath/gpu/lib/team.h"
#include "fastpath/gpu/lib/walk.h"

namespace plumb::fast::GPU_NAMESPACE {

struct FoldPlan {
  Walk kept, folded;          // through the input, as operand 0
  int64_t results = 1;        // each of which is made of
  int64_t count = 1;          // elements
  int64_t pieces = 1;         // into which the elements of a result are cut, of
  int64_t piece = 0;          // elements each, the last one of fewer
  bool is_along_rows = true;  // whether neighbours in memory belong to one result
  int run = 1;                // elements that are read at a time: of a result's, or of neighbouring results'

  // Which result an item is a piece of.
  PLUMB_GPU_WORD int64_t ResultOf(int64_t item) const { return pieces == 1 ? item : item / pieces; }
};

// How many elements a fold reads at a time where their shape allows it. More would take too many registers.
template <class F>
inline constexpr int kRunOfFold = std::min(4, kRunOf<typename F::In>);

FoldPlan PlanFold(const Shape& shape, const std::vector<bool>& is_folded);
// Cuts the elements where there are few results of many, and says whether runs of so many of them are read at a time.
void CutFold(FoldPlan& plan, int run);
// Results side by side in a block, where neighbours belong to different ones.
int WidthOfColumns(int64_t results);

// Item i is piece i % pieces of result i / pieces. With is_last, values are stored as results.
template <class F, class Out, bool is_last>
PLUMB_GPU_INLINE Out StoredFold(const F& fold, typename F::Value value) {
  if constexpr (is_last) {
    return fold.Store(value);
  } else {
    return value;
  }
}

template <class F>
PLUMB_GPU_INLINE typename F::Value LoadedFor(const F& fold, typename F::In element, int64_t i, int64_t place,
                                             int64_t result) {
  if constexpr (requires { fold.LoadAt(element, place, result); }) {
    return fold.LoadAt(element, place, result);
  } else {
    return fold.Load(element, i);
  }
}

template <class F>
PLUMB_GPU_INLINE typename F::Value FoldPart(Global<const typename F::In> x, const FoldPlan& plan, int64_t item,
                                            int64_t lane, int64_t lanes, const F& fold) {
  const int64_t result = plan.ResultOf(item), begin = (item - result * plan.pieces) * plan.piece;
  const int64_t from = plan.kept.At(0, result), end = begin + plan.piece < plan.count ? begin + plan.piece : plan.count;
  typename F::Value value = fold.Identity();
  if (plan.folded.rank == 1) {
    PLUMB_GPU_OVERLAP
    for (int64_t i = begin + lane; i < end; i += lanes) {
      const int64_t place = from + i * plan.folded.stride[0][0];
      value = fold.Merge(value, LoadedFor<F>(fold, x[place], i, place, result));
    }
    return value;
  }
  PLUMB_GPU_ROLLED
  for (int64_t i = begin + lane; i < end; i += lanes) {
    const int64_t place = from + plan.folded.At(0, i);
    value = fold.Merge(value, LoadedFor<F>(fold, x[place], i, place, result));
  }
  return value;
}

// The same by runs, in which neighbours belong to one result.
template <class F>
PLUMB_GPU_INLINE typename F::Value FoldRuns(Global<const typename F::In> x, const FoldPlan& plan, int64_t item,
                                            int64_t lane, int64_t lanes, const F& fold) {
  constexpr int n = kRunOfFold<F>;
  const int64_t result = plan.ResultOf(item), begin = (item - result * plan.pieces) * plan.piece;
  const int64_t from = plan.kept.At(0, result), end = begin + plan.piece < plan.count ? begin + plan.piece : plan.count;
  typename F::Value value = fold.Identity();
  const auto merge = [&](const Pack<typename F::In, n>& pack, int64_t i, int64_t place) {
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) {
      value = fold.Merge(value, LoadedFor<F>(fold, pack.at[k], i + k, place + k, result));
    }
  };
  if (plan.folded.rank == 1 && BeginsRun(x.data, n)) {
    PLUMB_GPU_OVERLAP
    for (int64_t i = begin + lane * n; i < end; i += lanes * n) merge(LoadPack<n>(x, from + i), i, from + i);
    return value;
  }
  PLUMB_GPU_ROLLED
  for (int64_t i = begin + lane * n; i < end; i += lanes * n) {
    const int64_t place = from + plan.folded.At(0, i);
    merge(LoadOneByOne<n>(x, place), i, place);
  }
  return value;
}

template <class F>
struct MergeOf {
  F fold;
  PLUMB_GPU_INLINE typename F::Value operator()(typename F::Value a, typename F::Value b) const {
    return fold.Merge(a, b);
  }
};

// A team for each item: its lanes read elements that are neighbours.
template <class F, class Out, bool is_last>
PLUMB_GPU_KERNEL FoldRows(Global<const typename F::In> x, Global<Out> y, FoldPlan plan, Teams teams, F fold) {
  using Value = typename F::Value;
  PLUMB_GPU_SHARED(Value, shared, kWarpsOfTeams);
  const int64_t item = teams.Row();
  Value value = fold.Identity();
  if (item < y.size && plan.run > 1) {
    value = FoldRuns<F>(x, plan, item, teams.Lane(), teams.lanes, fold);
  } else if (item < y.size) {
    value = FoldPart<F>(x, plan, item, teams.Lane(), teams.lanes, fold);
  }
  value = MergeTeam<Value>(teams, value, shared, MergeOf<F>{fold});
  if (item < y.size && teams.Lane() == 0) y[item] = StoredFold<F, Out, is_last>(fold, value);
}

// `width` results side by side: neighbours among the threads read neighbours of different results.
template <class F, class Out, bool is_last>
PLUMB_GPU_KERNEL FoldColumns(Global<const typename F::In> x, Global<Out> y, FoldPlan plan, int width, F fold) {
  using Value = typename F::Value;
  PLUMB_GPU_SHARED(Value, shared, kThreadsOfTeams);
  const int thread = ThreadNumber(), column = thread % width, height = kThreadsOfTeams / width;
  const int64_t blocks = (plan.results + width - 1) / width;
  const int64_t result = BlockNumber() % blocks * width + column;
  const int64_t item = result * plan.pieces + BlockNumber() / blocks;
  Value value = fold.Identity();
  if (result < plan.results) value = FoldPart<F>(x, plan, item, thread / width, height, fold);
  shared[thread] = value;
  for (int half = height / 2; half > 0; half /= 2) {
    SyncBlock();
    if (thread / width >= half) continue;
    const Value other = shared[thread + half * width];
    value = fold.Merge(value, other);
    shared[thread] = value;
  }
  if (result < plan.results && thread < width) y[item] = StoredFold<F, Out, is_last>(fold, value);
}

// The same of runs of results: `width` of them side by side.
template <class F, class Out, bool is_last>
PLUMB_GPU_KERNEL FoldColumnRuns(Global<const typename F::In> x, Global<Out> y, FoldPlan plan, int width, F fold) {
  using Value = typename F::Value;
  constexpr int n = kRunOfFold<F>;
  PLUMB_GPU_SHARED(Value, shared, n * kThreadsOfTeams);
  const int thread = ThreadNumber(), lane = thread / width, height = kThreadsOfTeams / width;
  const int64_t blocks = (plan.results / n + width - 1) / width, part = BlockNumber() / blocks;
  const int64_t result = ((BlockNumber() - part * blocks) * width + thread % width) * n;
  const int64_t begin = part * plan.piece, end = begin + plan.piece < plan.count ? begin + plan.piece : plan.count;
  Value values[n];
  PLUMB_GPU_UNROLL
  for (int k = 0; k < n; ++k) values[k] = fold.Identity();
  const auto merge = [&](const Pack<typename F::In, n>& pack, int64_t i, int64_t place) {
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) {
      values[k] = fold.Merge(values[k], LoadedFor<F>(fold, pack.at[k], i, place + k, result + k));
    }
  };
  if (result < plan.results) {
    const int64_t from = plan.kept.At(0, result);
    const bool is_plain = plan.folded.rank == 1 && BeginsRun(x.data, n);
    PLUMB_GPU_OVERLAP
    for (int64_t i = begin + lane; i < end && is_plain; i += height) {
      const int64_t place = from + i * plan.folded.stride[0][0];
      merge(LoadPack<n>(x, place), i, place);
    }
    PLUMB_GPU_ROLLED
    for (int64_t i = begin + lane; i < end && !is_plain; i += height) {
      const int64_t place = from + plan.folded.At(0, i);
      merge(LoadOneByOne<n>(x, place), i, place);
    }
  }
  PLUMB_GPU_UNROLL
  for (int k = 0; k < n; ++k) shared[k * kThreadsOfTeams + thread] = values[k];
  for (int half = height / 2; half > 0; half /= 2) {
    SyncBlock();
    if (lane >= half) continue;
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) {
      const Value other = shared[k * kThreadsOfTeams + thread + half * width];
      values[k] = fold.Merge(values[k], other);
      shared[k * kThreadsOfTeams + thread] = values[k];
    }
  }
  if (lane > 0 || result >= plan.results) return;
  PLUMB_GPU_UNROLL
  for (int k = 0; k < n; ++k) y[(result + k) * plan.pieces + part] = StoredFold<F, Out, is_last>(fold, values[k]);
}

template <class F, class Out, bool is_last>
void LaunchFoldOfRows(GpuContext& context, Global<const typename F::In> x, Global<Out> y, const FoldPlan& plan,
                      const F& fold) {
  const Teams teams = Teams::ForRowsOf(plan.piece);
  Launch(context.stream(), teams.Grid(y.size), FoldRows<F, Out, is_last>, x, y, plan, teams, fold);
}

template <class F, class Out, bool is_last>
void LaunchFold(GpuContext& context, Global<const typename F::In> x, Global<Out> y, const FoldPlan& plan,
                const F& fold) {
  if (plan.is_along_rows) return LaunchFoldOfRows<F, Out, is_last>(context, x, y, plan, fold);
  const int64_t columns = plan.results / plan.run;
  const int width = WidthOfColumns(columns);
  const GridSize grid{(columns + width - 1) / width * plan.pieces, kThreadsOfTeams, true};
  const auto kernel = plan.run > 1 ? FoldColumnRuns<F, Out, is_last> : FoldColumns<F, Out, is_last>;
  Launch(context.stream(), grid, kernel, x, y, plan, width, fold);
}

// The second time: over what the pieces came to.
template <class F>
struct FoldOfPieces {
  using In = typename F::Value;
  using Value = typename F::Value;
  using Out = typename F::Out;
  F fold;
  PLUMB_GPU_INLINE Value Identity() const { return fold.Identity(); }
  PLUMB_GPU_INLINE Value Load(Value value, int64_t /*i*/) const { return value; }
  PLUMB_GPU_INLINE Value Merge(Value a, Value b) const { return fold.Merge(a, b); }
  PLUMB_GPU_INLINE Out Store(Value value) const { return fold.Store(value); }
};

// Queues y[r] = the fold of the elements of x that are result r's, of which y holds plan.results.
template <class F>
void QueueFold(GpuContext& context, FoldPlan plan, Global<const typename F::In> x, Global<typename F::Out> y,
               const F& fold) {
  using Value = typename F::Value;
  if (plan.results == 0) return;
  plan.piece = plan.count;
  CutFold(plan, kRunOfFold<F>);
  if (plan.pieces == 1) return LaunchFold<F, typename F::Out, true>(context, x, y, plan, fold);
  const int64_t parts = plan.results * plan.pieces;
  Tensor scratch = context.Scratch(DType::kUint8, Shape{parts * static_cast<int64_t>(sizeof(Value))});
  const Global<Value> values(static_cast<Value*>(scratch.mutable_raw()), parts);
  LaunchFold<F, Value, false>(context, x, values, plan, fold);
  FoldPlan second = PlanFold(Shape{plan.results, plan.pieces}, {false, true});
  second.piece = second.count;
  LaunchFoldOfRows<FoldOfPieces<F>, typename F::Out, true>(context, values, y, second, FoldOfPieces<F>{fold});
}

}  // namespace plumb::fast::GPU_NAMESPACE
