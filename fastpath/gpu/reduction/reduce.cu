// Folds over the axes that an input on the host names.
#include <vector>

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
    Require(!is_marked[static_cast<size_t>(own)], "reduction axis ", axis, " is named twice");
    is_marked[static_cast<size_t>(own)] = true;
  }
  return is_marked;
}

// Without the folded axes, or with ones in their place.
Shape WithoutFolded(const Shape& shape, const std::vector<bool>& is_folded, bool keep_dims) {
  std::vector<int64_t> dims;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const bool folds = is_folded[static_cast<size_t>(axis)];
    if (!folds || keep_dims) dims.push_back(folds ? 1 : shape[axis]);
  }
  return Shape(dims);
}

// `keeps_one`: whether a fold of one element is that element, as it lies in memory.
template <class F, bool keeps_one>
class Reducer final : public GpuKernel {
 public:
  explicit Reducer(const Node& node) : keeps_dims_(GetAttr<bool>(node.attrs, "keep_dims")) {}
  void Run(GpuContext& context) override {
    const Tensor& x = context.input(0);
    const std::vector<bool> is_marked = Marked(context.input(1), x.rank());
    const Shape shape = WithoutFolded(x.shape(), is_marked, keeps_dims_);
    const FoldPlan plan = PlanFold(x.shape(), is_marked);
    if (keeps_one && x.elements() > 0 && plan.count == 1) return context.SetOutput(0, x.Reshaped(shape));  // R31
    F fold;
    if constexpr (requires { fold.count; }) fold.count = static_cast<double>(plan.count);
    Tensor y = context.AllocateOutput(0, shape);
    QueueFold(context, plan, context.In<typename F::In>(0), context.ViewOf<typename F::Out>(y), fold);
  }

 private:
  const bool keeps_dims_;
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
