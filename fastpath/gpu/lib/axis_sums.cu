#include "fastpath/gpu/lib/axis_sums.h"
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// `words` numbers of T stand for an element, as an axis that is kept.
template <class T>
void Queue(GpuContext& context, const Tensor& x, std::vector<bool> is_folded, int64_t words, Tensor& sums) {
  std::vector<int64_t> dims = x.shape().ToVector();
  dims.push_back(words);
  is_folded.push_back(false);
  QueueFold(context, PlanFold(Shape(dims), is_folded),
            Global<const T>(static_cast<const T*>(x.raw()), words * x.elements()),
            Global<T>(static_cast<T*>(sums.mutable_raw()), words * sums.elements()), SumFold<T>());
}

}  // namespace

void QueueAxisSums(GpuContext& context, const Tensor& x, std::vector<bool> is_folded, Tensor& sums) {
  if (x.dtype() == DType::kComplex64) return Queue<float>(context, x, std::move(is_folded), 2, sums);
  if (x.dtype() == DType::kComplex128) return Queue<double>(context, x, std::move(is_folded), 2, sums);
  using Types = TypeList<float, double, Half, BFloat16, int16_t, int32_t, int64_t>;
  ForType(context.node(), x.dtype(), Types(), [&](auto tag) {
    Queue<typename decltype(tag)::Type>(context, x, is_folded, 1, sums);
    return true;
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE
