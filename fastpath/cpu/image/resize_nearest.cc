#include <algorithm>
#include <cmath>

#include "fastpath/cpu/image/resizing.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/words.h"

namespace plumb::fast::cpu {
namespace {

// For each pixel of the target, that of the source.
std::vector<int64_t> NearestOf(const Places& places, const Axis& axis) {
  std::vector<int64_t> nearest(static_cast<size_t>(axis.target));
  for (int64_t i = 0; i < axis.target; ++i) {
    const auto at = static_cast<float>(i);
    const float place = (places.half_pixel_centers() ? at + 0.5f : at) * axis.scale;
    const float pixel = places.align_corners() ? std::round(place) : std::floor(place);
    nearest[static_cast<size_t>(i)] = std::clamp<int64_t>(static_cast<int64_t>(pixel), 0, axis.source - 1);
  }
  return nearest;
}

class ResizeNearest final : public Kernel {
 public:
  explicit ResizeNearest(const Node& node) : places_(node), type_(InputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Resizing r = places_.Forward(context.input(0).shape(), context.input(1));
    Tensor& output = context.AllocateOutput(0, type_, r.target_shape());
    if (output.elements() == 0) return;
    const auto rows = NearestOf(places_, r.height), columns = NearestOf(places_, r.width);
    VisitWord(type_, [&](auto tag) {
      using Word = typename decltype(tag)::Type;
      const auto* const from = static_cast<const Word*>(context.input(0).raw());
      auto* const to = static_cast<Word*>(output.mutable_raw());
      context.pool().ParallelFor(r.batch * r.height.target, GrainFor(r.target_row()), [&](int64_t begin, int64_t end) {
        ForEachRow(r, begin, end, [&](int64_t image, int64_t y, int64_t i) {
          const Word* const row = from + (image * r.height.source + rows[static_cast<size_t>(y)]) * r.source_row();
          Word* pixel = to + i * r.target_row();
          for (const int64_t column : columns) pixel = std::copy_n(row + column * r.channels, r.channels, pixel);
        });
      });
    });
  }

 private:
  const Places places_;
  const DType type_;
};

template <class T>
class ResizeNearestGrad final : public Kernel {
 public:
  explicit ResizeNearestGrad(const Node& node) : places_(node) {}

  void Run(KernelContext& context) override {
    const Resizing r = places_.BackwardToSize(context.input(0).shape(), context.input(1));
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, r.source_shape());
    if (output.elements() == 0) return;
    const auto rows = NearestOf(places_, r.height), columns = NearestOf(places_, r.width);
    const T* const from = context.input(0).data<T>().data();
    T* const to = output.mutable_data<T>().data();
    // The images are apart from each other, and within one the rows of the target that meet one of the source follow
    // one another.
    const int64_t work = r.height.target * r.target_row() + r.height.source * r.source_row();
    context.pool().ParallelFor(r.batch, GrainFor(work), [&](int64_t begin, int64_t end) {
      std::vector<Accumulator> sums(static_cast<size_t>(r.source_row()));
      for (int64_t image = begin; image < end; ++image) AddImage(r, rows, columns, from, to, image, sums);
    });
  }

 private:
  using Accumulator = std::conditional_t<kIsFloat16<T>, float, T>;

  static void AddImage(const Resizing& r, const std::vector<int64_t>& rows, const std::vector<int64_t>& columns,
                       const T* from, T* to, int64_t image, std::vector<Accumulator>& sums) {
    int64_t y = 0;
    for (int64_t row = 0; row < r.height.source; ++row) {
      std::fill(sums.begin(), sums.end(), Accumulator(0));
      for (; y < r.height.target && rows[static_cast<size_t>(y)] == row; ++y) {
        const T* gradient = from + (image * r.height.target + y) * r.target_row();
        for (const int64_t column : columns) {
          Accumulator* const sum = sums.data() + column * r.channels;
          for (int64_t c = 0; c < r.channels; ++c) sum[c] = Sum(sum[c], static_cast<Accumulator>(*gradient++));
        }
      }
      T* const target = to + (image * r.height.source + row) * r.source_row();
      for (size_t i = 0; i < sums.size(); ++i) target[i] = static_cast<T>(sums[i]);
    }
  }
  // Integers wrap around.
  static Accumulator Sum(Accumulator a, Accumulator b) {
    if constexpr (std::is_integral_v<Accumulator>) {
      using Ring = std::make_unsigned_t<Accumulator>;
      return static_cast<Accumulator>(static_cast<Ring>(static_cast<Ring>(a) + static_cast<Ring>(b)));
    } else {
      return a + b;
    }
  }

  const Places places_;
};

constexpr KernelRow kRows[] = {
    {"ResizeNearestNeighbor", Make<ResizeNearest>},
    {"ResizeNearestNeighborGrad", MakeForPixels<ResizeNearestGrad, PixelTypes, 0>},
};

}  // namespace

std::span<const KernelRow> ImageResizeNearest() { return kRows; }

}  // namespace plumb::fast::cpu
