// Convolutions as products of gathered patches with filters, [window, channels in, channels out]: what two and three
// dimensions share.
#pragma once

#include "fastpath/gpu/lib/patches.h"

namespace plumb::fast::GPU_NAMESPACE {

// Of convolutions that a grid describes, none of whose tensors is empty. Each queues what gives the last argument; some
// images at a time where their patches are large. The gradients are of one group.
void ConvolvePatches(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& filter,
                     Tensor& out);
void ConvolvePatchesToImages(GpuContext& context, const PatchGrid& grid, const Tensor& filter, const Tensor& gradient,
                             Tensor& images_gradient);
void ConvolvePatchesToFilter(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& gradient,
                             Tensor& filter_gradient);

}  // namespace plumb::fast::GPU_NAMESPACE
