// Rows folded by segment number. So that equal inputs have equal results, each segment's rows are listed first, and
// folded in their order.
#include <algorithm>
#include <limits>
#include <optional>

#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/rows/dealt_rows.h"
#include "fastpath/gpu/lib/rows/refolded_nan.h"
#include "fastpath/gpu/lib/rows/segment_folds.h"
#include "fastpath/gpu/lib/sort.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/topics.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The largest finite number of T, in the type that is computed in.
template <class T>
PLUMB_GPU_INLINE typename Computed<T>::Type MostOf() {
  if constexpr (std::is_same_v<T, Half>) return 65504.0F;
  if constexpr (std::is_same_v<T, BFloat16>) return 0x1.fep127F;
  if constexpr (!kIsHalf<T>) return std::numeric_limits<T>::max();
}
// Extremes of no rows are finite; of equals, the last counts.
template <class T, bool is_largest>
struct ExtremeRow : ExtremeFold<T, is_largest, true> {
  static constexpr bool kIsExtreme = true, kIsLargest = is_largest;
  using Value = Placed<typename Computed<T>::Type>;
  PLUMB_GPU_INLINE Value Identity() const { return {is_largest ? -MostOf<T>() : MostOf<T>(), -1}; }
};
template <class T>
using LargestRow = ExtremeRow<T, true>;
template <class T>
using LeastRow = ExtremeRow<T, false>;

// counts[s]: the rows of segment s. Negative numbers are skipped; the slot gets the place of one that is too large,
// counted from 1.
template <class Id>
PLUMB_GPU_KERNEL CountRows(Global<const Id> ids, Global<int64_t> counts, Global<int64_t> slot) {
  for (int64_t i = First(); i < ids.size; i += Stride()) {
    const int64_t id = ids[i];
    if (id >= counts.size) {
      AtomicCas(slot[0], int64_t{0}, i + 1);
    } else if (id >= 0) {
      AtomicAdd(counts[id], int64_t{1});
    }
  }
}

// Lists the rows of each segment from its begin on, in any order; `taken` begins as zeros.
template <class Id>
PLUMB_GPU_KERNEL ListRows(Global<const Id> ids, Global<const int64_t> begins, Global<int64_t> taken,
                          Global<int64_t> rows) {
  for (int64_t i = First(); i < ids.size; i += Stride()) {
    const int64_t id = ids[i];
    if (id >= 0 && id < begins.size) rows[begins[id] + AtomicAdd(taken[id], int64_t{1})] = i;
  }
}

struct IsLess {
  PLUMB_GPU_INLINE bool operator()(int64_t a, int64_t b) const { return a < b; }
};

// A block for each segment.
PLUMB_GPU_KERNEL SortLists(Global<const int64_t> begins, Global<const int64_t> counts, Global<int64_t> rows) {
  for (int64_t s = BlockNumber(); s < begins.size; s += Blocks()) {
    SortByBlock<int64_t>(rows.From(begins[s], counts[s]), IsLess());
  }
}

// Where the rows of each segment are listed.
struct Lists {
  Tensor begins, counts, rows;

  template <class Id>
  Lists(GpuContext& context, int64_t segments, Global<const Id> ids) {
    begins = context.Scratch(DType::kInt64, Shape{segments});
    counts = context.Scratch(DType::kInt64, Shape{segments});
    rows = context.Scratch(DType::kInt64, Shape{ids.size});
    Tensor taken = context.Scratch(DType::kInt64, Shape{segments});
    context.Clear(counts);
    context.Clear(taken);
    const auto begin = context.ViewOf<int64_t>(begins), count = context.ViewOf<int64_t>(counts);
    const Global<int64_t> slot = context.NewSlot([segments](int64_t row) {
      return Status(Code::kInvalidArgument, Str("segment_ids[", row - 1, "] is not below ", segments));
    });
    Launch(context.stream(), LoopOver(ids.size), CountRows<Id>, ids, count, slot);
    if (segments == 0) return;
    QueueBegins(context, count, begin);
    Launch(context.stream(), LoopOver(ids.size), ListRows<Id>, ids, begin, context.ViewOf<int64_t>(taken),
           context.ViewOf<int64_t>(rows));
    Launch(context.stream(), SortingBlocks(std::min(segments, kMostBlocksOfLoop), ids.size / segments), SortLists,
           begin, count, context.ViewOf<int64_t>(rows));
  }
};

template <class F>
class UnsortedSegment final : public GpuKernel {
 public:
  explicit UnsortedSegment(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.OutputShape(0);
    Tensor y = context.AllocateOutput(0, shape);
    const Tensor& data = context.input(0);
    if (data.elements() == 0) return Fold(context, std::nullopt, y);
    const int64_t segments = shape[0];
    if (context.input(1).dtype() == DType::kInt32) {
      Fold(context, Lists(context, segments, context.In<int32_t>(1)), y);
    } else {
      Fold(context, Lists(context, segments, context.In<int64_t>(1)), y);
    }
  }

 private:
  // No lists: no rows.
  static void Fold(GpuContext& context, std::optional<Lists> lists, Tensor& y) {
    if (y.elements() == 0) return;
    Tensor zeros = context.Scratch(DType::kInt64, Shape{lists ? 0 : y.dim(0)});
    context.Clear(zeros);
    SegmentEntries<int64_t> entries{context.ViewOf<int64_t>(lists ? lists->begins : zeros),
                                    context.ViewOf<int64_t>(lists ? lists->counts : zeros),
                                    {}};
    if (lists) entries.rows = context.ViewOf<int64_t>(lists->rows);
    const auto x = context.In<typename F::In>(0);
    const auto out = context.ViewOf<typename F::Out>(y);
    FoldSegments<F, int64_t>(context, x, entries, context.input(1).elements(), out, F());
    if constexpr (requires { F::kIsExtreme; }) {
      Launch(context.stream(), LoopOver(out.size), RefoldNaN<typename F::In, F::kIsLargest>, x, entries, out,
             out.size / y.dim(0));
    }
  }
};

template <template <class> class F>
std::unique_ptr<GpuKernel> MakeSegment(const Node& node) {
  return ForType(node, Base(node.input_types[0]), Floats(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<UnsortedSegment<F<typename decltype(tag)::Type>>>(node);
  });
}

constexpr GpuKernelRow kRows[] = {
    {"UnsortedSegmentSum", MakeSegment<SumFold>},
    {"UnsortedSegmentProd", MakeSegment<ProductFold>},
    {"UnsortedSegmentMax", MakeSegment<LargestRow>},
    {"UnsortedSegmentMin", MakeSegment<LeastRow>},
};

}  // namespace

std::span<const GpuKernelRow> ReductionSegment() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
