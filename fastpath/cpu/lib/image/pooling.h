// What the kernels of pooling share: windows on NHWC images (NCHW ones are turned around first).
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/lib/image/pooling_loops.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/formulas/convolution/window_rules.h"

namespace plumb::fast::cpu {

struct PoolingSize {
  int64_t batch = 0, depth = 0;
  WindowAxis rows, columns, channels;

  Shape input() const { return {batch, rows.input, columns.input, depth}; }
  Shape output() const { return {batch, rows.output, columns.output, channels.output}; }
  int64_t image() const { return rows.input * columns.input * depth; }
};

// The input pixels of the window of output pixel (o, p), relative to the image.
inline void PixelsOf(const PoolingSize& size, int64_t o, int64_t p, std::vector<int64_t>& pixels) {
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

inline int64_t WindowWork(const PoolingSize& size) {
  return size.columns.output * std::min(size.rows.window, size.rows.input) *
         std::min(size.columns.window, size.columns.input) * size.depth;
}

// Of no pixels or channels there may be any number of empty rows.
inline bool HasPixels(const PoolingSize& size) { return size.columns.output > 0 && size.depth > 0; }

// Each output row on its own.
template <class F>
void ForEachWindowInParallel(ThreadPool& pool, const PoolingSize& size, const F& visit) {
  if (!HasPixels(size)) return;
  pool.ParallelFor(size.batch * size.rows.output, GrainFor(WindowWork(size)),
                   [&](int64_t begin, int64_t end) { ForEachWindow(size, begin, end, visit); });
}
// Each image on its own: windows that overlap add to the same elements.
template <class F>
void ForEachWindowByImage(ThreadPool& pool, const PoolingSize& size, const F& visit) {
  if (!HasPixels(size)) return;
  pool.ParallelFor(size.batch, GrainFor(WindowWork(size) * size.rows.output), [&](int64_t begin, int64_t end) {
    ForEachWindow(size, begin * size.rows.output, end * size.rows.output, visit);
  });
}

inline bool IsReal(DType dtype) { return IsFloating(dtype) || IsInteger(dtype); }
// Calls f(TypeTag<T>()) with a real number type.
template <class F>
void VisitReal(DType dtype, const F& f) {
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) f(tag);
  });
}

class PoolingKernel : public Kernel {
 public:
  PoolingKernel(const Node& node, DType dtype, SizeChecks checks)
      : op_(node), windows_(node), ksize_(FourInts(node, "ksize")), dtype_(dtype) {
    CheckPooling(node, checks);
    for (int axis = 0; axis < 4; ++axis) {
      const int64_t padding = std::max(windows_.explicit_padding[2 * axis], windows_.explicit_padding[2 * axis + 1]);
      Require(padding == 0 || padding < ksize_[axis], "with a padding of ", padding, ", windows of ", ksize_[axis],
              " may hold no element");
    }
  }

 protected:
  bool OverChannels() const { return ksize_[windows_.depth()] != 1; }
  void RefuseOverChannels() const {
    if (OverChannels()) throw UnsupportedPooling(op_, "pooling over channels");
  }

  // `may_be_empty`: windows of a size below one hold nothing; otherwise they are refused.
  PoolingSize SizeOf(const Shape& input_shape, bool may_be_empty = false) const {
    const Shape input = ToNhwc(input_shape, windows_.nchw);
    PoolingSize size;
    size.batch = input[0];
    size.depth = input[3];
    size.channels = ChannelsOf(input[3]);
    const bool are_checked = !may_be_empty || windows_.padding == Padding::kExplicit;
    for (const int axis : {windows_.rows(), windows_.columns()}) {
      Require((ksize_[axis] > 0 || !are_checked) && windows_.strides[axis] > 0, "windows of the size ", ksize_[axis],
              ", ", windows_.strides[axis], " apart");
    }
    size.rows = AxisOf(windows_.rows(), input[1]);
    size.columns = AxisOf(windows_.columns(), input[2]);
    return size;
  }

  // As many windows of a size below one fit into VALID padding as if the image were that much larger.
  WindowAxis AxisOf(int axis, int64_t input) const {
    const int64_t window = ksize_[axis], more = windows_.padding == Padding::kValid ? -std::min<int64_t>(window, 0) : 0;
    WindowAxis placed = windows_.Place(axis, input + more, std::max<int64_t>(window, 0));
    placed.input = input;
    return placed;
  }

  WindowAxis ChannelsOf(int64_t channels) const {
    const int64_t pooled = PooledChannels(op_, channels), window = ksize_[windows_.depth()];
    if (!OverChannels()) return {.input = channels, .output = channels};
    return {.input = channels, .window = window, .stride = window, .output = pooled};
  }

  void RequireOutputShape(const PoolingSize& size, const Shape& shape, std::string_view what) const {
    const Shape expected = FromNhwc(size.output(), windows_.nchw);
    Require(shape == expected, what, " has the shape ", Printed(shape), ", the pooled images ", Printed(expected));
  }

  Tensor Wide(KernelContext& context, const Tensor& image) const {
    return AsFloat(context.pool(), ToNhwc(context.pool(), image, windows_.nchw));
  }
  void SetWide(KernelContext& context, Tensor image) const {
    const Tensor rounded = RoundedTo(context.pool(), dtype_, std::move(image));
    context.SetOutput(0, FromNhwc(context.pool(), rounded, windows_.nchw));
  }

  const Node op_;
  const WindowAttrs windows_;
  const std::array<int64_t, 4> ksize_;
  const DType dtype_;
};

}  // namespace plumb::fast::cpu
