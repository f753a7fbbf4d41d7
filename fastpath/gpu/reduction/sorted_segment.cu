// SegmentSum and its kin: neighbouring rows folded, whose segment numbers ascend.
#include <limits>

#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/rows/refolded_nan.h"
#include "fastpath/gpu/lib/rows/segment_folds.h"
#include "fastpath/gpu/lib/rows/segment_runs.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// One row is its own sum, down to the sign of zero (N19).
template <class T>
struct SegmentSum : SumFold<T> {
  using KeepsSingle = void;
};
template <class T>
struct SegmentMean : SegmentSum<T> {
  using Value = typename SumFold<T>::Value;
  PLUMB_GPU_INLINE T StoreFor(Value sum, int64_t count) const {
    return Computed<T>::Store(count == 0 ? Value(0) : sum / static_cast<Value>(count));
  }
};
// Of no rows zero is the largest and the least.
template <class F>
struct ZeroOfNone : F {
  PLUMB_GPU_INLINE typename F::Out StoreFor(typename F::Value value, int64_t count) const {
    return count == 0 ? Computed<typename F::Out>::Store(0) : F::Store(value);
  }
};
template <class T>
struct SegmentMax : ZeroOfNone<LargestFold<T>> {
  static constexpr bool kIsExtreme = true, kIsLargest = true;
};
template <class T>
struct SegmentMin : ZeroOfNone<LeastFold<T>> {
  static constexpr bool kIsExtreme = true, kIsLargest = false;
};

template <class F>
class SortedSegment final : public GpuKernel {
 public:
  explicit SortedSegment(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor data = context.input(0), ids = context.input(1);
    Require(data.rank() >= 1 && ids.rank() == 1 && ids.dim(0) == data.dim(0), "segment_ids of shape ",
            ids.shape().ToString(), " do not number the rows of data of shape ", data.shape().ToString());
    const SegmentRuns runs(context, ids);
    Tensor y = context.AllocateOutput(0, WithRows(data.shape(), runs.segments()));
    const SegmentEntries<int64_t> entries{runs.begins(context), runs.counts(context), {}};
    const auto x = context.In<typename F::In>(0);
    const auto out = context.ViewOf<typename F::Out>(y);
    FoldSegments<F, int64_t>(context, x, entries, ids.elements(), out, F());
    if constexpr (requires { F::kIsExtreme; }) {
      if (out.size == 0) return;
      Launch(context.stream(), LoopOver(out.size), RefoldNaN<typename F::In, F::kIsLargest>, x, entries, out,
             out.size / y.dim(0));
    }
  }
};

template <template <class> class F>
std::unique_ptr<GpuKernel> MakeSegment(const Node& node) {
  return ForType(node, node.input_types[0], Floats(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<SortedSegment<F<typename decltype(tag)::Type>>>(node);
  });
}

constexpr GpuKernelRow kRows[] = {
    {"SegmentSum", MakeSegment<SegmentSum>},   {"SegmentMean", MakeSegment<SegmentMean>},
    {"SegmentProd", MakeSegment<ProductFold>}, {"SegmentMax", MakeSegment<SegmentMax>},
    {"SegmentMin", MakeSegment<SegmentMin>},
};

}  // namespace

std::span<const GpuKernelRow> ReductionSortedSegment() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
