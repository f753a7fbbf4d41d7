// Cross entropies of softmax: a team of threads for each row.
#include <cmath>
#include <limits>

#include "fastpath/gpu/lib/team.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// How far a step takes in a matrix that is broadcast.
struct Steps {
  int64_t row = 0, column = 0;

  explicit Steps(const Shape& shape) {
    const int rank = shape.rank();
    if (rank > 0 && shape[rank - 1] != 1) column = 1;
    if (rank > 1 && shape[rank - 2] != 1) row = shape[rank - 1];
  }
};

// What both losses know of a row of logits.
template <class V>
struct RowOfLogits {
  V largest, sum, log_sum;  // of the row; the sum is that of exp(x - largest)
};

template <class T, class V>
PLUMB_GPU_INLINE RowOfLogits<V> LookAtRow(Global<const T> x, int64_t first, int64_t n, int64_t step, const Teams& teams,
                                          Shared<V> shared) {
  V largest = -std::numeric_limits<V>::infinity(), sum = 0;
  for (int64_t i = teams.Lane(); i < n; i += teams.lanes) {
    largest = LargerOf()(largest, Computed<T>::Load(x[first + i * step]));
  }
  largest = MergeTeam<V>(teams, largest, shared, LargerOf());
  for (int64_t i = teams.Lane(); i < n; i += teams.lanes) {
    sum += ExpOf(Computed<T>::Load(x[first + i * step]) - largest);
  }
  sum = MergeTeam<V>(teams, sum, shared, SumOf());
  return {largest, sum, LogOf(sum)};
}

template <class T>
PLUMB_GPU_KERNEL DenseRows(Global<const T> x, Steps x_steps, Global<const T> labels, Steps label_steps, Global<T> loss,
                           Global<T> backprop, int64_t columns, Teams teams) {
  using V = typename Computed<T>::Type;
  PLUMB_GPU_SHARED(V, shared, kWarpsOfTeams);
  const int64_t row = teams.Row(), n = row < loss.size ? columns : 0;
  const RowOfLogits<V> seen = LookAtRow<T, V>(x, row * x_steps.row, n, x_steps.column, teams, shared);
  V sum = 0;
  for (int64_t i = teams.Lane(); i < n; i += teams.lanes) {
    const V shifted = Computed<T>::Load(x[row * x_steps.row + i * x_steps.column]) - seen.largest;
    const V wanted = Computed<T>::Load(labels[row * label_steps.row + i * label_steps.column]);
    backprop[row * columns + i] = Computed<T>::Store(ExpOf(shifted) / seen.sum - wanted);
    sum += wanted * (seen.log_sum - shifted);
  }
  sum = MergeTeam<V>(teams, sum, shared, SumOf());
  if (row < loss.size && teams.Lane() == 0) loss[row] = Computed<T>::Store(sum);
}

// The number that is left in the slot: the row of a label out of range, counted from 1.
template <class T, class Label>
PLUMB_GPU_KERNEL SparseRows(Global<const T> x, Global<const Label> labels, Global<T> loss, Global<T> backprop,
                            int64_t columns, Teams teams, Global<int64_t> slot) {
  using V = typename Computed<T>::Type;
  PLUMB_GPU_SHARED(V, shared, kWarpsOfTeams);
  const int64_t row = teams.Row(), n = row < loss.size ? columns : 0, first = row * columns;
  const RowOfLogits<V> seen = LookAtRow<T, V>(x, first, n, 1, teams, shared);
  if (row >= loss.size) return;
  const auto label = static_cast<int64_t>(labels[row]);
  const bool is_known = label >= 0 && label < columns;
  for (int64_t i = teams.Lane(); i < n; i += teams.lanes) {
    const V probability = ExpOf(Computed<T>::Load(x[first + i]) - seen.largest) / seen.sum;
    backprop[first + i] =
        Computed<T>::Store(is_known ? probability - V(i == label ? 1 : 0) : std::numeric_limits<V>::quiet_NaN());
  }
  if (teams.Lane() != 0) return;
  if (!is_known) AtomicCas(slot[0], int64_t{0}, row + 1);
  loss[row] = Computed<T>::Store(is_known ? seen.log_sum - (Computed<T>::Load(x[first + label]) - seen.largest)
                                          : std::numeric_limits<V>::quiet_NaN());
}

template <class T>
class Dense final : public GpuKernel {
 public:
  explicit Dense(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.OutputShape(1);
    Tensor loss = context.AllocateOutput(0, Shape{shape[0]}), backprop = context.AllocateOutput(1, shape);
    const Teams teams = Teams::ForRowsOf(shape[1]);
    Launch(context.stream(), teams.Grid(shape[0]), DenseRows<T>, context.In<T>(0), Steps(context.input(0).shape()),
           context.In<T>(1), Steps(context.input(1).shape()), context.ViewOf<T>(loss), context.ViewOf<T>(backprop),
           shape[1], teams);
  }
};

template <class T>
class Sparse final : public GpuKernel {
 public:
  explicit Sparse(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor &features = context.input(0), &labels = context.input(1);
    Require(features.rank() == 2, "logits must be a matrix, not of shape ", features.shape().ToString());
    Require(labels.rank() == 1 && labels.elements() == features.dim(0), "labels must hold ", features.dim(0),
            " classes, not have the shape ", labels.shape().ToString());
    Require(features.dim(1) > 0, "there must be at least one class");
    if (labels.dtype() == DType::kInt32) return RunAs<int32_t>(context);
    RunAs<int64_t>(context);
  }

 private:
  template <class Label>
  static void RunAs(GpuContext& context) {
    const Shape shape = context.input(0).shape();
    Tensor loss = context.AllocateOutput(0, Shape{shape[0]}), backprop = context.AllocateOutput(1, shape);
    if (shape[0] == 0) return;
    const Teams teams = Teams::ForRowsOf(shape[1]);
    const Global<int64_t> slot = context.NewSlot([classes = shape[1]](int64_t row) {
      return Status(Code::kInvalidArgument, Str("labels[", row - 1, "] is not in [0, ", classes, ")"));
    });
    Launch(context.stream(), teams.Grid(shape[0]), SparseRows<T, Label>, context.In<T>(0), context.In<Label>(1),
           context.ViewOf<T>(loss), context.ViewOf<T>(backprop), shape[1], teams, slot);
  }
};

constexpr GpuKernelRow kRows[] = {
    {"SoftmaxCrossEntropyWithLogits", MakeForType<Dense, Floats>},
    {"SparseSoftmaxCrossEntropyWithLogits", MakeForType<Sparse, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> LossCrossEntropy() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
