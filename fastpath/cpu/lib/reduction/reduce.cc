#include "fastpath/cpu/lib/reduction/reduce.h"

#include <cstring>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"

namespace plumb::fast::cpu {
namespace {

// A tensor seen as [outer, n, inner], to be folded over n.
struct Extent {
  int64_t outer;
  int64_t n;
  int64_t inner;
};

constexpr int64_t kPiece = kChunkWork;  // values folded in one piece; pieces are folded in turn
constexpr int64_t kColumnBlock = 1024;  // columns whose running results stay in the first cache
constexpr int64_t kNarrow = 64;         // fewer columns are folded several rows at a time

constinit ChoicePoint long_fold("fold of a line: at once, or in pieces");
constinit ChoicePoint long_columns("fold of columns: at once, or in pieces");
constinit ChoicePoint narrow_columns("fold of columns: row by row, or several rows side by side");
constinit ChoicePoint many_columns("fold of columns: one block, or several");

void FoldExtent(ThreadPool& pool, const Reduction& reduction, const char* x, Extent extent, char* out);

Tensor Scratch(const Reduction& reduction, int64_t elements) { return Allocate(reduction.type, Shape({elements})); }

// Folds piece after piece of the lines of x, each `per_piece` values (or rows) long, into results that lie side by
// side.
struct FoldPieces {
  ThreadPool& pool;
  const Reduction& reduction;
  const char* x;
  Extent extent;
  int64_t per_piece;
  char* results;

  void operator()(int64_t begin, int64_t end) const {
    const auto size = static_cast<int64_t>(ElementSize(reduction.type));
    const int64_t pieces = (extent.n + per_piece - 1) / per_piece;
    int64_t line = begin / pieces, first = begin % pieces * per_piece;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t n = std::min(per_piece, extent.n - first);
      const char* from = x + (line * extent.n + first) * extent.inner * size;
      char* to = results + i * extent.inner * size;
      if (extent.inner == 1) {
        reduction.run(from, n, to);
      } else {
        FoldExtent(pool, reduction, from, {1, n, extent.inner}, to);
      }
      first += per_piece;
      if (first < extent.n) continue;
      first = 0;
      ++line;
    }
  }
};

// Long folds with few results: pieces first, whose results are folded in turn. `per_piece` depends on the shape only.
void FoldInPieces(ThreadPool& pool, const Reduction& reduction, const char* x, Extent extent, int64_t per_piece,
                  char* out) {
  const int64_t pieces = (extent.n + per_piece - 1) / per_piece;
  Tensor partial = Scratch(reduction, extent.outer * pieces * extent.inner);
  char* partials = static_cast<char*>(partial.mutable_raw());
  pool.ParallelFor(extent.outer * pieces, 1, FoldPieces{pool, reduction, x, extent, per_piece, partials});
  FoldExtent(pool, reduction, partials, {extent.outer, pieces, extent.inner}, out);
}

// Few columns: k rows side by side make a wider matrix of fewer rows, whose k·inner results are folded again.
bool FoldNarrow(ThreadPool& pool, const Reduction& reduction, const char* x, Extent extent, char* out) {
  const int64_t k = kNarrow / extent.inner;
  if (!narrow_columns.Chosen(extent.inner < kNarrow && extent.n >= 4 * k && k >= 2)) return false;
  const auto size = static_cast<int64_t>(ElementSize(reduction.type));
  const int64_t rows = extent.n / k, rest = extent.n % k;
  pool.ParallelFor(extent.outer, GrainFor(extent.n * extent.inner), [&](int64_t begin, int64_t end) {
    alignas(64) char wide[2 * kNarrow * 16];
    for (int64_t i = begin; i < end; ++i) {
      const char* from = x + i * extent.n * extent.inner * size;
      reduction.columns(from, rows, k * extent.inner, k * extent.inner, wide);
      std::memcpy(wide + k * extent.inner * size, from + rows * k * extent.inner * size,
                  static_cast<size_t>(rest * extent.inner * size));
      reduction.columns(wide, k + rest, extent.inner, extent.inner, out + i * extent.inner * size);
    }
  });
  return true;
}

void FoldColumnBlocks(ThreadPool& pool, const Reduction& reduction, const char* x, Extent extent, char* out) {
  const auto size = static_cast<int64_t>(ElementSize(reduction.type));
  const int64_t blocks = (extent.inner + kColumnBlock - 1) / kColumnBlock;
  const int64_t width = std::min(extent.inner, kColumnBlock);
  many_columns.Chosen(blocks > 1);
  pool.ParallelFor(extent.outer * blocks, GrainFor(extent.n * width), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t column = i % blocks * kColumnBlock, outer = i / blocks;
      reduction.columns(x + (outer * extent.n * extent.inner + column) * size, extent.n,
                        std::min(kColumnBlock, extent.inner - column), extent.inner,
                        out + (outer * extent.inner + column) * size);
    }
  });
}

void FillIdentity(const Reduction& reduction, int64_t count, char* out) {
  const size_t size = ElementSize(reduction.type);
  for (int64_t i = 0; i < count; ++i) std::memcpy(out + static_cast<size_t>(i) * size, reduction.identity, size);
}

// The lengths at which a fold is cut depend on the shape alone, so its result does not depend on the threads.
void FoldExtent(ThreadPool& pool, const Reduction& reduction, const char* x, Extent extent, char* out) {
  if (extent.outer * extent.inner == 0) return;
  if (extent.n == 0) return FillIdentity(reduction, extent.outer * extent.inner, out);
  if (extent.inner == 1) {
    if (long_fold.Chosen(extent.n >= 2 * kPiece)) return FoldInPieces(pool, reduction, x, extent, kPiece, out);
    pool.ParallelFor(extent.outer, GrainFor(extent.n), FoldPieces{pool, reduction, x, extent, extent.n, out});
    return;
  }
  const int64_t rows = std::max<int64_t>(16, kPiece / extent.inner);
  const int64_t blocks = extent.outer * ((extent.inner + kColumnBlock - 1) / kColumnBlock);
  if (long_columns.Chosen(extent.n >= 2 * rows && blocks < 16)) {
    return FoldInPieces(pool, reduction, x, extent, rows, out);
  }
  if (FoldNarrow(pool, reduction, x, extent, out)) return;
  FoldColumnBlocks(pool, reduction, x, extent, out);
}

// The innermost run of reduced axes of `dims` as an extent; erases those axes. False when no axis is reduced.
bool TakeInnermost(std::vector<int64_t>& dims, std::vector<bool>& reduced, Extent& extent) {
  int64_t last = static_cast<int64_t>(dims.size()) - 1;
  extent = {1, 1, 1};
  while (last >= 0 && !reduced[static_cast<size_t>(last)]) extent.inner *= dims[static_cast<size_t>(last--)];
  if (last < 0) return false;
  int64_t first = last;
  while (first >= 0 && reduced[static_cast<size_t>(first)]) extent.n *= dims[static_cast<size_t>(first--)];
  for (int64_t axis = 0; axis <= first; ++axis) extent.outer *= dims[static_cast<size_t>(axis)];
  dims.erase(dims.begin() + first + 1, dims.begin() + last + 1);
  reduced.erase(reduced.begin() + first + 1, reduced.begin() + last + 1);
  return true;
}

}  // namespace

Reduction FindReduction(Fold fold, DType type) {
  const DType folded = ComputeType(type);
  if (const Reduction reduction = FindSimdReduction(fold, folded)) return reduction;
  return FindScalarReduction(fold, folded);
}

Tensor Reduce(ThreadPool& pool, const Reduction& reduction, const Tensor& x, const std::vector<bool>& reduced) {
  std::vector<int64_t> dims, kept;
  std::vector<bool> marks;
  for (int axis = 0; axis < x.rank(); ++axis) {
    const bool is_reduced = reduced[static_cast<size_t>(axis)];
    if (!is_reduced) kept.push_back(x.dim(axis));
    if (x.dim(axis) == 1) continue;
    dims.push_back(x.dim(axis));
    marks.push_back(is_reduced);
  }
  const Shape result_shape{std::span<const int64_t>(kept)};
  Tensor current = AsFloat(pool, x);
  if (x.elements() == 0) {
    Tensor result = Allocate(reduction.type, result_shape);
    FillIdentity(reduction, result.elements(), static_cast<char*>(result.mutable_raw()));
    return result;
  }
  Extent extent;
  while (TakeInnermost(dims, marks, extent)) {
    Tensor folded = Scratch(reduction, extent.outer * extent.inner);
    FoldExtent(pool, reduction, static_cast<const char*>(current.raw()), extent,
               static_cast<char*>(folded.mutable_raw()));
    current = std::move(folded);
  }
  return current.Reshaped(result_shape);
}

std::vector<bool> MarkAxes(const Tensor& axes, int rank) {
  std::vector<bool> marked(static_cast<size_t>(rank), false);
  for (int64_t i = 0; i < axes.elements(); ++i) {
    const int axis = NormalizeAxis(IntAt(axes, i), rank, "reduction axis");
    Require(!marked[static_cast<size_t>(axis)], "reduction axis ", axis, " is named twice");
    marked[static_cast<size_t>(axis)] = true;
  }
  return marked;
}

}  // namespace plumb::fast::cpu
