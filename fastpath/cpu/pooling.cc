// MaxPool, AvgPool and their gradients, on NHWC images; NCHW ones are turned around first.
#include <algorithm>
#include <cstring>
#include <limits>

#include "fastpath/cpu/convolution.h"
#include "fastpath/cpu/dispatch.h"
#include "fastpath/cpu/half_convert.h"
#include "fastpath/cpu/parallel.h"
#include "fastpath/cpu/pooling_loops.h"
#include "fastpath/cpu/printed.h"

namespace plumb::fast {
namespace {

struct PoolingSize {
  int64_t batch = 0, depth = 0;
  WindowAxis rows, columns, channels;

  Shape input() const { return {batch, rows.input, columns.input, depth}; }
  Shape output() const { return {batch, rows.output, columns.output, channels.output}; }
  int64_t image() const { return rows.input * columns.input * depth; }
};

// The input pixels of the window of output pixel (o, p), relative to the image.
void PixelsOf(const PoolingSize& size, int64_t o, int64_t p, std::vector<int64_t>& pixels) {
  pixels.clear();
  for (int64_t k = size.rows.First(o); k < size.rows.Last(o); ++k) {
    const int64_t row = size.rows.Start(o) + k;
    for (int64_t l = size.columns.First(p); l < size.columns.Last(p); ++l) {
      pixels.push_back((row * size.columns.input + size.columns.Start(p) + l) * size.depth);
    }
  }
}

// Calls visit(image offset, output offset, pixels) for the windows of output rows [begin, end), counted over all
// images.
template <class F>
void ForEachWindow(const PoolingSize& size, int64_t begin, int64_t end, const F& visit) {
  std::vector<int64_t> pixels;
  for (int64_t row = begin; row < end; ++row) {
    const int64_t image = row / size.rows.output, o = row % size.rows.output;
    for (int64_t p = 0; p < size.columns.output; ++p) {
      PixelsOf(size, o, p, pixels);
      visit(image * size.image(), (row * size.columns.output + p) * size.depth, WindowPixels(pixels));
    }
  }
}

int64_t WindowWork(const PoolingSize& size) {
  return size.columns.output * std::min(size.rows.window, size.rows.input) *
         std::min(size.columns.window, size.columns.input) * size.depth;
}

// Each output row on its own.
template <class F>
void ForEachWindowInParallel(ThreadPool& pool, const PoolingSize& size, const F& visit) {
  pool.ParallelFor(size.batch * size.rows.output, GrainFor(WindowWork(size)),
                   [&](int64_t begin, int64_t end) { ForEachWindow(size, begin, end, visit); });
}
// Each image on its own: windows that overlap add to the same elements.
template <class F>
void ForEachWindowByImage(ThreadPool& pool, const PoolingSize& size, const F& visit) {
  pool.ParallelFor(size.batch, GrainFor(WindowWork(size) * size.rows.output), [&](int64_t begin, int64_t end) {
    ForEachWindow(size, begin * size.rows.output, end * size.rows.output, visit);
  });
}

class PoolingKernel : public Kernel {
 public:
  PoolingKernel(const Node& node, DType dtype)
      : node_(node.name), windows_(node), ksize_(FourInts(node, "ksize")), dtype_(dtype) {
    for (int axis = 0; axis < 4; ++axis) {
      Require(ksize_[axis] > 0 && windows_.strides[axis] > 0, "node ", node_, ": ksize and strides must be positive");
    }
    if (ksize_[windows_.batch()] != 1 || windows_.strides[windows_.batch()] != 1) {
      throw Unimplemented("node ", node_, ": pooling over the batch");
    }
  }

 protected:
  bool OverChannels() const { return ksize_[windows_.depth()] != 1 || windows_.strides[windows_.depth()] != 1; }
  void RefuseOverChannels() const {
    if (OverChannels()) throw Unimplemented("node ", node_, ": pooling over channels");
  }

  PoolingSize SizeOf(const Shape& input_shape) const {
    const Shape input = ToNhwc(input_shape, windows_.nchw);
    PoolingSize size;
    size.batch = input[0];
    size.depth = input[3];
    size.rows = windows_.Place(windows_.rows(), input[1], ksize_[windows_.rows()]);
    size.columns = windows_.Place(windows_.columns(), input[2], ksize_[windows_.columns()]);
    size.channels = windows_.Place(windows_.depth(), input[3], ksize_[windows_.depth()]);
    return size;
  }

  void RequireOutputShape(const PoolingSize& size, const Shape& shape, std::string_view what) const {
    const Shape expected = FromNhwc(size.output(), windows_.nchw);
    Require(shape == expected, "node ", node_, ": ", what, " has the shape ", Printed(shape), ", the pooled images ",
            Printed(expected));
  }

  Tensor Wide(KernelContext& context, const Tensor& image) const {
    return AsFloat(context.pool(), ToNhwc(context.pool(), image, windows_.nchw));
  }
  void SetWide(KernelContext& context, Tensor image) const {
    if (IsHalfWidth(dtype_)) {
      Tensor narrow = Allocate(dtype_, image.shape());
      RoundInto(context.pool(), image, narrow);
      image = std::move(narrow);
    }
    context.SetOutput(0, FromNhwc(context.pool(), image, windows_.nchw));
  }
  Tensor AllocateZeros(const Shape& shape) const {
    Tensor zeros = Allocate(ComputeType(dtype_), shape);
    if (zeros.elements() > 0) std::memset(zeros.mutable_raw(), 0, zeros.bytes());
    return zeros;
  }

  // The smallest number of the element type, in the type that is computed in.
  template <class T>
  T Lowest() const {
    if (dtype_ == DType::kHalf) return static_cast<T>(-65504);
    if (dtype_ == DType::kBfloat16) return static_cast<T>(-0x1.fep127);
    return std::numeric_limits<T>::lowest();
  }

  const std::string node_;
  const WindowAttrs windows_;
  const std::array<int64_t, 4> ksize_;
  const DType dtype_;
};

// Calls f(TypeTag<T>) with a real number type.
template <class F>
void VisitReal(DType dtype, const F& f) {
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) f(tag);
  });
}
bool IsReal(DType dtype) { return IsFloating(dtype) || IsInteger(dtype); }

class MaxPoolKernel : public PoolingKernel {
 public:
  explicit MaxPoolKernel(const Node& node) : PoolingKernel(node, InputType(node, 0)) {
    if (!IsReal(dtype_)) ThrowNoKernel(node);
    if (OverChannels() && (ksize_[windows_.rows()] != 1 || ksize_[windows_.columns()] != 1)) {
      throw Unimplemented("node ", node_, ": pooling over channels and over the plane at once");
    }
  }

  void Run(KernelContext& context) override {
    const PoolingSize size = SizeOf(context.input(0).shape());
    if (OverChannels()) CheckChannels(size.channels);
    const Tensor input = Wide(context, context.input(0));
    Tensor output = Allocate(ComputeType(dtype_), size.output());
    VisitReal(ComputeType(dtype_), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const x = input.data<T>().data();
      T* const y = output.mutable_data<T>().data();
      if (OverChannels()) return PoolChannels(context.pool(), size, x, y);
      ForEachWindowInParallel(context.pool(), size, [&](int64_t image, int64_t at, WindowPixels pixels) {
        MaxOfWindow(x + image, pixels, size.depth, Lowest<T>(), y + at);
      });
    });
    SetWide(context, std::move(output));
  }

 private:
  // Windows over channels tile them.
  void CheckChannels(const WindowAxis& channels) const {
    if (channels.window != channels.stride || channels.input % channels.window != 0) {
      throw Unimplemented("node ", node_, ": windows of ", channels.window, " channels, ", channels.stride,
                          " apart, do not divide ", channels.input);
    }
  }

  template <class T>
  void PoolChannels(ThreadPool& pool, const PoolingSize& size, const T* x, T* y) const {
    const int64_t window = size.channels.window, rows = size.rows.output * size.columns.output * size.batch;
    const WindowAxis &o_axis = size.rows, &p_axis = size.columns;
    pool.ParallelFor(rows, GrainFor(size.depth), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t p = i % p_axis.output, o = i / p_axis.output % o_axis.output,
                      n = i / p_axis.output / o_axis.output;
        const bool inside = o_axis.First(o) < o_axis.Last(o) && p_axis.First(p) < p_axis.Last(p);
        const int64_t pixel = n * size.image() + (o_axis.Start(o) * p_axis.input + p_axis.Start(p)) * size.depth;
        for (int64_t c = 0; c < size.channels.output; ++c) {
          T best = Lowest<T>();
          for (int64_t k = 0; inside && k < window; ++k) {
            best = std::max(best, x[pixel + c * window + k]);
          }
          y[i * size.channels.output + c] = best;
        }
      }
    });
  }
};

class MaxPoolGradKernel : public PoolingKernel {
 public:
  explicit MaxPoolGradKernel(const Node& node) : PoolingKernel(node, InputType(node, 0)) {
    if (!IsReal(dtype_)) ThrowNoKernel(node);
    RefuseOverChannels();
  }

  void Run(KernelContext& context) override {
    const PoolingSize size = SizeOf(context.input(0).shape());
    RequireOutputShape(size, context.input(1).shape(), "orig_output");
    RequireOutputShape(size, context.input(2).shape(), "grad");
    const Tensor input = Wide(context, context.input(0)), gradient = Wide(context, context.input(2));
    Tensor result = AllocateZeros(size.input());
    VisitReal(ComputeType(dtype_), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *const x = input.data<T>().data(), *const dy = gradient.data<T>().data();
      T* const dx = result.mutable_data<T>().data();
      ForEachWindowByImage(context.pool(), size, [&](int64_t image, int64_t at, WindowPixels pixels) {
        AddToMaxOfWindow(x + image, pixels, size.depth, Lowest<T>(), dy + at, dx + image);
      });
    });
    SetWide(context, std::move(result));
  }
};

class MaxPoolGradGradKernel : public PoolingKernel {
 public:
  explicit MaxPoolGradGradKernel(const Node& node) : PoolingKernel(node, InputType(node, 0)) {
    if (!IsReal(dtype_)) ThrowNoKernel(node);
    RefuseOverChannels();
  }

  void Run(KernelContext& context) override {
    const PoolingSize size = SizeOf(context.input(0).shape());
    RequireOutputShape(size, context.input(1).shape(), "orig_output");
    Require(context.input(2).shape() == context.input(0).shape(), "node ", node_, ": grad has the shape ",
            Printed(context.input(2).shape()), ", the images ", Printed(context.input(0).shape()));
    const Tensor input = Wide(context, context.input(0)), largest = Wide(context, context.input(1));
    const Tensor gradient = Wide(context, context.input(2));
    Tensor result = Allocate(ComputeType(dtype_), size.output());
    VisitReal(ComputeType(dtype_), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *const x = input.data<T>().data(), *const y = largest.data<T>().data();
      const T* const dy = gradient.data<T>().data();
      T* const out = result.mutable_data<T>().data();
      ForEachWindowInParallel(context.pool(), size, [&](int64_t image, int64_t at, WindowPixels pixels) {
        TakeAtMaxOfWindow(x + image, pixels, size.depth, y + at, dy + image, out + at);
      });
    });
    SetWide(context, std::move(result));
  }

 private:
  // out[c] = values[pixel + c] of the first pixel whose input is largest[c], else 0.
  template <class T>
  static void TakeAtMaxOfWindow(const T* input, WindowPixels pixels, int64_t channels, const T* largest,
                                const T* values, T* out) {
    std::fill(out, out + channels, T(0));
    for (auto pixel = pixels.rbegin(); pixel != pixels.rend(); ++pixel) {
      for (int64_t c = 0; c < channels; ++c) {
        if (input[*pixel + c] == largest[c]) out[c] = values[*pixel + c];
      }
    }
  }
};

// Calls f(TypeTag<T>) with the type that floating-point elements are computed in.
template <class F>
void VisitFloating(DType dtype, const F& f) {
  if (dtype == DType::kDouble) {
    f(TypeTag<double>());
  } else {
    f(TypeTag<float>());
  }
}

class AvgPoolKernel : public PoolingKernel {
 public:
  explicit AvgPoolKernel(const Node& node) : PoolingKernel(node, InputType(node, 0)) {
    if (!IsFloating(dtype_)) ThrowNoKernel(node);
    RefuseOverChannels();
  }

  void Run(KernelContext& context) override {
    const PoolingSize size = SizeOf(context.input(0).shape());
    const Tensor input = Wide(context, context.input(0));
    Tensor output = Allocate(ComputeType(dtype_), size.output());
    VisitFloating(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const x = input.data<T>().data();
      T* const y = output.mutable_data<T>().data();
      ForEachWindowInParallel(context.pool(), size, [&](int64_t image, int64_t at, WindowPixels pixels) {
        MeanOfWindow(x + image, pixels, size.depth, y + at);
      });
    });
    SetWide(context, std::move(output));
  }
};

class AvgPoolGradKernel : public PoolingKernel {
 public:
  explicit AvgPoolGradKernel(const Node& node) : PoolingKernel(node, InputType(node, 1)) {
    if (!IsFloating(dtype_)) ThrowNoKernel(node);
    RefuseOverChannels();
  }

  void Run(KernelContext& context) override {
    const Tensor& shape = context.input(0);
    Require(shape.rank() == 1 && shape.elements() == 4, "node ", node_,
            ": orig_input_shape must be a vector of 4 entries, not of shape ", Printed(shape.shape()));
    const PoolingSize size = SizeOf(Shape(ToInt64s(shape)));
    RequireOutputShape(size, context.input(1).shape(), "grad");
    const Tensor gradient = Wide(context, context.input(1));
    Tensor result = AllocateZeros(size.input());
    VisitFloating(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const dy = gradient.data<T>().data();
      T* const dx = result.mutable_data<T>().data();
      ForEachWindowByImage(context.pool(), size, [&](int64_t image, int64_t at, WindowPixels pixels) {
        AddMeanToWindow(pixels, size.depth, dy + at, dx + image);
      });
    });
    SetWide(context, std::move(result));
  }
};

constexpr KernelRow kRows[] = {
    {"MaxPool", Make<MaxPoolKernel>},
    {"MaxPoolGrad", Make<MaxPoolGradKernel>},
    {"MaxPoolGradGrad", Make<MaxPoolGradGradKernel>},
    {"AvgPool", Make<AvgPoolKernel>},
    {"AvgPoolGrad", Make<AvgPoolGradKernel>},
};

}  // namespace

std::span<const KernelRow> PoolingKernels() { return kRows; }

}  // namespace plumb::fast
