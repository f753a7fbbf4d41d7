#include "fastpath/gpu/convolution/engines.h"

#include "fastpath/gpu/convolution/dnn_convolution.h"
#include "fastpath/gpu/convolution/patch_products.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Convolutions by single pixels are products as they lie. cuDNN would be given wider floats in another layout, which
// costs more to move than to multiply; what it does with 16-bit floats suits tensor cores.
bool IsProduct(const PatchGrid& grid, const Tensor& out) { return grid.IsPlain() && ElementSize(out.dtype()) > 2; }

}  // namespace

void Convolve(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& filter, Tensor& out) {
  const bool is_done = !IsProduct(grid, out) && QueueByDnn(context, DnnPass::kForward, grid, images, filter, out);
  if (!is_done) ConvolvePatches(context, grid, images, filter, out);
}

void ConvolveToImages(GpuContext& context, const PatchGrid& grid, const Tensor& filter, const Tensor& gradient,
                      Tensor& images_gradient) {
  const bool is_done = !IsProduct(grid, images_gradient) &&
                       QueueByDnn(context, DnnPass::kToImages, grid, filter, gradient, images_gradient);
  if (!is_done) ConvolvePatchesToImages(context, grid, filter, gradient, images_gradient);
}

void ConvolveToFilter(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& gradient,
                      Tensor& filter_gradient) {
  const bool is_done = !IsProduct(grid, filter_gradient) &&
                       QueueByDnn(context, DnnPass::kToFilter, grid, images, gradient, filter_gradient);
  if (!is_done) ConvolvePatchesToFilter(context, grid, images, gradient, filter_gradient);
}

}  // namespace plumb::fast::GPU_NAMESPACE
