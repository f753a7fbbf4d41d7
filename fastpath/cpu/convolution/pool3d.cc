// MaxPool3D, AvgPool3D and their gradients: the loops of pooling in the plane, over windows that are boxes.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/pooling_loops.h"
#include "fastpath/cpu/lib/image/volumes.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

struct VolumeSize {
  int64_t batch = 0, channels = 0;
  VolumeAxes axes;

  Shape input() const { return axes.Volume(batch, &WindowAxis::input, channels); }
  Shape output() const { return axes.Volume(batch, &WindowAxis::output, channels); }
  int64_t volume() const { return axes.Count(&WindowAxis::input) * channels; }
  int64_t PlaneWork() const {
    int64_t pixels = axes[1].output * axes[2].output;
    for (const WindowAxis& axis : axes) pixels *= std::min(axis.window, axis.input);
    return pixels * channels;
  }
};

// How many input pixels of a window there are along each axis.
using WindowCounts = std::array<int64_t, 3>;

// The input pixels of a window, relative to the first of them.
void PixelsOf(const VolumeSize& size, const WindowCounts& counts, std::vector<int64_t>& pixels) {
  pixels.clear();
  for (int64_t k = 0; k < counts[0]; ++k) {
    for (int64_t l = 0; l < counts[1]; ++l) {
      const int64_t row = (k * size.axes[1].input + l) * size.axes[2].input;
      for (int64_t m = 0; m < counts[2]; ++m) pixels.push_back((row + m) * size.channels);
    }
  }
}

// Calls visit(first input pixel of the window, output offset, pixels) for the windows of output planes [begin, end),
// counted over all volumes. Windows of one size have the same pixels.
template <class F>
void ForEachWindow(const VolumeSize& size, int64_t begin, int64_t end, const F& visit) {
  const WindowAxis &planes = size.axes[0], &rows = size.axes[1], &columns = size.axes[2];
  const auto count = [](const WindowAxis& axis, int64_t at) {
    return std::max<int64_t>(0, axis.Last(at) - axis.First(at));
  };
  const auto first = [](const WindowAxis& axis, int64_t at) { return axis.Start(at) + axis.First(at); };
  WindowCounts last = {0, 0, 0};
  std::vector<int64_t> pixels;
  for (int64_t plane = begin; plane < end; ++plane) {
    const int64_t volume = plane / planes.output, o = plane % planes.output;
    for (int64_t p = 0; p < rows.output; ++p) {
      const int64_t row = first(planes, o) * rows.input + first(rows, p);
      for (int64_t q = 0; q < columns.output; ++q) {
        const WindowCounts counts = {count(planes, o), count(rows, p), count(columns, q)};
        if (counts != last) PixelsOf(size, counts, pixels);
        last = counts;
        visit(volume * size.volume() + (row * columns.input + first(columns, q)) * size.channels,
              ((plane * rows.output + p) * columns.output + q) * size.channels, WindowPixels(pixels));
      }
    }
  }
}

// Of no rows, columns or channels there may be any number of empty planes.
bool HasPlanes(const VolumeSize& size) {
  return size.axes[1].output > 0 && size.axes[2].output > 0 && size.channels > 0;
}

// Each output plane on its own.
template <class F>
void ForEachWindowInParallel(ThreadPool& pool, const VolumeSize& size, const F& visit) {
  if (!HasPlanes(size)) return;
  pool.ParallelFor(size.batch * size.axes[0].output, GrainFor(size.PlaneWork()),
                   [&](int64_t begin, int64_t end) { ForEachWindow(size, begin, end, visit); });
}
// Each volume on its own: windows that overlap add to the same elements.
template <class F>
void ForEachWindowByVolume(ThreadPool& pool, const VolumeSize& size, const F& visit) {
  if (!HasPlanes(size)) return;
  const int64_t planes = size.axes[0].output;
  pool.ParallelFor(size.batch, GrainFor(size.PlaneWork() * planes),
                   [&](int64_t begin, int64_t end) { ForEachWindow(size, begin * planes, end * planes, visit); });
}

class Pool3dKernel : public Kernel {
 public:
  Pool3dKernel(const Node& node, int data_input, bool sizes_first)
      : attrs_(node), ksize_(FiveInts(node, "ksize")), dtype_(InputType(node, data_input)) {
    CheckVolumePooling(node, sizes_first);
  }

 protected:
  VolumeSize SizeOf(const Shape& input) const {
    const Shape volume = ToNdhwc(input, attrs_.channels_first);
    VolumeSize size;
    size.batch = volume[0];
    size.channels = volume[4];
    size.axes = attrs_.Place(volume, {ksize_[attrs_.space(0)], ksize_[attrs_.space(1)], ksize_[attrs_.space(2)]});
    return size;
  }
  void RequireOutputShape(const VolumeSize& size, const Shape& shape, std::string_view what) const {
    const Shape expected = FromNdhwc(size.output(), attrs_.channels_first);
    Require(shape == expected, what, " has the shape ", Printed(shape), ", the pooled volumes ", Printed(expected));
  }

  Tensor Wide(KernelContext& context, int input) const {
    return AsFloat(context.pool(), ToNdhwc(context.pool(), context.input(input), attrs_.channels_first));
  }
  void SetWide(KernelContext& context, Tensor volume) const {
    const Tensor rounded = RoundedTo(context.pool(), dtype_, std::move(volume));
    context.SetOutput(0, FromNdhwc(context.pool(), rounded, attrs_.channels_first));
  }

  const VolumeAttrs attrs_;
  const std::array<int64_t, 5> ksize_;
  const DType dtype_;
};

class MaxPool3dKernel : public Pool3dKernel {
 public:
  explicit MaxPool3dKernel(const Node& node) : Pool3dKernel(node, 0, true) {}

  void Run(KernelContext& context) override {
    const VolumeSize size = SizeOf(context.input(0).shape());
    const Tensor input = Wide(context, 0);
    Tensor output = Allocate(ComputeType(dtype_), size.output());
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const x = input.data<T>().data();
      T* const y = output.mutable_data<T>().data();
      ForEachWindowInParallel(context.pool(), size, [&](int64_t first, int64_t at, WindowPixels pixels) {
        MaxOfWindow(x + first, pixels, size.channels, LowestOf<T>(dtype_), y + at);
      });
    });
    SetWide(context, std::move(output));
  }
};

// How close to a window's output an element has to be to count as the one that was taken. Every such element gets the
// window's whole gradient.
constexpr float kClose = 1e-5F;

class MaxPool3dGradKernel : public Pool3dKernel {
 public:
  explicit MaxPool3dGradKernel(const Node& node) : Pool3dKernel(node, 2, false) {}

  void Run(KernelContext& context) override {
    const VolumeSize size = SizeOf(context.input(0).shape());
    RequireOutputShape(size, context.input(1).shape(), "orig_output");
    RequireOutputShape(size, context.input(2).shape(), "grad");
    const Tensor input = Wide(context, 0), largest = Wide(context, 1), gradient = Wide(context, 2);
    Tensor result = AllocateZeros(context.pool(), ComputeType(dtype_), size.input());
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *const x = input.data<T>().data(), *const y = largest.data<T>().data();
      const T* const dy = gradient.data<T>().data();
      T* const dx = result.mutable_data<T>().data();
      ForEachWindowByVolume(context.pool(), size, [&](int64_t first, int64_t at, WindowPixels pixels) {
        for (const int64_t pixel : pixels) {
          AddWhereClose(x + first + pixel, y + at, dy + at, size.channels, dx + first + pixel);
        }
      });
    });
    SetWide(context, std::move(result));
  }

 private:
  template <class T>
  static void AddWhereClose(const T* x, const T* y, const T* dy, int64_t channels, T* dx) {
    for (int64_t c = 0; c < channels; ++c) {
      if (std::abs(x[c] - y[c]) < T(kClose)) dx[c] += dy[c];
    }
  }
};

class MaxPool3dGradGradKernel : public Pool3dKernel {
 public:
  explicit MaxPool3dGradGradKernel(const Node& node) : Pool3dKernel(node, 0, false) {}

  void Run(KernelContext& context) override {
    const VolumeSize size = SizeOf(context.input(0).shape());
    RequireOutputShape(size, context.input(1).shape(), "orig_output");
    Require(context.input(2).shape() == context.input(0).shape(), "grad has the shape ",
            Printed(context.input(2).shape()), ", the volumes ", Printed(context.input(0).shape()));
    for (int i = 0; i < 3; ++i) Require(context.input(i).elements() > 0, "input ", i, " is empty");
    const Tensor input = Wide(context, 0), largest = Wide(context, 1), gradient = Wide(context, 2);
    Tensor result = AllocateZeros(context.pool(), ComputeType(dtype_), size.output());
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *const x = input.data<T>().data(), *const y = largest.data<T>().data();
      const T* const dy = gradient.data<T>().data();
      T* const out = result.mutable_data<T>().data();
      ForEachWindowInParallel(context.pool(), size, [&](int64_t first, int64_t at, WindowPixels pixels) {
        for (auto pixel = pixels.rbegin(); pixel != pixels.rend(); ++pixel) {
          const T *const here = x + first + *pixel, *const value = dy + first + *pixel;
          for (int64_t c = 0; c < size.channels; ++c) {
            if (here[c] == y[at + c]) out[at + c] = value[c];
          }
        }
      });
    });
    SetWide(context, std::move(result));
  }
};

class AvgPool3dKernel : public Pool3dKernel {
 public:
  explicit AvgPool3dKernel(const Node& node) : Pool3dKernel(node, 0, true) {}

  void Run(KernelContext& context) override {
    const VolumeSize size = SizeOf(context.input(0).shape());
    const Tensor input = Wide(context, 0);
    Tensor output = Allocate(ComputeType(dtype_), size.output());
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const x = input.data<T>().data();
      T* const y = output.mutable_data<T>().data();
      ForEachWindowInParallel(context.pool(), size, [&](int64_t first, int64_t at, WindowPixels pixels) {
        MeanOfWindow(x + first, pixels, size.channels, y + at);
      });
    });
    SetWide(context, std::move(output));
  }
};

class AvgPool3dGradKernel : public Pool3dKernel {
 public:
  explicit AvgPool3dGradKernel(const Node& node) : Pool3dKernel(node, 1, false) {}

  void Run(KernelContext& context) override {
    const VolumeSize size = SizeOf(ListedShape("orig_input_shape", context.input(0), 5));
    RequireOutputShape(size, context.input(1).shape(), "grad");
    const Tensor gradient = Wide(context, 1);
    Tensor result = AllocateZeros(context.pool(), ComputeType(dtype_), size.input());
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const dy = gradient.data<T>().data();
      T* const dx = result.mutable_data<T>().data();
      ForEachWindowByVolume(context.pool(), size, [&](int64_t first, int64_t at, WindowPixels pixels) {
        AddMeanToWindow(pixels, size.channels, dy + at, dx + first);
      });
    });
    SetWide(context, std::move(result));
  }
};

constexpr KernelRow kRows[] = {
    {"MaxPool3D", Make<MaxPool3dKernel>},
    {"MaxPool3DGrad", Make<MaxPool3dGradKernel>},
    {"MaxPool3DGradGrad", Make<MaxPool3dGradGradKernel>},
    {"AvgPool3D", Make<AvgPool3dKernel>},
    {"AvgPool3DGrad", Make<AvgPool3dGradKernel>},
};

}  // namespace

std::span<const KernelRow> ConvolutionPool3d() { return kRows; }

}  // namespace plumb::fast::cpu
