#include <algorithm>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/patches.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int64_t kMostBytesAtOnce = int64_t{32} << 20;

template <class T>
PLUMB_GPU_KERNEL Gather(Global<const T> x, Global<T> patches, PatchGrid grid) {
  for (int64_t i = First(); i < patches.size; i += Stride()) {
    int64_t rest = i;
    const int64_t of_group = TakeDigit(rest, grid.depth);
    const int64_t l = TakeDigit(rest, grid.columns.window), k = TakeDigit(rest, grid.rows.window);
    const int64_t j = TakeDigit(rest, grid.planes.window);
    const int64_t column = grid.columns.At(TakeDigit(rest, grid.to.columns), l);
    const int64_t row = grid.rows.At(TakeDigit(rest, grid.to.rows), k);
    const int64_t plane = grid.planes.At(TakeDigit(rest, grid.to.planes), j);
    const int64_t image = TakeDigit(rest, grid.from.images), channel = rest * grid.depth + of_group;
    const bool is_padding = plane < 0 || row < 0 || column < 0;
    patches[i] = is_padding ? T{} : x[grid.from.At(image, plane, row, column, channel)];
  }
}

template <class T>
PLUMB_GPU_KERNEL Collect(Global<const typename Computed<T>::Type> patches, Global<T> x, PatchGrid grid) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < x.size; i += Stride()) {
    const Pixel at = grid.from.PixelOf(i);
    V sum = 0;
    for (int64_t j = 0; j < grid.planes.window; ++j) {
      const int64_t plane = grid.planes.SeenBy(at.plane, j);
      for (int64_t k = 0; plane >= 0 && k < grid.rows.window; ++k) {
        const int64_t row = grid.rows.SeenBy(at.row, k);
        for (int64_t l = 0; row >= 0 && l < grid.columns.window; ++l) {
          const int64_t column = grid.columns.SeenBy(at.column, l);
          if (column < 0) continue;
          const int64_t window = ((at.image * grid.to.planes + plane) * grid.to.rows + row) * grid.to.columns + column;
          const int64_t offset = (j * grid.rows.window + k) * grid.columns.window + l;
          sum += patches[window * grid.patch() + offset * grid.depth + at.channel];
        }
      }
    }
    x[i] = Computed<T>::Store(sum);
  }
}

// The images from `first` on, as many as the grid has.
template <class T>
Global<T> ImagesFrom(const PatchGrid& grid, Global<T> all, int64_t first) {
  const int64_t image = grid.from.pixels() * grid.from.depth;
  return all.From(first * image, grid.from.images * image);
}

}  // namespace

bool PatchGrid::IsPlain() const {
  const auto is_plain = [](const WindowAxis& axis) {
    return axis.window == 1 && axis.stride == 1 && axis.before == 0 && axis.input == axis.output;
  };
  return groups == 1 && !from.channels_first && is_plain(planes) && is_plain(rows) && is_plain(columns);
}

PatchGrid PatchGrid::Of(int64_t images) const {
  PatchGrid part = *this;
  part.from.images = part.to.images = images;
  return part;
}

int64_t PatchGrid::ImagesAtOnce(DType type) const {
  const int64_t bytes = groups * pixels() * patch() * static_cast<int64_t>(ElementSize(type));
  return std::clamp<int64_t>(kMostBytesAtOnce / bytes, 1, from.images);
}

void GatherPatches(GpuContext& context, const PatchGrid& grid, const Tensor& images, int64_t first, Tensor& patches) {
  ForSizeOf(context.node(), images.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const Global<const T> x(static_cast<const T*>(images.raw()), images.elements());
    const Global<T> to(static_cast<T*>(patches.mutable_raw()), patches.elements());
    Launch(context.stream(), LoopOver(to.size), Gather<T>, ImagesFrom<const T>(grid, x, first), to, grid);
  });
}

void SumPatches(GpuContext& context, const PatchGrid& grid, const Tensor& patches, int64_t first, Tensor& images) {
  ForType(context.node(), images.dtype(), Floats(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const Global<T> x = ImagesFrom<T>(grid, context.ViewOf<T>(images), first);
    Launch(context.stream(), LoopOver(x.size), Collect<T>, context.ViewOf<typename Computed<T>::Type>(patches), x,
           grid);
    return true;
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE
