// Folds over the axes that an input on the host names.
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

std::vector<bool> Marked(const Tensor& axes, int rank) {
  std::vector<bool> is_marked(static_cast<size_t>(rank), false);
  for (const int64_t axis : ToInt64s(axes)) {
    const int64_t own = axis < 0 ? axis + rank : axis;
    Require(own >= 0 && own < rank, "axis ", axis, " is not one of ", rank, " axes");
    is_marked[static_cast<size_t>(own)] = true;
  }
  return is_marked;
}

// `keeps_one`: whether a fold of one element is that element, as it lies in memory.
template <class F, bool keeps_one>
class Reducer final : public GpuKernel {
 public:
  explicit Reducer(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor& x = context.input(0);
    const Shape shape = context.OutputShape(0);
    const FoldPlan plan = PlanFold(x.shape(), Marked(context.input(1), x.rank()));
    if (keeps_one && x.elements() > 0 && plan.count == 1) return context.SetOutput(0, x.Reshaped(shape));  // R31
    F fold;
    if constexpr (requires { fold.count; }) fold.count = static_cast<double>(plan.count);
    Tensor y = context.AllocateOutput(0, shape);
    QueueFold(context, plan, context.In<typename F::In>(0), context.ViewOf<typename F::Out>(y), fold);
  }
};

template <template <class> class F, class Types, bool keeps_one = true>
std::unique_ptr<GpuKernel> MakeFold(const Node& node) {
  return ForType(node, Base(node.input_types[0]), Types(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<Reducer<F<typename decltype(tag)::Type>, keeps_one>>(node);
  });
}

constexpr GpuKernelRow kRows[] = {
    {"Sum", MakeFold<SumFold, Reals>},
    {"Mean", MakeFold<MeanFold, Reals>},
    {"Prod", MakeFold<ProductFold, Reals>},
    {"Max", MakeFold<LargestFold, Reals>},
    {"Min", MakeFold<LeastFold, Reals>},
    {"EuclideanNorm", MakeFold<NormFold, Floats, false>},
    {"All", Make<Reducer<LogicalFold<true>, true>>},
    {"Any", Make<Reducer<LogicalFold<false>, true>>},
};

}  // namespace

std::span<const GpuKernelRow> ReductionReduce() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
