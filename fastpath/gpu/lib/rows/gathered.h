// Rows and slices picked by index.
#pragma once

#include "fastpath/gpu/lib/coordinates.h"

namespace plumb::fast::GPU_NAMESPACE {

// params is [batch, outer, limit, inner], indices [batch, count]; the result is [batch, outer, count, inner].
struct GatherSizes {
  int64_t outer = 1, limit = 0, count = 1, inner = 1;
};

// Queue the picking; the step is refused where an index, int32 or int64 in the device's memory, is out of range.
void Gather(GpuContext& context, const Tensor& params, const Tensor& indices, const GatherSizes& sizes, Tensor& out);
void GatherSlices(GpuContext& context, const Tensor& params, const Tensor& indices, const Slices& slices, Tensor& out);

}  // namespace plumb::fast::GPU_NAMESPACE
