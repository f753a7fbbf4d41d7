// InTopK: a team of threads for each row of predictions.
#include "fastpath/gpu/lib/coordinates.h"
#include "fastpath/gpu/lib/team.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// More than any row has predictions: what one that is not finite counts for.
constexpr int64_t kBeyondAll = int64_t{1} << 48;

// Whether fewer than k predictions of the row are greater than the target's. A target out of range, or a prediction
// that is not finite, is not in the top k. `given`: k in the device's memory, if it is not `k`.
template <class Index>
PLUMB_GPU_KERNEL InTopKLoop(Global<const float> x, Global<const Index> targets, Global<const Index> given, int64_t k,
                            int64_t classes, Teams teams, Global<bool> out) {
  PLUMB_GPU_SHARED(int64_t, shared, kWarpsOfTeams);
  const int64_t row = teams.Row(), first = row * classes;
  int64_t greater = 0;
  if (row < out.size) {
    const int64_t target = targets[row];
    const bool is_inside = target >= 0 && target < classes;
    if (!is_inside) greater = kBeyondAll;
    for (int64_t i = teams.Lane(); is_inside && i < classes; i += teams.lanes) {
      const float prediction = x[first + i];
      if (prediction - prediction != 0.0F) greater += kBeyondAll;
      if (prediction > x[first + target]) ++greater;
    }
  }
  greater = MergeTeam<int64_t>(teams, greater, shared, SumOf());
  if (row >= out.size || teams.Lane() != 0) return;
  const int64_t most = given.size > 0 ? static_cast<int64_t>(given[0]) : k;
  out[row] = greater < kBeyondAll && greater < most;
}

template <class Index>
class InTopK final : public GpuKernel {
 public:
  explicit InTopK(const Node& node) : k_(GetAttrOr<int64_t>(node.attrs, "k", 0)) {}
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
    {"InTopK", MakeForIndices<InTopK, 1>},
    {"InTopKV2", MakeForIndices<InTopK, 1>},
};

}  // namespace

std::span<const GpuKernelRow> ReductionInTopK() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
