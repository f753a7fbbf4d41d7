#include <algorithm>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/rows/dealt_rows.h"
#include "fastpath/gpu/lib/team.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// One block, whose threads take a stretch of the counts each.
PLUMB_GPU_KERNEL BeginsOfBlock(Global<const int64_t> counts, Global<int64_t> begins) {
  PLUMB_GPU_SHARED(int64_t, sums, kThreadsOfTeams);
  const int64_t stretch = (begins.size + Threads() - 1) / Threads(), first = ThreadNumber() * stretch;
  const int64_t last = first + stretch < begins.size ? first + stretch : begins.size;
  int64_t sum = 0;
  for (int64_t i = first; i < last && i < counts.size; ++i) sum += counts[i];
  sums[ThreadNumber()] = sum;
  SyncBlock();
  int64_t begin = 0;
  for (int i = 0; i < ThreadNumber(); ++i) {
    const int64_t before = sums[i];
    begin += before;
  }
  for (int64_t i = first; i < last; ++i) {
    begins[i] = begin;
    if (i < counts.size) begin += counts[i];
  }
}

// A thread walks through a chunk of rows. counts[list * chunks + chunk] begins as zeros.
PLUMB_GPU_KERNEL CountChunks(Global<const int64_t> places, int64_t chunk, int64_t chunks, Global<int64_t> counts) {
  for (int64_t c = First(); c < chunks; c += Stride()) {
    const int64_t end = (c + 1) * chunk < places.size ? (c + 1) * chunk : places.size;
    for (int64_t row = c * chunk; row < end; ++row) {
      if (places[row] >= 0) counts[places[row] * chunks + c] += 1;
    }
  }
}

// next[list * chunks + chunk]: where the next row of the chunk goes that is for the list.
PLUMB_GPU_KERNEL DealChunks(Global<const int64_t> places, int64_t chunk, int64_t chunks, Global<int64_t> next,
                            Global<int64_t> rows) {
  for (int64_t c = First(); c < chunks; c += Stride()) {
    const int64_t end = (c + 1) * chunk < places.size ? (c + 1) * chunk : places.size;
    for (int64_t row = c * chunk; row < end; ++row) {
      if (places[row] < 0) continue;
      const int64_t at = places[row] * chunks + c, to = next[at];
      rows[to] = row;
      next[at] = to + 1;
    }
  }
}

PLUMB_GPU_KERNEL BeginsOfLists(Global<const int64_t> begins, int64_t chunks, Global<int64_t> lists) {
  for (int64_t l = First(); l < lists.size; l += Stride()) lists[l] = begins[l * chunks];
}

// Rows that one thread deals out; no fewer than there are lists, so that the counts are no more than the rows.
constexpr int64_t kChunk = 64;

}  // namespace

void QueueBegins(GpuContext& context, Global<const int64_t> counts, Global<int64_t> begins) {
  Launch(context.stream(), GridSize{1, kThreadsOfTeams, true}, BeginsOfBlock, counts, begins);
}

DealtRows DealRows(GpuContext& context, Global<const int64_t> places, int64_t lists) {
  const int64_t chunk = std::max(kChunk, lists), chunks = std::max<int64_t>(1, (places.size + chunk - 1) / chunk);
  const auto numbers = [&](int64_t count) { return context.Scratch(DType::kInt64, Shape({count})); };
  DealtRows dealt{numbers(lists + 1), numbers(places.size)};
  Tensor counts = numbers(lists * chunks), next = numbers(lists * chunks + 1);
  context.Clear(counts);
  const auto count = context.ViewOf<int64_t>(counts), at = context.ViewOf<int64_t>(next);
  Launch(context.stream(), LoopOver(chunks), CountChunks, places, chunk, chunks, count);
  QueueBegins(context, count, at);
  Launch(context.stream(), LoopOver(lists + 1), BeginsOfLists, at, chunks, context.ViewOf<int64_t>(dealt.begins));
  Launch(context.stream(), LoopOver(chunks), DealChunks, places, chunk, chunks, at,
         context.ViewOf<int64_t>(dealt.rows));
  return dealt;
}

}  // namespace plumb::fast::GPU_NAMESPACE
