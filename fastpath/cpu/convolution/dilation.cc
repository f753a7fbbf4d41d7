// Dilation2D and its two gradients.
#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/windows.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/convolution/window_rules.h"

namespace plumb::fast::cpu {
namespace {

// How sums of an element type are made. 16-bit ones are computed in float and rounded: equal sums are ties.
template <class T>
struct Element {
  using Wide = T;
  static T Lowest() { return std::numeric_limits<T>::lowest(); }
  static T Sum(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    } else {
      return a + b;
    }
  }
};
template <>
struct Element<Half> {
  using Wide = float;
  static float Lowest() { return -65504.0F; }
  static float Sum(float a, float b) { return static_cast<float>(Half(a + b)); }
};
template <>
struct Element<BFloat16> {
  using Wide = float;
  static float Lowest() { return -0x1.fep127F; }
  static float Sum(float a, float b) { return static_cast<float>(BFloat16(a + b)); }
};

// Calls f(Element<T>()) for a real element type.
template <class F>
void VisitElement(DType dtype, const F& f) {
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    constexpr bool is_real = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
    if constexpr (is_real || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) f(Element<T>());
  });
}

struct DilationSize {
  int64_t batch = 0, depth = 0;
  WindowAxis rows, columns;

  Shape output() const { return {batch, rows.output, columns.output, depth}; }
  int64_t image() const { return rows.input * columns.input * depth; }
  int64_t RowWork() const { return columns.output * rows.window * columns.window * depth; }
};

// The places of one window: where each begins in its image, and in the filter.
struct Place {
  int64_t input, filter;
};
void PlacesOf(const DilationSize& size, int64_t o, int64_t p, std::vector<Place>& places) {
  const WindowAxis &rows = size.rows, &columns = size.columns;
  places.clear();
  for (int64_t k = rows.First(o); k < rows.Last(o); ++k) {
    const int64_t row = (rows.Start(o) + k * rows.dilation) * columns.input;
    for (int64_t l = columns.First(p); l < columns.Last(p); ++l) {
      places.push_back(
          {(row + columns.Start(p) + l * columns.dilation) * size.depth, (k * columns.window + l) * size.depth});
    }
  }
}
// Where the gradient of a window goes in which no sum is the largest: to its first element; −1: to none.
int64_t Beginning(const DilationSize& size, int64_t o, int64_t p) {
  const int64_t i = std::max<int64_t>(0, size.rows.Start(o)), j = std::max<int64_t>(0, size.columns.Start(p));
  return i < size.rows.input && j < size.columns.input ? (i * size.columns.input + j) * size.depth : -1;
}

class DilationKernel : public Kernel {
 public:
  explicit DilationKernel(const Node& node)
      : node_(node),
        strides_(FourInts(node, "strides")),
        rates_(FourInts(node, "rates")),
        padding_(PaddingOf(node)),
        dtype_(InputType(node, 0)) {
    CheckDilation(node);
  }

 protected:
  DilationSize SizeOf(const Shape& input, const Shape& filter) const {
    CheckDilated(input, filter);
    DilationSize size;
    size.batch = input[0];
    size.depth = input[3];
    size.rows =
        Placed({.input = input[1], .window = filter[0], .stride = strides_[1], .dilation = rates_[1]}, padding_);
    size.columns =
        Placed({.input = input[2], .window = filter[1], .stride = strides_[2], .dilation = rates_[2]}, padding_);
    return size;
  }
  DilationSize GradientSizeOf(const KernelContext& context) const {
    const DilationSize size = SizeOf(context.input(0).shape(), context.input(1).shape());
    RequireGradientShape(context.input(2).shape(), size.output());
    return size;
  }

  // Calls visit(row, column, channel, place or null) for the windows of output rows [begin, end), counted over all
  // images: the place of the first of the largest sums.
  template <class E, class F>
  static void ForEachPeak(const DilationSize& size, const typename E::Wide* x, const typename E::Wide* w, int64_t begin,
                          int64_t end, const F& visit) {
    std::vector<Place> places;
    for (int64_t row = begin; row < end; ++row) {
      const auto* const image = x + row / size.rows.output * size.image();
      for (int64_t p = 0; p < size.columns.output; ++p) {
        PlacesOf(size, row % size.rows.output, p, places);
        for (int64_t c = 0; c < size.depth; ++c) {
          const Place* peak = nullptr;
          auto largest = E::Lowest();
          for (const Place& place : places) {
            const auto sum = E::Sum(image[place.input + c], w[place.filter + c]);
            if (sum > largest) {
              largest = sum;
              peak = &place;
            }
          }
          visit(row, p, c, peak);
        }
      }
    }
  }

  const Node node_;
  const std::array<int64_t, 4> strides_, rates_;
  const Padding padding_;
  const DType dtype_;
};

class DilationForwardKernel : public DilationKernel {
 public:
  using DilationKernel::DilationKernel;

  void Run(KernelContext& context) override {
    const DilationSize size = SizeOf(context.input(0).shape(), context.input(1).shape());
    const Tensor input = AsFloat(context.pool(), context.input(0)), filter = AsFloat(context.pool(), context.input(1));
    Tensor output = Allocate(ComputeType(dtype_), size.output());
    VisitElement(dtype_, [&](auto element) {
      using E = decltype(element);
      using T = typename E::Wide;
      const T *const x = input.data<T>().data(), *const w = filter.data<T>().data();
      T* const y = output.mutable_data<T>().data();
      context.pool().ParallelFor(size.batch * size.rows.output, GrainFor(size.RowWork()),
                                 [&](int64_t begin, int64_t end) { Dilate<E>(size, x, w, begin, end, y); });
    });
    context.SetOutput(0, RoundedTo(context.pool(), dtype_, std::move(output)));
  }

 private:
  template <class E, class T = typename E::Wide>
  static void Dilate(const DilationSize& size, const T* x, const T* w, int64_t begin, int64_t end, T* y) {
    std::vector<Place> places;
    for (int64_t row = begin; row < end; ++row) {
      const T* const image = x + row / size.rows.output * size.image();
      for (int64_t p = 0; p < size.columns.output; ++p) {
        PlacesOf(size, row % size.rows.output, p, places);
        T* const out = y + (row * size.columns.output + p) * size.depth;
        std::fill_n(out, size.depth, E::Lowest());
        for (const Place& place : places) {
          const T *const here = image + place.input, *const under = w + place.filter;
          for (int64_t c = 0; c < size.depth; ++c) {
            const T sum = E::Sum(here[c], under[c]);
            out[c] = sum > out[c] ? sum : out[c];
          }
        }
      }
    }
  }
};

class DilationInputGradientKernel : public DilationKernel {
 public:
  using DilationKernel::DilationKernel;

  void Run(KernelContext& context) override {
    const DilationSize size = GradientSizeOf(context);
    const Tensor input = AsFloat(context.pool(), context.input(0)), filter = AsFloat(context.pool(), context.input(1));
    const Tensor gradient = AsFloat(context.pool(), context.input(2));
    Tensor result = AllocateZeros(context.pool(), ComputeType(dtype_), input.shape());
    VisitElement(dtype_, [&](auto element) {
      using E = decltype(element);
      using T = typename E::Wide;
      const T *const x = input.data<T>().data(), *const w = filter.data<T>().data();
      const T* const dy = gradient.data<T>().data();
      T* const dx = result.mutable_data<T>().data();
      const int64_t rows = size.rows.output;
      const auto add = [&](int64_t row, int64_t p, int64_t c, const Place* peak) {
        const int64_t at = peak != nullptr ? peak->input : Beginning(size, row % rows, p);
        if (at < 0) return;
        T& to = dx[row / rows * size.image() + at + c];
        to = Element<T>::Sum(to, dy[(row * size.columns.output + p) * size.depth + c]);
      };
      // Each image on its own: windows that overlap add to the same elements.
      context.pool().ParallelFor(size.batch, GrainFor(size.RowWork() * rows), [&](int64_t begin, int64_t end) {
        ForEachPeak<E>(size, x, w, begin * rows, end * rows, add);
      });
    });
    context.SetOutput(0, RoundedTo(context.pool(), dtype_, std::move(result)));
  }
};

class DilationFilterGradientKernel : public DilationKernel {
 public:
  using DilationKernel::DilationKernel;

  void Run(KernelContext& context) override {
    const DilationSize size = GradientSizeOf(context);
    const Tensor input = AsFloat(context.pool(), context.input(0)), filter = AsFloat(context.pool(), context.input(1));
    const Tensor gradient = AsFloat(context.pool(), context.input(2));
    Tensor result = AllocateZeros(context.pool(), ComputeType(dtype_), filter.shape());
    VisitElement(dtype_, [&](auto element) {
      using E = decltype(element);
      using T = typename E::Wide;
      const T *const x = input.data<T>().data(), *const w = filter.data<T>().data();
      const T* const dy = gradient.data<T>().data();
      T* const dw = result.mutable_data<T>().data();
      if (filter.elements() == 0) return;
      // All windows add to one filter: on one thread, in order.
      ForEachPeak<E>(size, x, w, 0, size.batch * size.rows.output,
                     [&](int64_t row, int64_t p, int64_t c, const Place* peak) {
                       T& to = dw[(peak != nullptr ? peak->filter : 0) + c];
                       to = Element<T>::Sum(to, dy[(row * size.columns.output + p) * size.depth + c]);
                     });
    });
    context.SetOutput(0, RoundedTo(context.pool(), dtype_, std::move(result)));
  }
};

constexpr KernelRow kRows[] = {
    {"Dilation2D", Make<DilationForwardKernel>},
    {"Dilation2DBackpropInput", Make<DilationInputGradientKernel>},
    {"Dilation2DBackpropFilter", Make<DilationFilterGradientKernel>},
};

}  // namespace

std::span<const KernelRow> ConvolutionDilation() { return kRows; }

}  // namespace plumb::fast::cpu
