// Rows dealt out to lists, one list behind the other, each in the order of the rows.
#pragma once

#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

// Queues begins[i] = the sum of the counts before i, for as many as `begins` has: as counts, or one more.
void QueueBegins(GpuContext& context, Global<const int64_t> counts, Global<int64_t> begins);

// List l is rows[begins[l]] to rows[begins[l + 1] - 1]. int64, in the device's memory.
struct DealtRows {
  Tensor begins, rows;
};

// places: the list of each row, in the device's memory; rows of a negative one go nowhere. For lists that are few or
// long; ListRows is for many short ones.
DealtRows DealRows(GpuContext& context, Global<const int64_t> places, int64_t lists);

}  // namespace plumb::fast::GPU_NAMESPACE
