#include "fastpath/cpu/lib/broadcast_copy.h"

#include "fastpath/cpu/lib/strided_copy.h"

namespace plumb::fast::cpu {

void CopyBroadcast(ThreadPool& pool, const Tensor& from, Tensor& to) {
  if (to.elements() == 0) return;
  const int missing = to.rank() - from.rank();
  const Strides source(from.shape()), target(to.shape());
  CopyPlan plan;
  for (int axis = 0; axis < to.rank(); ++axis) {
    const bool repeats = axis < missing || from.dim(axis - missing) == 1;
    plan.Append(to.dim(axis), repeats ? 0 : source[axis - missing], target[axis]);
  }
  CopyStrided(pool, from.dtype(), plan, from.raw(), to.mutable_raw());
}

}  // namespace plumb::fast::cpu
