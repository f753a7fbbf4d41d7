// The greatest entries of each row, which a block sorts, or a thread collects where their order does not matter; and
// whether a target is among them, for a team of threads.
#include <limits>

#include "fastpath/gpu/lib/coordinates.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/sort.h"
#include "fastpath/gpu/lib/team.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"
#include "fastpath/gpu/topics.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Greater values first, of equal ones the earlier place. NaN counts as the least value.
template <class T>
struct GreaterFirst {
  Global<const T> row;
  PLUMB_GPU_INLINE bool operator()(int32_t a, int32_t b) const {
    const auto x = Computed<T>::Load(row[a]), y = Computed<T>::Load(row[b]);
    const bool x_is_nan = x != x, y_is_nan = y != y;
    if (x_is_nan != y_is_nan) return y_is_nan;
    return x > y || (!(y > x) && a < b);
  }
};

// A binary heap of places, the last of them in the order on top.
template <class T>
struct Heap {
  Global<int32_t> places;
  GreaterFirst<T> is_before;

  // Puts `place` into the hole, or as far above it as it comes later than what is there.
  PLUMB_GPU_INLINE void Rise(int64_t hole, int64_t top, int32_t place) const {
    while (hole > top && is_before(places[(hole - 1) / 2], place)) {
      places[hole] = places[(hole - 1) / 2];
      hole = (hole - 1) / 2;
    }
    places[hole] = place;
  }
  // Puts `place` at the bottom, along the way of those that come later, and lets it rise.
  PLUMB_GPU_INLINE void Sink(int64_t top, int64_t size, int32_t place) const {
    int64_t hole = top;
    while (2 * hole + 1 < size) {
      int64_t child = 2 * hole + 2;
      if (child == size || is_before(places[child], places[child - 1])) --child;
      places[hole] = places[child];
      hole = child;
    }
    Rise(hole, top, place);
  }
  PLUMB_GPU_INLINE void Make(int64_t size) const {
    for (int64_t top = size / 2 - 1; top >= 0; --top) Sink(top, size, places[top]);
  }
  // Exchanges the top for what lies behind the heap of `size`.
  PLUMB_GPU_INLINE void Pop(int64_t size) const {
    const int32_t place = places[size];
    places[size] = places[0];
    Sink(0, size, place);
  }
};

// The order in which TensorFlow leaves the k first of a row unsorted: a heap into which better places are exchanged one
// by one. A thread for each row; `heaps` has k + 1 places for each.
template <class T>
PLUMB_GPU_KERNEL HeapRows(Global<const T> x, Global<int32_t> heaps, Global<T> values, Global<int32_t> indices,
                          int64_t columns, int64_t k) {
  for (int64_t i = First(); i < x.size / columns; i += Stride()) {
    const Global<const T> row = x.From(i * columns, columns);
    const Heap<T> heap{heaps.From(i * (k + 1), k + 1), GreaterFirst<T>{row}};
    for (int64_t j = 0; j <= k; ++j) heap.places[j] = static_cast<int32_t>(j);
    heap.Make(k + 1);
    heap.Pop(k);
    for (int64_t j = k + 1; j < columns; ++j) {
      const auto place = static_cast<int32_t>(j);
      if (!heap.is_before(place, heap.places[0])) continue;
      heap.Pop(k - 1);
      heap.Rise(k - 1, 0, place);
    }
    for (int64_t j = 0; j < k; ++j) {
      indices[i * k + j] = heap.places[j];
      values[i * k + j] = row[heap.places[j]];
    }
  }
}

// A block for each row, whose places are sorted in `orders`.
template <class T>
PLUMB_GPU_KERNEL SortRows(Global<const T> x, Global<int32_t> orders, Global<T> values, Global<int32_t> indices,
                          int64_t columns, int64_t k) {
  const Global<const T> row = x.From(BlockNumber() * columns, columns);
  const Global<int32_t> order = orders.From(BlockNumber() * columns, columns);
  for (int64_t i = ThreadNumber(); i < columns; i += Threads()) order[i] = static_cast<int32_t>(i);
  SortByBlock<int32_t>(order, GreaterFirst<T>{row});
  for (int64_t i = ThreadNumber(); i < k; i += Threads()) {
    const int32_t place = order[i];
    indices[BlockNumber() * k + i] = place;
    values[BlockNumber() * k + i] = row[place];
  }
}

template <class T>
class TopK final : public GpuKernel {
 public:
  explicit TopK(const Node& node)
      : sorted_(GetAttrOr<bool>(node.attrs, "sorted", true)), k_(GetAttrOr<int64_t>(node.attrs, "k", 0)) {}
  void Run(GpuContext& context) override {
    const Tensor& x = context.input(0);
    const int64_t k = context.num_inputs() > 1 ? Given(context.input(1)) : k_;
    Require(k >= 0, "k must not be negative, and is ", k);
    Require(x.rank() >= 1, "the input must have at least one dimension");
    const int64_t columns = x.dim(x.rank() - 1);
    Require(columns >= k, "the input must have at least k = ", k, " columns, and has ", columns);
    Require(columns <= std::numeric_limits<int32_t>::max(), "rows of ", columns,
            " entries are too long for int32 indices");
    const Shape shape = context.OutputShape(0);
    Tensor values = context.AllocateOutput(0, shape), indices = context.AllocateOutput(1, shape);
    if (shape.elements() == 0) return;
    const int64_t rows = x.elements() / columns;
    const auto out = context.ViewOf<T>(values);
    const auto places = context.ViewOf<int32_t>(indices);
    if (!sorted_ && k > 1 && k < columns) {
      Tensor heaps = context.Scratch(DType::kInt32, Shape{rows, k + 1});
      return Launch(context.stream(), LoopOver(rows), HeapRows<T>, context.In<T>(0), context.ViewOf<int32_t>(heaps),
                    out, places, columns, k);
    }
    Tensor orders = context.Scratch(DType::kInt32, x.shape());
    Launch(context.stream(), SortingBlocks(rows, columns), SortRows<T>, context.In<T>(0),
           context.ViewOf<int32_t>(orders), out, places, columns, k);
  }

 private:
  static int64_t Given(const Tensor& k) {
    Require(k.rank() == 0, "k must be a scalar, not of shape ", k.shape().ToString());
    return ToInt64s(k).at(0);
  }

  const bool sorted_;
  const int64_t k_;  // of TopK, where it is an attribute
};

// More than any row has predictions: what a thread counts that saw one that is not finite. The sum over a team's
// threads stays in range.
constexpr int64_t kBeyondAll = int64_t{1} << 48;

// Whether fewer than k predictions of the row are greater than the target's. A target out of range, or a prediction
// that is not finite, is not in the top k. `given`: k in the device's memory, if it is not `k`.
template <class Index>
PLUMB_GPU_KERNEL InTopKLoop(Global<const float> x, Global<const Index> targets, Global<const Index> given, int64_t k,
                            int64_t classes, Teams teams, Global<bool> out) {
  PLUMB_GPU_SHARED(int64_t, shared, kWarpsOfTeams);
  const int64_t row = teams.Row(), first = row * classes;
  int64_t greater = 0;
  bool is_beyond = false;
  if (row < out.size) {
    const int64_t target = targets[row];
    const bool is_inside = target >= 0 && target < classes;
    is_beyond = !is_inside;
    for (int64_t i = teams.Lane(); is_inside && i < classes; i += teams.lanes) {
      const float prediction = x[first + i];
      is_beyond = is_beyond || prediction - prediction != 0.0F;
      if (prediction > x[first + target]) ++greater;
    }
  }
  if (is_beyond) greater = kBeyondAll;
  greater = MergeTeam<int64_t>(teams, greater, shared, SumOf());
  if (row >= out.size || teams.Lane() != 0) return;
  const int64_t most = given.size > 0 ? static_cast<int64_t>(given[0]) : k;
  out[row] = greater < kBeyondAll && greater < most;
}

template <class Index>
class InTopK final : public GpuKernel {
 public:
  explicit InTopK(const Node& node) : k_(Int32Attr(node, "k")) {}
  void Run(GpuContext& context) override {
    const Tensor &predictions = context.input(0), &targets = context.input(1);
    Require(predictions.rank() == 2, "predictions must be a matrix, not of shape ", predictions.shape().ToString());
    Require(targets.rank() == 1 && targets.elements() == predictions.dim(0), "targets must hold ", predictions.dim(0),
            " classes, not have the shape ", targets.shape().ToString());
    Global<const Index> given;
    if (context.num_inputs() > 2) {
      Require(context.input(2).rank() == 0, "k must be a scalar, not of shape ", context.input(2).shape().ToString());
      given = context.In<Index>(2);
    }
    const int64_t classes = predictions.dim(1);
    const Global<const float> x = context.In<float>(0);
    const Global<const Index> classes_wanted = context.In<Index>(1);
    Tensor out = context.AllocateOutput(0, targets.shape());
    if (out.elements() == 0) return;
    const Teams teams = Teams::ForRowsOf(classes);
    Launch(context.stream(), teams.Grid(out.elements()), InTopKLoop<Index>, x, classes_wanted, given, k_, classes,
           teams, context.ViewOf<bool>(out));
  }

 private:
  const int64_t k_;
};

constexpr GpuKernelRow kRows[] = {
    {"TopK", MakeForType<TopK, Reals>},
    {"TopKV2", MakeForType<TopK, Reals>},
    {"InTopK", MakeForIndices<InTopK, 1>},
    {"InTopKV2", MakeForIndices<InTopK, 1>},
};

}  // namespace

std::span<const GpuKernelRow> ReductionTopK() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
