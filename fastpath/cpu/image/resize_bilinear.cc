#include <algorithm>
#include <cmath>

#include "fastpath/cpu/image/resizing.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/row_loops.h"

namespace plumb::fast::cpu {
namespace {

// The two pixels of the source that a place is between, and how far it is from the lower one.
struct Between {
  int64_t lower, upper;
  float fraction;
};

std::vector<Between> NeighboursOf(const Places& places, const Axis& axis) {
  std::vector<Between> neighbours(static_cast<size_t>(axis.target));
  const int64_t last = axis.source - 1;
  for (int64_t i = 0; i < axis.target; ++i) {
    const float place = places.Of(axis, i), floor = std::floor(place);
    neighbours[static_cast<size_t>(i)] = {std::clamp<int64_t>(static_cast<int64_t>(floor), 0, last),
                                          std::clamp<int64_t>(static_cast<int64_t>(std::ceil(place)), 0, last),
                                          place - floor};
  }
  return neighbours;
}

template <class T>
class ResizeBilinear final : public Kernel {
 public:
  explicit ResizeBilinear(const Node& node) : places_(node) {}

  void Run(KernelContext& context) override {
    const Resizing r = places_.Forward(context.input(0).shape(), context.input(1));
    Tensor& output = context.AllocateOutput(0, DType::kFloat, r.target_shape());
    if (output.elements() == 0) return;
    const T* const from = context.input(0).data<T>().data();
    float* const to = output.mutable_data<float>().data();
    if (r.source_shape() == r.target_shape()) {
      return context.pool().ParallelFor(output.elements(), GrainFor(1), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) to[i] = static_cast<float>(from[i]);
      });
    }
    const auto rows = NeighboursOf(places_, r.height), columns = NeighboursOf(places_, r.width);
    const int64_t work = 4 * r.target_row();
    context.pool().ParallelFor(r.batch * r.height.target, GrainFor(work), [&](int64_t begin, int64_t end) {
      RowCache cache(r, columns, from);
      ForEachRow(r, begin, end, [&](int64_t image, int64_t y, int64_t i) {
        const Between& row = rows[static_cast<size_t>(y)];
        const float* const above = cache.Row(0, image * r.height.source + row.lower);
        const float* const below = cache.Row(1, image * r.height.source + row.upper);
        float* const target = to + i * r.target_row();
        for (int64_t k = 0; k < r.target_row(); ++k) target[k] = above[k] + (below[k] - above[k]) * row.fraction;
      });
    });
  }

 private:
  // The last rows of the source that were stretched to the width of the target: rows of the target share them.
  class RowCache {
   public:
    RowCache(const Resizing& r, const std::vector<Between>& columns, const T* from)
        : r_(r), columns_(columns), from_(from) {
      for (auto& row : rows_) row.resize(static_cast<size_t>(r.target_row()));
    }

    const float* Row(int slot, int64_t row) {
      if (held_[slot] == row) return rows_[slot].data();
      if (held_[1 - slot] == row) {
        std::swap(held_[0], held_[1]);
        rows_[0].swap(rows_[1]);
        return rows_[slot].data();
      }
      held_[slot] = row;
      Stretch(from_ + row * r_.source_row(), rows_[slot].data());
      return rows_[slot].data();
    }

   private:
    void Stretch(const T* row, float* to) const {
      for (const Between& column : columns_) {
        const T* const left = row + column.lower * r_.channels;
        const T* const right = row + column.upper * r_.channels;
        for (int64_t c = 0; c < r_.channels; ++c) {
          const auto l = static_cast<float>(left[c]);
          *to++ = l + (static_cast<float>(right[c]) - l) * column.fraction;
        }
      }
    }

    const Resizing& r_;
    const std::vector<Between>& columns_;
    const T* const from_;
    std::vector<float> rows_[2];
    int64_t held_[2] = {-1, -1};
  };

  const Places places_;
};

template <class T>
class ResizeBilinearGrad final : public Kernel {
 public:
  explicit ResizeBilinearGrad(const Node& node) : places_(node) {}

  void Run(KernelContext& context) override {
    const Resizing r = places_.BackwardToImages(context.input(0).shape(), context.input(1).shape());
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, r.source_shape());
    if (output.elements() == 0) return;
    const auto rows = NeighboursOf(places_, r.height), columns = NeighboursOf(places_, r.width);
    const float* const from = context.input(0).data<float>().data();
    T* const to = output.mutable_data<T>().data();
    const int64_t size = r.height.source * r.source_row();
    const int64_t work = 8 * r.height.target * r.target_row() + size;
    context.pool().ParallelFor(r.batch, GrainFor(work), [&](int64_t begin, int64_t end) {
      RowSums sums(r, columns);
      std::vector<Accumulator> beside(kInPlace ? 0 : static_cast<size_t>(size));
      for (int64_t image = begin; image < end; ++image) {
        T* const target = to + image * size;
        Accumulator* const source = SumsOf(target, beside);
        std::fill_n(source, size, Accumulator(0));
        sums.AddImage(rows, from + image * r.height.target * r.target_row(), source);
        for (size_t i = 0; i < beside.size(); ++i) target[i] = static_cast<T>(beside[i]);
      }
    });
  }

 private:
  using Accumulator = std::conditional_t<kIsFloat16<T>, float, T>;
  static constexpr bool kInPlace = std::is_same_v<Accumulator, T>;

  // Where an image is added up: in the output, or beside it if it has fewer bits.
  static Accumulator* SumsOf(T* target, std::vector<Accumulator>& beside) {
    if constexpr (kInPlace) {
      return target;
    } else {
      return beside.data();
    }
  }

  // What two neighbouring rows of the source are given, in the width of the target: rows of the target come in order,
  // so that a row of the source is narrowed once they have passed it.
  class RowSums {
   public:
    RowSums(const Resizing& r, const std::vector<Between>& columns) : r_(r), columns_(columns) {
      for (auto& row : rows_) row.resize(static_cast<size_t>(r.target_row()));
    }

    // Adds the gradient of an image to `source`.
    void AddImage(const std::vector<Between>& rows, const float* gradient, Accumulator* source) {
      for (const Between& row : rows) {
        const Accumulator* const line = AsAccumulators(gradient);
        gradient += r_.target_row();
        AddMultiple(line, 1.0f - row.fraction, r_.target_row(), Row(0, row.lower, source));
        AddMultiple(line, row.fraction, r_.target_row(), Row(1, row.upper, source));
      }
      for (const int slot : {0, 1}) Narrow(slot, source);
    }

   private:
    const Accumulator* AsAccumulators(const float* line) {
      if constexpr (std::is_same_v<Accumulator, float>) {
        return line;
      } else {
        line_.assign(line, line + r_.target_row());
        return line_.data();
      }
    }

    // The sums for a row of the source, in this slot from now on: a row is in one slot at most.
    Accumulator* Row(int slot, int64_t row, Accumulator* source) {
      if (held_[slot] != row && held_[1 - slot] == row) {
        std::swap(held_[0], held_[1]);
        rows_[0].swap(rows_[1]);
      }
      if (held_[slot] != row) {
        Narrow(slot, source);
        held_[slot] = row;
      }
      return rows_[slot].data();
    }

    // Adds the sums in a slot to their row of the source, and empties it.
    void Narrow(int slot, Accumulator* source) {
      if (held_[slot] < 0) return;
      Accumulator* const to = source + held_[slot] * r_.source_row();
      const Accumulator* from = rows_[slot].data();
      for (const Between& column : columns_) {
        Accumulator* const left = to + column.lower * r_.channels;
        Accumulator* const right = to + column.upper * r_.channels;
        for (int64_t c = 0; c < r_.channels; ++c, ++from) {
          left[c] += *from * (1.0f - column.fraction);
          right[c] += *from * column.fraction;
        }
      }
      std::fill(rows_[slot].begin(), rows_[slot].end(), Accumulator(0));
      held_[slot] = -1;
    }

    const Resizing& r_;
    const std::vector<Between>& columns_;
    std::vector<Accumulator> rows_[2], line_;
    int64_t held_[2] = {-1, -1};
  };

  const Places places_;
};

constexpr KernelRow kRows[] = {
    {"ResizeBilinear", MakeForPixels<ResizeBilinear, PixelTypes, 0>},
    {"ResizeBilinearGrad", MakeForPixels<ResizeBilinearGrad, FloatTypes, 1>},
};

}  // namespace

std::span<const KernelRow> ImageResizeBilinear() { return kRows; }

}  // namespace plumb::fast::cpu
