// Convolution as a matrix product: the windows of some output pixels, side by side, times the filter.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "fastpath/cpu/lib/elementwise/add_loops.h"
#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/lib/image/patches.h"
#include "fastpath/cpu/lib/linear/gemm.h"
#include "fastpath/cpu/lib/parallel.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint patches_cut("convolution: windows of an image at once, or in blocks");
constinit ChoicePoint pieces_of_batch("convolution: the batch as a whole, or in pieces");
constinit ChoicePoint images_together("convolution: pieces of one image, or of several");
constinit ChoicePoint smaller_last("convolution: pieces of as many images, or a smaller last one");

PatchGrid GridOf(const ConvolutionSize& size) {
  const WindowAxis one_plane = {.input = 1, .output = 1};
  return {{{one_plane, size.rows, size.columns}}, size.in_depth};
}

template <class T>
bool AllFinite(const T* values, int64_t n) {
  if constexpr (std::is_floating_point_v<T>) {
    T sum = 0;  // stays zero, or becomes NaN
    for (int64_t i = 0; i < n; ++i) sum += values[i] * 0;
    return sum == 0;
  }
  return true;
}

}  // namespace

int64_t ConvolutionSize::ImagesPerPiece() const {
  constexpr double kWorthwhile = 1 << 22;
  const double wanted = std::clamp<double>(Work() * static_cast<double>(batch) / kWorthwhile, 1, kMostPieces);
  const auto pieces = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(wanted)));
  const int64_t images = (batch + pieces - 1) / pieces;
  if (pieces_of_batch.Chosen(images < batch)) {
    images_together.Chosen(images > 1);
    smaller_last.Chosen(batch % images != 0);
  }
  return images;
}

template <class T>
void SumParts(ThreadPool& pool, const T* parts, int64_t count, int64_t n, T* sum) {
  const BinaryLoop add = AddLoop(DTypeOf<T>);
  pool.ParallelFor(n, GrainFor(count), [&](int64_t begin, int64_t end) {
    std::copy(parts + begin, parts + end, sum + begin);
    for (int64_t part = 1; part < count; ++part) {
      add(sum + begin, parts + part * n + begin, sum + begin, end - begin, Operands::kBoth);
    }
  });
}

template <class T>
void PlainConvolution(ThreadPool& pool, const ConvolutionSize& size, const T* input, const T* filter, T* output) {
  if (size.IsPadded() && !AllFinite(filter, size.filter().elements())) {
    return DirectConvolution(pool, size, input, filter, output);
  }
  const PatchGrid grid = GridOf(size);
  const int64_t at_once = LinesAtOnce<T>(grid, patches_cut), output_row = size.columns.output * size.out_depth;
  pool.ParallelFor(size.batch, size.ImagesPerPiece(), [&](int64_t begin, int64_t end) {
    Tensor patches = NewPatches<T>(grid, at_once);
    T* const patch = patches.template mutable_data<T>().data();
    ForEachBlock(grid, at_once, begin, end, [&](int64_t image, int64_t first, int64_t last) {
      GatherPatches(grid, input + image * grid.volume(), first, last, patch);
      SingleThreadedGemm(DenseGemm((last - first) * grid.columns(), size.out_depth, grid.patch()), patch, filter,
                         output + (image * grid.lines() + first) * output_row);
    });
  });
}

template <class T>
void PlainConvolutionInputGradient(ThreadPool& pool, const ConvolutionSize& size, const T* filter, const T* gradient,
                                   T* input_gradient) {
  const PatchGrid grid = GridOf(size);
  const int64_t at_once = LinesAtOnce<T>(grid, patches_cut), output_row = size.columns.output * size.out_depth;
  pool.ParallelFor(size.batch, size.ImagesPerPiece(), [&](int64_t begin, int64_t end) {
    std::fill(input_gradient + begin * grid.volume(), input_gradient + end * grid.volume(), T());
    Tensor patches = NewPatches<T>(grid, at_once);
    T* const patch = patches.template mutable_data<T>().data();
    ForEachBlock(grid, at_once, begin, end, [&](int64_t image, int64_t first, int64_t last) {
      SingleThreadedGemm(DenseGemm((last - first) * grid.columns(), grid.patch(), size.out_depth, false, true),
                         gradient + (image * grid.lines() + first) * output_row, filter, patch);
      AddPatches(grid, patch, first, last, input_gradient + image * grid.volume());
    });
  });
}

template <class T>
void PlainConvolutionFilterGradient(ThreadPool& pool, const ConvolutionSize& size, const T* input, const T* gradient,
                                    T* filter_gradient) {
  if (size.IsPadded() && !AllFinite(gradient, size.output().elements())) {
    return DirectConvolutionFilterGradient(pool, size, input, gradient, filter_gradient);
  }
  const PatchGrid grid = GridOf(size);
  const int64_t at_once = LinesAtOnce<T>(grid, patches_cut), output_row = size.columns.output * size.out_depth;
  const int64_t each = size.ImagesPerPiece(), pieces = (size.batch + each - 1) / each;
  const int64_t weights = grid.patch() * size.out_depth;
  Tensor parts = Allocate(DTypeOf<T>, {pieces, weights});
  T* const part = parts.template mutable_data<T>().data();
  pool.ParallelFor(pieces, 1, [&](int64_t begin, int64_t end) {
    Tensor patches = NewPatches<T>(grid, at_once), product = Allocate(DTypeOf<T>, {weights});
    T* const patch = patches.template mutable_data<T>().data();
    T* const term = product.template mutable_data<T>().data();
    for (int64_t piece = begin; piece < end; ++piece) {
      T* const sum = part + piece * weights;
      std::fill_n(sum, weights, T());
      ForEachBlock(grid, at_once, piece * each, std::min(size.batch, (piece + 1) * each),
                   [&](int64_t image, int64_t first, int64_t last) {
                     GatherPatches(grid, input + image * grid.volume(), first, last, patch);
                     SingleThreadedGemm(
                         DenseGemm(grid.patch(), size.out_depth, (last - first) * grid.columns(), true, false), patch,
                         gradient + (image * grid.lines() + first) * output_row, term);
                     for (int64_t i = 0; i < weights; ++i) sum[i] = WrappedSum(sum[i], term[i]);
                   });
    }
  });
  SumParts(pool, part, pieces, weights, filter_gradient);
}

#define PLUMB_INSTANTIATE(T)                                                                                   \
  template void SumParts<T>(ThreadPool&, const T*, int64_t, int64_t, T*);                                      \
  template void PlainConvolution<T>(ThreadPool&, const ConvolutionSize&, const T*, const T*, T*);              \
  template void PlainConvolutionInputGradient<T>(ThreadPool&, const ConvolutionSize&, const T*, const T*, T*); \
  template void PlainConvolutionFilterGradient<T>(ThreadPool&, const ConvolutionSize&, const T*, const T*, T*);
PLUMB_INSTANTIATE(float)
PLUMB_INSTANTIATE(double)
PLUMB_INSTANTIATE(int32_t)
#undef PLUMB_INSTANTIATE

}  // namespace plumb::fast::cpu
