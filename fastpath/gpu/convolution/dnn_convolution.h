// Convolutions by cuDNN.
#pragma once

#include "fastpath/gpu/lib/dnn/dnn_engines.h"
#include "fastpath/gpu/lib/patches.h"

namespace plumb::fast::GPU_NAMESPACE {

// Queues a pass of the convolution that the grid describes, none of whose tensors is empty: from images and filter,
// filter and gradient, or images and gradient. False where cuDNN has no engine for it, or none for which there is
// memory; then nothing is written to `out`.
bool QueueByDnn(GpuContext& context, DnnPass pass, const PatchGrid& grid, const Tensor& first, const Tensor& second,
                Tensor& out);

}  // namespace plumb::fast::GPU_NAMESPACE
