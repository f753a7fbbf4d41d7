#include "fastpath/gpu/convolution/engines.h"

#include "fastpath/gpu/convolution/dnn_convolution.h"
#include "fastpath/gpu/convolution/patch_products.h"

namespace plumb::fast::GPU_NAMESPACE {

void Convolve(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& filter, Tensor& out) {
  if (QueueByDnn(context, DnnPass::kForward, grid, images, filter, out)) return;
  ConvolvePatches(context, grid, images, filter, out);
}

void ConvolveToImages(GpuContext& context, const PatchGrid& grid, const Tensor& filter, const Tensor& gradient,
                      Tensor& images_gradient) {
  if (QueueByDnn(context, DnnPass::kToImages, grid, filter, gradient, images_gradient)) return;
  ConvolvePatchesToImages(context, grid, filter, gradient, images_gradient);
}

void ConvolveToFilter(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& gradient,
                      Tensor& filter_gradient) {
  if (QueueByDnn(context, DnnPass::kToFilter, grid, images, gradient, filter_gradient)) return;
  ConvolvePatchesToFilter(context, grid, images, gradient, filter_gradient);
}

}  // namespace plumb::fast::GPU_NAMESPACE
