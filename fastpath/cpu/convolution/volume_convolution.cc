// Convolution as a matrix product: the windows of some output pixels, side by side, times the filter.
#include "fastpath/cpu/convolution/volume_convolution.h"

#include <algorithm>

#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/lib/linear/gemm.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kPatchBytes = 512 * 1024;        // windows gathered at a time
constexpr int64_t kWorthwhile = int64_t{1} << 20;  // multiplications that pay for handing a piece over

constinit ChoicePoint lines_cut("convolution of volumes: windows of a volume at once, or in blocks");
constinit ChoicePoint several_volumes("convolution of volumes: pieces of one volume, or of several");

// Lines whose windows are gathered at a time.
template <class T>
int64_t LinesAtOnce(const VolumeConvolution& size) {
  const int64_t line = size.columns() * size.patch() * static_cast<int64_t>(sizeof(T));
  const int64_t fitting = kPatchBytes / line;
  return lines_cut.Chosen(fitting < size.lines()) ? std::max<int64_t>(1, fitting) : size.lines();
}

template <class T>
Tensor NewPatches(const VolumeConvolution& size) {
  return Allocate(DTypeOf<T>, {LinesAtOnce<T>(size) * size.columns(), size.patch()});
}

int64_t VolumesPerPiece(const VolumeConvolution& size) {
  const int64_t work = size.lines() * size.columns() * size.patch() * size.out_depth;
  const int64_t least = (size.batch + kMostPieces - 1) / kMostPieces;
  const int64_t volumes = std::min(size.batch, std::max(least, kWorthwhile / work + 1));
  several_volumes.Chosen(volumes > 1);
  return volumes;
}

// Calls visit(patch offset, volume offset) for every place of the windows of lines [first, last) of a volume; the
// volume offset is −1 where the place is padding. Each place is in_depth elements.
template <class F>
void ForEachPlace(const VolumeConvolution& size, int64_t first, int64_t last, const F& visit) {
  const WindowAxis &planes = size.axes[0], &rows = size.axes[1], &columns = size.axes[2];
  const auto inside = [](const WindowAxis& axis, int64_t at) { return at >= 0 && at < axis.input; };
  int64_t patch = 0;
  for (int64_t line = first; line < last; ++line) {
    const int64_t plane_start = planes.Start(line / rows.output), row_start = rows.Start(line % rows.output);
    for (int64_t q = 0; q < columns.output; ++q) {
      for (int64_t k = 0; k < planes.window; ++k) {
        const int64_t plane = plane_start + k * planes.dilation;
        for (int64_t l = 0; l < rows.window; ++l) {
          const int64_t row = row_start + l * rows.dilation;
          const bool row_inside = inside(planes, plane) && inside(rows, row);
          const int64_t start = (plane * rows.input + row) * columns.input;
          for (int64_t m = 0; m < columns.window; ++m, patch += size.in_depth) {
            const int64_t column = columns.Start(q) + m * columns.dilation;
            visit(patch, row_inside && inside(columns, column) ? (start + column) * size.in_depth : -1);
          }
        }
      }
    }
  }
}

template <class T>
void GatherPatches(const VolumeConvolution& size, const T* volume, int64_t first, int64_t last, T* patches) {
  ForEachPlace(size, first, last, [&](int64_t patch, int64_t at) {
    if (at < 0) {
      std::fill_n(patches + patch, size.in_depth, T());
    } else {
      std::copy_n(volume + at, size.in_depth, patches + patch);
    }
  });
}

template <class T>
void AddPatches(const VolumeConvolution& size, const T* patches, int64_t first, int64_t last, T* volume) {
  ForEachPlace(size, first, last, [&](int64_t patch, int64_t at) {
    if (at < 0) return;
    for (int64_t c = 0; c < size.in_depth; ++c) volume[at + c] += patches[patch + c];
  });
}

// Calls body(volume, first line, last line) for blocks of lines of the volumes [begin, end).
template <class T, class Body>
void ForEachBlock(const VolumeConvolution& size, int64_t begin, int64_t end, const Body& body) {
  const int64_t lines = LinesAtOnce<T>(size);
  for (int64_t volume = begin; volume < end; ++volume) {
    for (int64_t line = 0; line < size.lines(); line += lines) {
      body(volume, line, std::min(size.lines(), line + lines));
    }
  }
}

}  // namespace

template <class T>
void Convolve(ThreadPool& pool, const VolumeConvolution& size, const T* input, const T* filter, T* output) {
  const int64_t at_once = LinesAtOnce<T>(size), blocks = (size.lines() + at_once - 1) / at_once;
  const int64_t block_work = at_once * size.columns() * size.patch() * size.out_depth;
  pool.ParallelFor(size.batch * blocks, kWorthwhile / block_work + 1, [&](int64_t begin, int64_t end) {
    Tensor patches = NewPatches<T>(size);
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
  pool.ParallelFor(size.batch, VolumesPerPiece(size), [&](int64_t begin, int64_t end) {
    std::fill(input_gradient + begin * size.volume(), input_gradient + end * size.volume(), T());
    Tensor patches = NewPatches<T>(size);
    T* const patch = patches.template mutable_data<T>().data();
    ForEachBlock<T>(size, begin, end, [&](int64_t volume, int64_t first, int64_t last) {
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
    Tensor patches = NewPatches<T>(size), product = Allocate(DTypeOf<T>, {weights});
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
      ForEachBlock<T>(size, piece * each, std::min(size.batch, (piece + 1) * each), add_block);
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
