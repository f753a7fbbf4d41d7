#include <limits>
#include <vector>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/known_numbers.h"
#include "fastpath/gpu/lib/rows/segment_runs.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// The slot gets the place of a number that is out of order or out of [0, limit), plus 1; `last` the last number.
template <class Id>
PLUMB_GPU_KERNEL CheckLoop(Global<const Id> ids, int64_t limit, Global<int64_t> last, Global<int64_t> slot) {
  for (int64_t i = First(); i < ids.size; i += Stride()) {
    const int64_t id = ids[i], before = i == 0 ? int64_t{0} : static_cast<int64_t>(ids[i - 1]);
    if (id < before || id < 0 || id >= limit) AtomicCas(slot[0], int64_t{0}, i + 1);
    if (i + 1 == ids.size) last[0] = id;
  }
}

// `begins` and `ends` begin as zeros.
template <class Id>
PLUMB_GPU_KERNEL EndsLoop(Global<const Id> ids, Global<int64_t> begins, Global<int64_t> ends) {
  for (int64_t i = First(); i < ids.size; i += Stride()) {
    const int64_t id = ids[i];
    if (id < 0 || id >= begins.size) continue;
    if (i == 0 || ids[i - 1] != ids[i]) begins[id] = i;
    if (i + 1 == ids.size || ids[i + 1] != ids[i]) ends[id] = i + 1;
  }
}

PLUMB_GPU_KERNEL CountLoop(Global<const int64_t> begins, Global<int64_t> ends) {
  for (int64_t s = First(); s < begins.size; s += Stride()) {
    const int64_t count = ends[s] - begins[s];
    ends[s] = count < 0 ? 0 : count;
  }
}

template <class Id>
int64_t CheckedSegments(GpuContext& context, Global<const Id> ids, int64_t given) {
  constexpr int64_t kMost = sizeof(Id) == 4 ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int64_t>::max();
  const int64_t limit = given >= 0 ? given : kMost;
  const Global<int64_t> slot = context.NewSlot([limit](int64_t number) {
    return Status(Code::kInvalidArgument,
                  Str("segment_ids[", number - 1, "] is below the one before it, or not in [0, ", limit, ")"));
  });
  Tensor last = context.Scratch(DType::kInt64, Shape({1}));
  Launch(context.stream(), LoopOver(ids.size), CheckLoop<Id>, ids, limit, context.ViewOf<int64_t>(last), slot);
  return given >= 0 ? given : BringNumbers(context, last)[0] + 1;
}

}  // namespace

SegmentRuns::SegmentRuns(GpuContext& context, const Tensor& ids, int64_t given) : segments_(given < 0 ? 0 : given) {
  ForType(context.node(), ids.dtype(), TypeList<int32_t, int64_t>(), [&](auto tag) {
    using Id = typename decltype(tag)::Type;
    const Global<const Id> all = context.ViewOf<Id>(ids);
    if (all.size > 0) segments_ = CheckedSegments<Id>(context, all, given);
    begins_ = context.Scratch(DType::kInt64, Shape({segments_}));
    counts_ = context.Scratch(DType::kInt64, Shape({segments_}));
    context.Clear(begins_);
    context.Clear(counts_);
    const auto begins = context.ViewOf<int64_t>(begins_), ends = context.ViewOf<int64_t>(counts_);
    Launch(context.stream(), LoopOver(all.size), EndsLoop<Id>, all, begins, ends);
    Launch(context.stream(), LoopOver(segments_), CountLoop, begins, ends);
    return true;
  });
}

Shape WithRows(const Shape& data, int64_t rows) {
  Require(data.rank() >= 1, "data must have at least one dimension");
  std::vector<int64_t> dims = data.ToVector();
  dims[0] = rows;
  return Shape(dims);
}

}  // namespace plumb::fast::GPU_NAMESPACE
