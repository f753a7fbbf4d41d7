// Windows that slide over images: what convolution and pooling share.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

// Along one axis: output o sees input o·stride − before + k·dilation for k < window, as far as that is in [0, input).
struct WindowAxis {
  int64_t input = 0;
  int64_t window = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t before = 0;  // padding
  int64_t after = 0;
  int64_t output = 0;
  bool operator==(const WindowAxis&) const = default;

  int64_t Start(int64_t o) const { return o * stride - before; }
  // The k that are inside the input for output o: [first, last).
  int64_t First(int64_t o) const { return Start(o) >= 0 ? 0 : (-Start(o) + dilation - 1) / dilation; }
  int64_t Last(int64_t o) const {
    const int64_t room = input - Start(o);
    return room <= 0 ? 0 : std::min(window, (room + dilation - 1) / dilation);
  }
};

enum class Padding { kSame, kValid, kExplicit };
Padding PaddingOf(const Node& node);

// `axis`, which says input, window, stride, dilation and what is padded explicitly, with padding and output. No window
// fits where less than a stride is missing; kInvalidArgument where more is (rule T8).
WindowAxis Placed(WindowAxis axis, Padding padding);

// Attributes of a node that slides windows, in the order of data_format; their values are checked when it runs.
struct WindowAttrs {
  explicit WindowAttrs(const Node& node);

  std::array<int64_t, 4> strides;
  std::array<int64_t, 4> dilations;  // ones where the op has none
  Padding padding;
  std::array<int64_t, 8> explicit_padding{};
  bool nchw;  // else NHWC

  int batch() const { return 0; }
  int rows() const { return nchw ? 2 : 1; }
  int columns() const { return nchw ? 3 : 2; }
  int depth() const { return nchw ? 1 : 3; }

  // Windows of size `window` along axis `axis` (of data_format).
  WindowAxis Place(int axis, int64_t input, int64_t window) const;
};

// A list attribute with one entry for each of the four axes.
std::array<int64_t, 4> FourInts(const Node& node, std::string_view attr);

// The shape of `rank` dimensions that the input `what` lists; kInvalidArgument unless it is a vector of as many.
Shape ListedShape(std::string_view what, const Tensor& sizes, int rank);
// kInvalidArgument unless a gradient has the shape of the output that it is for.
void RequireGradientShape(const Shape& gradient, const Shape& output);

// The four dimensions of an image in NHWC order, from a shape in the node's order; and back.
Shape ToNhwc(const Shape& shape, bool nchw);
Shape FromNhwc(const Shape& shape, bool nchw);
// The same for the elements; NHWC values come back as they are.
Tensor ToNhwc(ThreadPool& pool, const Tensor& image, bool nchw);
Tensor FromNhwc(ThreadPool& pool, const Tensor& image, bool nchw);

}  // namespace plumb::fast::cpu
