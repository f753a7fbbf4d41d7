#include <algorithm>
#include <limits>
#include <utility>

#include "fastpath/gpu/convolution/patch_products.h"
#include "fastpath/gpu/lib/folds.h"
#include "fastpath/gpu/lib/gemm.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/widen.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constinit ChoicePoint images_in_parts("patches of images on GPUs: all at once, or in parts");
constinit ChoicePoint sums_in_parts(
    "filters of single pixels on GPUs: one product of all images, or one for each part");

// A product keeps a card busy whose result has so many tiles of this side, as libraries cut them.
constexpr int64_t kEnoughTiles = 264, kSideOfTile = 128;

constexpr int64_t kMostRows = std::numeric_limits<int32_t>::max();  // of a product

// The i-th element.
void* At(Tensor& tensor, int64_t i) {
  return static_cast<char*>(tensor.mutable_raw()) + static_cast<size_t>(i) * ElementSize(tensor.dtype());
}
const void* At(const Tensor& tensor, int64_t i) {
  return static_cast<const char*>(tensor.raw()) + static_cast<size_t>(i) * ElementSize(tensor.dtype());
}

// Calls body(grid of some images, the first of them) for all images, some at a time.
template <class Body>
void ForSomeImages(const PatchGrid& grid, DType type, const Body& body) {
  const int64_t images = grid.from.images;
  const int64_t limit = grid.IsPlain() ? std::max<int64_t>(1, kMostRows / grid.pixels()) : grid.ImagesAtOnce(type);
  const int64_t at_once = images_in_parts.Chosen(limit < images) ? limit : images;
  for (int64_t first = 0; first < images; first += at_once) {
    body(grid.Of(std::min(at_once, images - first)), first);
  }
}

// Between [groups, images, pixels, channels of a group] as operand 0, and images as operand 1.
Walk GroupsToImages(const PatchGrid& grid) {
  const int64_t channels = grid.to.depth / grid.groups, pixels = grid.pixels(), depth = grid.to.depth;
  const bool is_first = grid.to.channels_first;
  Walk walk;
  AddAxis(walk, grid.groups, grid.to.images * pixels * channels, is_first ? channels * pixels : channels);
  AddAxis(walk, grid.to.images, pixels * channels, pixels * depth);
  AddAxis(walk, pixels, channels, is_first ? 1 : depth);
  AddAxis(walk, channels, 1, is_first ? pixels : 1);
  return walk;
}

// The images from `first` on as [images, pixels, channels], in `scratch` if they lie otherwise.
const void* ChannelsLast(GpuContext& context, const PatchGrid& grid, const Tensor& images, int64_t first,
                         Tensor& scratch) {
  const int64_t begin = first * grid.pixels() * grid.to.depth;
  if (!grid.to.channels_first) return At(images, begin);
  scratch = context.Scratch(images.dtype(), Shape{grid.to.images, grid.pixels(), grid.to.depth});
  Walk walk = GroupsToImages(grid);
  std::swap(walk.stride[0], walk.stride[1]);
  CopyAlong(context, walk, images, begin, scratch, 0);
  return At(scratch, 0);
}

// The patches of the images from `first` on, in `scratch` unless they lie in the images so.
const void* PatchesOf(GpuContext& context, const PatchGrid& grid, const Tensor& images, int64_t first,
                      Tensor& scratch) {
  if (grid.IsPlain()) return At(images, first * grid.pixels() * grid.depth);
  scratch = context.Scratch(images.dtype(), Shape{grid.groups, grid.from.images, grid.pixels(), grid.patch()});
  GatherPatches(context, grid, images, first, scratch);
  return At(scratch, 0);
}

// The filter of each group in one piece.
const void* FilterInGroups(GpuContext& context, const PatchGrid& grid, const Tensor& filter, Tensor& scratch) {
  if (grid.groups == 1) return filter.raw();
  const int64_t channels = grid.to.depth / grid.groups;
  scratch = context.Scratch(filter.dtype(), Shape{grid.groups, grid.patch(), channels});
  Walk walk;
  AddAxis(walk, grid.groups, channels, grid.patch() * channels);
  AddAxis(walk, grid.patch(), grid.to.depth, channels);
  AddAxis(walk, channels, 1, 1);
  CopyAlong(context, walk, filter, 0, scratch, 0);
  return scratch.raw();
}

void MultiplyInto(GpuContext& context, const PatchGrid& grid, const void* patches, const void* factors, int64_t first,
                  Tensor& out) {
  const int64_t channels = grid.to.depth / grid.groups, pixels = grid.to.images * grid.pixels();
  const GemmSize size{pixels, channels, grid.patch(), grid.groups};
  const GemmOperand x{patches, false, false, pixels * grid.patch()}, y{factors, false, false, grid.patch() * channels};
  const int64_t begin = first * grid.pixels() * grid.to.depth;
  if (grid.groups == 1 && !grid.to.channels_first) return Gemm(context, out.dtype(), size, x, y, At(out, begin));
  Tensor products = context.Scratch(out.dtype(), Shape{grid.groups, pixels, channels});
  Gemm(context, out.dtype(), size, x, y, products.mutable_raw());
  CopyAlong(context, GroupsToImages(grid), products, 0, out, begin);
}

// The gradient of the images from `first` on; `type`: what it is multiplied in.
void Multiply(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& gradient, int64_t first,
              DType type, void* out) {
  const GemmSize size{grid.patch(), grid.to.depth, grid.to.images * grid.pixels(), 1};
  Tensor gathered, turned, wide_patches, wide_lines;
  const void* patches = PatchesOf(context, grid, images, first, gathered);
  const void* lines = ChannelsLast(context, grid, gradient, first, turned);
  if (type != images.dtype()) {
    patches = Widened(context, images.dtype(), patches, size.rows * size.inner, wide_patches);
    lines = Widened(context, images.dtype(), lines, size.inner * size.columns, wide_lines);
  }
  Gemm(context, type, size, {patches, true}, {lines}, out);
}

void AddUp(GpuContext& context, const Tensor& sums, Tensor& out) {
  ForType(context.node(), out.dtype(), Floats(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    using Fold = FoldOfPieces<SumFold<T>>;
    QueueFold(context, PlanFold(sums.shape(), {true, false}), context.ViewOf<typename Fold::In>(sums),
              context.ViewOf<T>(out), Fold{});
    return true;
  });
}

// Into how many parts of equally many images those are cut whose patches lie in them, for the gradient of a filter: it
// is small, and sums over all pixels.
int64_t PartsOf(const PatchGrid& grid) {
  const auto tiles = [](int64_t extent) { return (extent + kSideOfTile - 1) / kSideOfTile; };
  int64_t parts = std::min(grid.from.images, kEnoughTiles / (tiles(grid.patch()) * tiles(grid.to.depth)));
  while (parts > 1 && grid.from.images % parts != 0) --parts;
  return std::max<int64_t>(parts, 1);
}

// The products of all parts, and their sum.
void MultiplyParts(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& gradient,
                   Tensor& out) {
  const int64_t parts = PartsOf(grid), inner = grid.from.images / parts * grid.pixels();
  const GemmSize size{grid.patch(), grid.to.depth, inner, parts};
  const GemmOperand x{images.raw(), true, false, inner * size.rows},
      y{gradient.raw(), false, false, inner * size.columns};
  if (!sums_in_parts.Chosen(parts > 1)) return Gemm(context, out.dtype(), size, x, y, out.mutable_raw());
  Tensor sums = context.Scratch(out.dtype(), Shape{parts, out.elements()});
  Gemm(context, out.dtype(), size, x, y, sums.mutable_raw());
  AddUp(context, sums, out);
}

}  // namespace

void ConvolvePatches(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& filter,
                     Tensor& out) {
  Tensor in_groups;
  const void* const factors = FilterInGroups(context, grid, filter, in_groups);
  ForSomeImages(grid, images.dtype(), [&](const PatchGrid& part, int64_t first) {
    Tensor gathered;
    const void* const patches = PatchesOf(context, part, images, first, gathered);
    MultiplyInto(context, part, patches, factors, first, out);
  });
}

void ConvolvePatchesToImages(GpuContext& context, const PatchGrid& grid, const Tensor& filter, const Tensor& gradient,
                             Tensor& out) {
  const DType type = out.dtype(), wide = WideType(type);
  Tensor wide_filter;
  const void* const factors =
      grid.IsPlain() ? filter.raw() : Widened(context, type, filter.raw(), filter.elements(), wide_filter);
  ForSomeImages(grid, wide, [&](const PatchGrid& part, int64_t first) {
    Tensor turned, widened;
    const GemmSize size{part.to.images * part.pixels(), part.patch(), part.to.depth, 1};
    const void* const lines = ChannelsLast(context, part, gradient, first, turned);
    const GemmOperand y{factors, true};
    if (part.IsPlain()) return Gemm(context, type, size, {lines}, y, At(out, first * part.pixels() * part.depth));
    const GemmOperand x{Widened(context, type, lines, size.rows * size.inner, widened)};
    Tensor patches = context.Scratch(wide, Shape{size.rows, size.columns});
    Gemm(context, wide, size, x, y, patches.mutable_raw());
    SumPatches(context, part, patches, first, out);
  });
}

void ConvolvePatchesToFilter(GpuContext& context, const PatchGrid& grid, const Tensor& images, const Tensor& gradient,
                             Tensor& out) {
  const DType type = out.dtype();
  if (grid.IsPlain() && WideType(type) == type && grid.from.images * grid.pixels() <= kMostRows) {
    return MultiplyParts(context, grid, images, gradient, out);
  }
  const int64_t at_once = grid.ImagesAtOnce(type), parts = (grid.from.images + at_once - 1) / at_once;
  if (parts == 1) return Multiply(context, grid, images, gradient, 0, type, At(out, 0));
  Tensor sums = context.Scratch(WideType(type), Shape{parts, out.elements()});
  ForSomeImages(grid, type, [&](const PatchGrid& part, int64_t first) {
    Multiply(context, part, images, gradient, first, sums.dtype(), At(sums, first / at_once * out.elements()));
  });
  AddUp(context, sums, out);
}

}  // namespace plumb::fast::GPU_NAMESPACE
