// For each slice of a tensor the rows that go to it, in their order, so that what is added up is added up in the same
// order every time.
#pragma once

#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

// The rows of slice s are rows[begins[s]] to rows[begins[s] + counts[s] - 1]. int64, in the device's memory.
struct RowLists {
  Tensor begins, counts, rows;
};

// places: the slice of each row, in the device's memory; rows of a negative one go nowhere.
RowLists ListRows(GpuContext& context, Global<const int64_t> places, int64_t slices);

}  // namespace plumb::fast::GPU_NAMESPACE
