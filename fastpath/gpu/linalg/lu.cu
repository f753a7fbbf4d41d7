// Lu by elimination with partial pivoting.
#include <utility>

#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/linalg/elimination.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class Crew, class N, class I>
PLUMB_GPU_KERNEL FactorInto(Global<N> factors, int64_t count, int64_t n, Global<I> orders, Global<int64_t> slot) {
  PLUMB_GPU_SHARED(Pivot<RealOf<N>>, shared, kWarpsOfTeams);
  const Crew crew;
  for (int64_t i = crew.FirstMatrix(); i < count; i += crew.MatrixStep()) {
    const Global<N> a = MatrixAt(factors, i, n * n);
    const Global<I> order = MatrixAt(orders, i, n);
    for (int64_t k = crew.thread(); k < n; k += crew.threads()) order[k] = static_cast<I>(k);
    Eliminate(crew, a, n, Global<N>(), 0, shared, [&](int64_t k, int64_t row) {
      const I upper = order[k];
      order[k] = order[row];
      order[row] = upper;
    });
    RefuseZeros(crew, a, n, slot);
  }
}

template <class T>
class LuKernel final : public GpuKernel {
 public:
  explicit LuKernel(const Node&) {}
  void Run(GpuContext& context) override {
    const Matrices matrices(context.OutputShape(0));
    const Tensor& a = context.input(0);
    Tensor factors = context.AllocateOutput(0, a.shape());
    Tensor order = context.AllocateOutput(1, matrices.Stacked({matrices.rows}));
    if (a.elements() == 0) return;
    CopyRange(context, a, 0, factors, 0, a.elements());
    const Global<int64_t> slot =
        context.NewSlot([](int64_t) { return Status(Code::kInvalidArgument, "Input is not invertible."); });
    ForType(context.node(), order.dtype(), TypeList<int32_t, int64_t>(), [&](auto tag) {
      using I = typename decltype(tag)::Type;
      LaunchForEach(context, matrices.count, matrices.rows, FactorInto<WholeBlock, Number<T>, I>,
                    FactorInto<OneThread, Number<T>, I>, NumbersOf<T>(context, factors), matrices.count, matrices.rows,
                    context.ViewOf<I>(order), slot);
      return true;
    });
  }
};

constexpr GpuKernelRow kRows[] = {
    {"Lu", MakeForType<LuKernel, RealsAndComplexes>},
};

}  // namespace

std::span<const GpuKernelRow> LinalgLu() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
