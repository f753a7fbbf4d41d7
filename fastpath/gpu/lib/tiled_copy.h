// Copies that read along one axis and write along another, as transposes do: by tiles of shared memory, so that a card
// reads and writes neighbours both times.
#pragma once

#include "fastpath/gpu/gpu_context.h"
#include "fastpath/gpu/lib/walk.h"

namespace plumb::fast::GPU_NAMESPACE {

// Queues what CopyAlong does (strided_copy.h), if the walk is of that kind and its axes are long enough; whether it is.
bool CopyByTiles(GpuContext& context, const Walk& walk, const Tensor& from, int64_t from_first, Tensor& to,
                 int64_t to_first);

}  // namespace plumb::fast::GPU_NAMESPACE
