// Convolution as a matrix product: the windows of some output pixels, side by side, times the filter.
#include "fastpath/cpu/convolution/volume_convolution.h"

#include <algorithm>

#include "fastpath/cpu/lib/elementwise/add_loops.h"
#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/lib/linear/gemm.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kWorthwhile = int64_t{1} << 20;  // multiplications that pay for handing a piece over

constinit ChoicePoint lines_cut("convolution of volumes: windows of a volume at once, or in blocks");
constinit ChoicePoint volumes_together("convolution of volumes: windows of one volume at once, or of several");
constinit ChoicePoint several_volumes("convolution of volumes: pieces of one volume, or of several");

int64_t VolumesPerPiece(const VolumeConvolution& size) {
  const int64_t work = size.lines() * size.columns() * size.patch() * size.out_depth;
  const int64_t least = (size.batch + kMostPieces - 1) / kMostPieces;
  const int64_t volumes = std::min(size.batch, std::max(least, kWorthwhile / work + 1));
  several_volumes.Chosen(volumes > 1);
  return volumes;
}

// Volumes whose windows are gathered at a time, where they are not cut: as many as stay in the cache, so that a product
// sums over more pixels.
template <class T>
int64_t VolumesAtOnce(const VolumeConvolution& size) {
  const int64_t windows = size.lines() * size.columns() * size.patch() * static_cast<int64_t>(sizeof(T));
  const int64_t fitting = kPatchBytes / windows;
  return volumes_together.Chosen(fitting > 1) ? fitting : 1;
}

// Adds what volumes [begin, end) tell of the filter into `sum`, which is overwritten.
template <class T>
class FilterSum {
 public:
  explicit FilterSum(const VolumeConvolution& size)
      : size_(size),
        lines_(LinesAtOnce<T>(size, lines_cut)),
        together_(VolumesAtOnce<T>(size)),
        patches_(NewPatches<T>(size, lines_ * together_)),
        product_(Allocate(DTypeOf<T>, {size.patch() * size.out_depth})) {}

  void Run(int64_t begin, int64_t end, const T* input, const T* gradient, T* sum) {
    const int64_t weights = product_.elements();
    T* const term = product_.template mutable_data<T>().data();
    for (int64_t volume = begin; volume < end; volume += together_) {
      const int64_t count = std::min(together_, end - volume);
      for (int64_t first = 0; first < size_.lines(); first += lines_) {
        const int64_t last = std::min(size_.lines(), first + lines_);
        const bool is_first = volume == begin && first == 0;
        const T* const from = gradient + (volume * size_.lines() + first) * size_.columns() * size_.out_depth;
        Multiply(input + volume * size_.volume(), count, first, last, from, is_first ? sum : term);
        if (!is_first) add_(sum, term, sum, weights, Operands::kBoth);
      }
    }
  }

 private:
  // The product for lines [first, last) of `count` volumes, which are all lines where there are several.
  void Multiply(const T* input, int64_t count, int64_t first, int64_t last, const T* gradient, T* product) {
    const int64_t pixels = (last - first) * size_.columns();
    T* const patch = patches_.template mutable_data<T>().data();
    for (int64_t i = 0; i < count; ++i) {
      GatherPatches(size_, input + i * size_.volume(), first, last, patch + i * pixels * size_.patch());
    }
    SingleThreadedGemm(DenseGemm(size_.patch(), size_.out_depth, count * pixels, true, false), patch, gradient,
                       product);
  }

  const VolumeConvolution& size_;
  const int64_t lines_, together_;
  Tensor patches_, product_;
  const BinaryLoop add_ = AddLoop(DTypeOf<T>);
};

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
  const int64_t each = VolumesPerPiece(size), pieces = (size.batch + each - 1) / each;
  const int64_t weights = size.patch() * size.out_depth;
  Tensor parts = Allocate(DTypeOf<T>, {pieces, weights});
  T* const part = parts.template mutable_data<T>().data();
  pool.ParallelFor(pieces, 1, [&](int64_t begin, int64_t end) {
    FilterSum<T> sum(size);
    for (int64_t piece = begin; piece < end; ++piece) {
      sum.Run(piece * each, std::min(size.batch, (piece + 1) * each), input, gradient, part + piece * weights);
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
