// What computes a convolution: cuBLASLt where it is a product as it lies, cuDNN where that has an engine for it, else
// products of gathered patches.
#pragma once

#include "fastpath/gpu/lib/patches.h"

namespace plumb::fast::GPU_NAMESPACE {

// Of convolutions that a grid describes, none of whose tensors is empty. Each queues what gives the last argument. The
// gradients are of one group.
void Convolve(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& filter, Tensor& out);
void ConvolveToImages(GpuContext& context, const PatchGrid& grid, const Tensor& filter, const Tensor& gradient,
                      Tensor& images_gradient);
void ConvolveToFilter(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& gradient,
                      Tensor& filter_gradient);

}  // namespace plumb::fast::GPU_NAMESPACE
