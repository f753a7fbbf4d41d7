// How long a stream takes for a piece of work, by events of it.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <limits>
#include <optional>

#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {

// The least milliseconds of a few runs of what `queue` gives the stream, after one that does not count. Work that takes
// twice as long as `best` is timed once. Nothing where `queue` says that it cannot be done. It waits for the stream,
// which may not capture.
std::optional<float> TimeOnStream(cudaStream_t stream, const std::function<bool()>& queue,
                                  float best = std::numeric_limits<float>::infinity());

}  // namespace plumb::fast::GPU_NAMESPACE
