#include <algorithm>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/rows/row_lists.h"
#include "fastpath/gpu/lib/sort.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

PLUMB_GPU_KERNEL CountLoop(Global<const int64_t> places, Global<int64_t> counts) {
  for (int64_t row = First(); row < places.size; row += Stride()) {
    if (places[row] >= 0) AtomicAdd(counts[places[row]], int64_t{1});
  }
}

// Each list gets a place of its own; which comes first does not matter.
PLUMB_GPU_KERNEL BeginLoop(Global<const int64_t> counts, Global<int64_t> begins, Global<int64_t> given) {
  for (int64_t slice = First(); slice < counts.size; slice += Stride()) {
    begins[slice] = counts[slice] == 0 ? 0 : AtomicAdd(given[0], counts[slice]);
  }
}

// In any order; `taken` begins as zeros.
PLUMB_GPU_KERNEL FillLoop(Global<const int64_t> places, Global<const int64_t> begins, Global<int64_t> taken,
                          Global<int64_t> rows) {
  for (int64_t row = First(); row < places.size; row += Stride()) {
    const int64_t place = places[row];
    if (place >= 0) rows[begins[place] + AtomicAdd(taken[place], int64_t{1})] = row;
  }
}

struct Earlier {
  PLUMB_GPU_INLINE bool operator()(int64_t a, int64_t b) const { return a < b; }
};

// A block for each list.
PLUMB_GPU_KERNEL SortLoop(Global<const int64_t> begins, Global<const int64_t> counts, Global<int64_t> rows) {
  for (int64_t slice = BlockNumber(); slice < counts.size; slice += Blocks()) {
    if (counts[slice] > 1) SortByBlock<int64_t>(rows.From(begins[slice], counts[slice]), Earlier());
  }
}

}  // namespace

RowLists ListRows(GpuContext& context, Global<const int64_t> places, int64_t slices) {
  const auto numbers = [&](int64_t count) { return context.Scratch(DType::kInt64, Shape({count})); };
  RowLists lists{numbers(slices), numbers(slices), numbers(places.size)};
  Tensor taken = numbers(slices), given = numbers(1);
  for (Tensor* const zeros : {&lists.counts, &taken, &given}) context.Clear(*zeros);
  const auto begins = context.ViewOf<int64_t>(lists.begins), counts = context.ViewOf<int64_t>(lists.counts);
  const auto rows = context.ViewOf<int64_t>(lists.rows);
  Launch(context.stream(), LoopOver(places.size), CountLoop, places, counts);
  Launch(context.stream(), LoopOver(slices), BeginLoop, counts, begins, context.ViewOf<int64_t>(given));
  Launch(context.stream(), LoopOver(places.size), FillLoop, places, begins, context.ViewOf<int64_t>(taken), rows);
  const int64_t blocks = std::min(slices, kMostBlocksOfLoop);
  Launch(context.stream(), SortingBlocks(blocks, places.size / std::max<int64_t>(1, slices)), SortLoop, begins, counts,
         rows);
  return lists;
}

}  // namespace plumb::fast::GPU_NAMESPACE
