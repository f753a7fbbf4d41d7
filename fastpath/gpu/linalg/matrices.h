// Batches of matrices, and who works on one.
#pragma once

#include <initializer_list>
#include <vector>

#include "fastpath/gpu/lib/complex.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/team.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {

// The last two dimensions of a shape, and how many matrices the others make.
struct Matrices {
  Shape batch;
  int64_t count = 0, rows = 0, columns = 0;

  explicit Matrices(const Shape& shape) {
    const int rank = shape.rank();
    Require(rank >= 2, "matrices are needed, not the shape ", shape.ToString());
    batch = Shape(shape.dims().first(static_cast<size_t>(rank - 2)));
    count = batch.elements();
    rows = shape[rank - 2];
    columns = shape[rank - 1];
  }
  int64_t size() const { return rows * columns; }
  // The batch dimensions, and these behind them.
  Shape Stacked(std::initializer_list<int64_t> dims) const {
    std::vector<int64_t> all = batch.ToVector();
    all.insert(all.end(), dims);
    return Shape(all);
  }
};

inline constinit ChoicePoint small_matrices("matrices on GPUs: a thread each, or more");
inline constinit ChoicePoint large_matrices("matrices on GPUs: a warp each, or a block of eight");
inline constexpr int64_t kLargestOfThread = 8;  // sides of matrices that threads have alone

// Who works on a matrix: all threads of a block together,
struct WholeBlock {
  PLUMB_GPU_INLINE int64_t FirstMatrix() const { return BlockNumber(); }
  PLUMB_GPU_INLINE int64_t MatrixStep() const { return Blocks(); }
  PLUMB_GPU_INLINE int thread() const { return ThreadNumber(); }
  PLUMB_GPU_INLINE int threads() const { return Threads(); }
  PLUMB_GPU_INLINE void Sync() const { SyncBlock(); }
  template <class V, class How>
  PLUMB_GPU_INLINE V Merge(V value, Shared<V> shared, How how) const {
    return MergeTeam<V>({Threads()}, value, shared, how);
  }
  // Its warps, of which each may do something else in between.
  PLUMB_GPU_INLINE int warp() const { return thread() / lanes(); }
  PLUMB_GPU_INLINE int warps() const { return threads() / lanes(); }
  PLUMB_GPU_INLINE int lane() const { return thread() % lanes(); }
  PLUMB_GPU_INLINE int lanes() const { return kLanesOfWarp; }
  template <class V>
  PLUMB_GPU_INLINE V SumOfWarp(V x) const {
    for (int mask = kLanesOfWarp / 2; mask > 0; mask /= 2) x = x + OtherLanes(x, mask);
    return x;
  }
};
// or one thread, while its neighbours have other matrices.
struct OneThread {
  PLUMB_GPU_INLINE int64_t FirstMatrix() const { return First(); }
  PLUMB_GPU_INLINE int64_t MatrixStep() const { return Stride(); }
  PLUMB_GPU_INLINE int thread() const { return 0; }
  PLUMB_GPU_INLINE int threads() const { return 1; }
  PLUMB_GPU_INLINE void Sync() const {}
  template <class V, class How>
  PLUMB_GPU_INLINE V Merge(V value, Shared<V> /*shared*/, How /*how*/) const {
    return value;
  }
  PLUMB_GPU_INLINE int warp() const { return 0; }
  PLUMB_GPU_INLINE int warps() const { return 1; }
  PLUMB_GPU_INLINE int lane() const { return 0; }
  PLUMB_GPU_INLINE int lanes() const { return 1; }
  template <class V>
  PLUMB_GPU_INLINE V SumOfWarp(V x) const {
    return x;
  }
};

// Queues work on `count` matrices whose sides have `n` elements at most: one of two kernels that differ in who works.
template <class... Parameters, class... Arguments>
void LaunchForEach(GpuContext& context, int64_t count, int64_t n, void (*by_block)(Parameters...),
                   void (*by_thread)(Parameters...), const Arguments&... arguments) {
  if (!small_matrices.Chosen(n > kLargestOfThread)) {
    Launch(context.stream(), LoopOver(count), by_thread, arguments...);
    return;
  }
  const int threads = large_matrices.Chosen(n > kLanesOfWarp) ? kThreadsOfTeams : kLanesOfWarp;
  Launch(context.stream(), GridSize{count, threads, true}, by_block, arguments...);
}

// Matrix `i`, of `size` elements.
template <class N>
PLUMB_GPU_INLINE Global<N> MatrixAt(Global<N> matrices, int64_t i, int64_t size) {
  return matrices.From(i * size, size);
}

// Matrices of n rows and columns with ones on the diagonal.
template <class N>
PLUMB_GPU_KERNEL UnitLoop(int64_t n, Global<N> to) {
  for (int64_t i = First(); i < to.size; i += Stride()) to[i] = N(RealOf<N>(i / n % n == i % n ? 1 : 0));
}
// The adjoint of each square matrix of n rows.
template <class N>
PLUMB_GPU_KERNEL AdjointLoop(Global<const N> from, int64_t n, Global<N> to) {
  for (int64_t i = First(); i < to.size; i += Stride()) {
    const int64_t row = i / n % n, column = i % n;
    to[i] = Conjugated(from[i - row * n - column + column * n + row]);
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
