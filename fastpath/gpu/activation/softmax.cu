// Softmax and its logarithm, over the last axis: a team of threads for each row.
#include <cmath>
#include <limits>

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
    Launch(context.stream(), teams.Grid(rows), SoftmaxRows<T, is_log>, x, context.ViewOf<T>(y), rows, n, teams);
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
