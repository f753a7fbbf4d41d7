// Convolution as a matrix product: the windows of some output pixels, side by side, times the filter.
#include "fastpath/cpu/convolution/volume_convolution.h"

#include <algorithm>

#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/lib/linear/gemm.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kWorthwhile = int64_t{1} << 20;  // multiplications that pay for handing a piece over

constinit ChoicePoint lines_cut("convolution of volumes: windows of a volume at once, or in blocks");
constinit ChoicePoint several_volumes("convolution of volumes: pieces of one volume, or of several");

int64_t VolumesPerPiece(const VolumeConvolution& size) {
  const int64_t work = size.lines() * size.columns() * size.patch() * size.out_depth;
  const int64_t least = (size.batch + kMostPieces - 1) / kMostPieces;
  const int64_t volumes = std::min(size.batch, std::max(least, kWorthwhile / work + 1));
  several_volumes.Chosen(volumes > 1);
  return volumes;
}

}  // namespace

template <class T>
void Convolve(ThreadPool& pool, const VolumeConvolution& size, const T* input, const T* filter, T* output) {
  const int64_t at_once = LinesAtOnce<T>(size, lines_cut), blocks = (size.lines() + at_once - 1) / at_once;
  const int64_t block_work = at_once * size.columns() * size.patch() * size.out_depth;
  pool.ParallelFor(size.batch * blocks, kWorthwhile / block_work + 1, [&](int64_t begin, int64_t end) {
    Tensor patches = NewPatches<T>(size, at_once);
    T* const patch = patches.template mutable_data<T>().data();
    for (int64_t block = begin; block < end; ++block) {
      const int64_t volume = block / blocks, first = block % blocks * at_once;
      const int64_t last = std::min(size.lines(), first + at_once);
      GatherPatches(size, input + volume * size.volume(), first, last, patch);
      SingleThreadedGemm(DenseGemm((last - first) * size.columns(), size.out_depth, size.patch()), patch, filter,
                         output + (volume * size.lines() + first) * size.columns() * size.out_depth);
    }
  });
}

template <class T>
void ConvolveToInput(ThreadPool& pool, const VolumeConvolution& size, const T* filter, const T* gradient,
                     T* input_gradient) {
  const int64_t at_once = LinesAtOnce<T>(size, lines_cut);
  pool.ParallelFor(size.batch, VolumesPerPiece(size), [&](int64_t begin, int64_t end) {
    std::fill(input_gradient + begin * size.volume(), input_gradient + end * size.volume(), T());
    Tensor patches = NewPatches<T>(size, at_once);
    T* const patch = patches.template mutable_data<T>().data();
    ForEachBlock(size, at_once, begin, end, [&](int64_t volume, int64_t first, int64_t last) {
      SingleThreadedGemm(DenseGemm((last - first) * size.columns(), size.patch(), size.out_depth, false, true),
                         gradient + (volume * size.lines() + first) * size.columns() * size.out_depth, filter, patch);
      AddPatches(size, patch, first, last, input_gradient + volume * size.volume());
    });
  });
}

template <class T>
void ConvolveToFilter(ThreadPool& pool, const VolumeConvolution& size, const T* input, const T* gradient,
                      T* filter_gradient) {
  const int64_t at_once = LinesAtOnce<T>(size, lines_cut);
  const int64_t each = VolumesPerPiece(size), pieces = (size.batch + each - 1) / each;
  const int64_t weights = size.patch() * size.out_depth;
  Tensor parts = Allocate(DTypeOf<T>, {pieces, weights});
  T* const part = parts.template mutable_data<T>().data();
  pool.ParallelFor(pieces, 1, [&](int64_t begin, int64_t end) {
    Tensor patches = NewPatches<T>(size, at_once), product = Allocate(DTypeOf<T>, {weights});
    T* const patch = patches.template mutable_data<T>().data();
    T* const term = product.template mutable_data<T>().data();
    for (int64_t piece = begin; piece < end; ++piece) {
      T* const sum = part + piece * weights;
      std::fill_n(sum, weights, T());
      const auto add_block = [&](int64_t volume, int64_t first, int64_t last) {
        GatherPatches(size, input + volume * size.volume(), first, last, patch);
        SingleThreadedGemm(DenseGemm(size.patch(), size.out_depth, (last - first) * size.columns(), true, false), patch,
                           gradient + (volume * size.lines() + first) * size.columns() * size.out_depth, term);
        for (int64_t i = 0; i < weights; ++i) sum[i] += term[i];
      };
      ForEachBlock(size, at_once, piece * each, std::min(size.batch, (piece + 1) * each), add_block);
    }
  });
  SumParts(pool, part, pieces, weights, filter_gradient);
}

#define PLUMB_INSTANTIATE(T)                                                                       \
  template void Convolve<T>(ThreadPool&, const VolumeConvolution&, const T*, const T*, T*);        \
  template void ConvolveToInput<T>(ThreadPool&, const VolumeConvolution&, const T*, const T*, T*); \
  template void ConvolveToFilter<T>(ThreadPool&, const VolumeConvolution&, const T*, const T*, T*);
PLUMB_INSTANTIATE(float)
PLUMB_INSTANTIATE(double)
#undef PLUMB_INSTANTIATE

}  // namespace plumb::fast::cpu
