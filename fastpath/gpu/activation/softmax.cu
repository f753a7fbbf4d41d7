// Softmax and its logarithm, over the last axis: a team of threads for each row.
#include <cmath>
#include <limits>

#include "fastpath/gpu/lib/runs.h"
#include "fastpath/gpu/lib/team.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// y may lie in x's memory: a lane reads what it writes, and nothing else after that.
template <class T, bool is_log>
PLUMB_GPU_KERNEL SoftmaxRows(Global<const T> x, Global<T> y, int64_t rows, int64_t n, Teams teams) {
  using V = typename Computed<T>::Type;
  PLUMB_GPU_SHARED(V, shared, kWarpsOfTeams);
  const int64_t begin = teams.Row() * n, end = teams.Row() < rows ? begin + n : begin;
  V largest = -std::numeric_limits<V>::infinity();
  for (int64_t i = begin + teams.Lane(); i < end; i += teams.lanes) {
    largest = LargerOf()(largest, Computed<T>::Load(x[i]));
  }
  largest = MergeTeam<V>(teams, largest, shared, LargerOf());
  V sum = 0;
  for (int64_t i = begin + teams.Lane(); i < end; i += teams.lanes) sum += ExpOf(Computed<T>::Load(x[i]) - largest);
  sum = MergeTeam<V>(teams, sum, shared, SumOf());
  const V log_sum = LogOf(sum);
  for (int64_t i = begin + teams.Lane(); i < end; i += teams.lanes) {
    const V shifted = Computed<T>::Load(x[i]) - largest;
    y[i] = Computed<T>::Store(is_log ? shifted - log_sum : ExpOf(shifted) / sum);
  }
}

// How many elements of a row a lane keeps in registers; longer rows are read three times.
constexpr int kFewKept = 8, kMostKept = 32;

constinit ChoicePoint rows_read_again("softmax on GPUs: rows kept in registers, or read three times");

// The same of rows of at most kept · lanes elements, each of which is read once. `n` at a time lie side by side, in the
// order that follows from the length of rows; at_once: they lie as packs do.
template <class T, bool is_log, int kept, int n>
PLUMB_GPU_KERNEL SoftmaxKept(Global<const T> x, Global<T> y, int64_t rows, int length, Teams teams, bool at_once) {
  using V = typename Computed<T>::Type;
  PLUMB_GPU_SHARED(V, shared, kWarpsOfTeams);
  const int64_t begin = teams.Row() * length;
  const int end = teams.Row() < rows ? length : 0, first = teams.Lane() * n, step = teams.lanes * n;
  V values[kept] = {};
  V largest = -std::numeric_limits<V>::infinity();
  PLUMB_GPU_UNROLL
  for (int run = 0; run < kept / n; ++run) {
    const int at = first + run * step;
    if (at >= end) continue;
    const Pack<T, n> pack = at_once ? LoadPack<n>(x, begin + at) : LoadOneByOne<n>(x, begin + at);
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) {
      values[run * n + k] = Computed<T>::Load(pack.at[k]);
      largest = LargerOf()(largest, values[run * n + k]);
    }
  }
  largest = MergeTeam<V>(teams, largest, shared, LargerOf());
  V sum = 0;
  PLUMB_GPU_UNROLL
  for (int i = 0; i < kept; ++i) {
    if (first + i / n * step >= end) continue;
    const V shifted = values[i] - largest, power = ExpOf(shifted);
    sum += power;
    values[i] = is_log ? shifted : power;
  }
  sum = MergeTeam<V>(teams, sum, shared, SumOf());
  const V log_sum = LogOf(sum);
  PLUMB_GPU_UNROLL
  for (int run = 0; run < kept / n; ++run) {
    const int at = first + run * step;
    if (at >= end) continue;
    Pack<T, n> pack;
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) {
      const V value = values[run * n + k];
      pack.at[k] = Computed<T>::Store(is_log ? value - log_sum : value / sum);
    }
    if (at_once) {
      StorePack(y, begin + at, pack);
      continue;
    }
    PLUMB_GPU_UNROLL
    for (int k = 0; k < n; ++k) y[begin + at + k] = pack.at[k];
  }
}

template <class T, bool is_log, int kept>
void QueueKept(GpuContext& context, Global<const T> x, Global<T> y, int64_t rows, int64_t length, const Teams& teams) {
  constexpr int n = kRunOf<T>;
  const bool in_runs = length % n == 0, at_once = in_runs && BeginsRun(x.data, n) && BeginsRun(y.data, n);
  const auto kernel = in_runs ? SoftmaxKept<T, is_log, kept, n> : SoftmaxKept<T, is_log, kept, 1>;
  Launch(context.stream(), teams.Grid(rows), kernel, x, y, rows, static_cast<int>(length), teams, at_once || !in_runs);
}

template <class T, bool is_log>
class SoftmaxKernel final : public GpuKernel {
 public:
  explicit SoftmaxKernel(const Node&) {}
  void Run(GpuContext& context) override {
    const Shape shape = context.input(0).shape();
    Require(shape.rank() >= 1, "logits must have at least one dimension");
    const Global<const T> x = context.In<T>(0);
    Tensor y = context.ForwardOrAllocate(0, 0, shape);
    if (shape.elements() == 0) return;
    const int64_t n = shape[shape.rank() - 1], rows = shape.elements() / n;
    const Teams teams = Teams::ForRowsOf(n);
    const Global<T> out = context.ViewOf<T>(y);
    if (n <= kFewKept * teams.lanes) return QueueKept<T, is_log, kFewKept>(context, x, out, rows, n, teams);
    if (!rows_read_again.Chosen(n > kMostKept * teams.lanes)) {
      return QueueKept<T, is_log, kMostKept>(context, x, out, rows, n, teams);
    }
    Launch(context.stream(), teams.Grid(rows), SoftmaxRows<T, is_log>, x, out, rows, n, teams);
  }
};

template <class T>
using Softmax = SoftmaxKernel<T, false>;
template <class T>
using LogSoftmax = SoftmaxKernel<T, true>;

constexpr GpuKernelRow kRows[] = {
    {"Softmax", MakeForType<Softmax, Floats>},
    {"LogSoftmax", MakeForType<LogSoftmax, Floats>},
};

}  // namespace

std::span<const GpuKernelRow> ActivationSoftmax() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
