// The windows of output pixels, of images or volumes, gathered side by side, as the rows of a matrix: what makes a
// convolution a product of matrices.
#pragma once

#include "fastpath/gpu/gpu_context.h"
#include "fastpath/gpu/lib/windows.h"

namespace plumb::fast::GPU_NAMESPACE {

// A convolution of `groups` groups, each of which reads `depth` channels.
struct PatchGrid {
  ImageBatch from, to;
  WindowAxis rows, columns, planes = kNoAxis;
  int64_t groups = 1, depth = 0;

  PLUMB_GPU_WORD int64_t patch() const { return planes.window * rows.window * columns.window * depth; }
  PLUMB_GPU_WORD int64_t pixels() const { return to.pixels(); }
  // Whether the patches lie in memory as the images do.
  bool IsPlain() const;
  // The same for fewer images.
  PatchGrid Of(int64_t images) const;
  // As many as have patches worth one product.
  int64_t ImagesAtOnce(DType type) const;
};

// Queues the gathering of [groups, images, pixels, patch] from the images from `first` on; padding is zeros.
void GatherPatches(GpuContext& context, const PatchGrid& grid, const Tensor& images, int64_t first, Tensor& patches);
// The way back: queues, for each element of the images, the sum of the places that it was gathered to. One group;
// patches of the wide type (widen.h).
void SumPatches(GpuContext& context, const PatchGrid& grid, const Tensor& patches, int64_t first, Tensor& images);

}  // namespace plumb::fast::GPU_NAMESPACE
