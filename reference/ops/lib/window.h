// Windows that slide over images: which input, output and kernel positions meet. Convolution, pooling and their
// gradients are sums over the same meetings, grouped differently.
#pragma once

#include <string>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

// One meeting along one axis: input position `in` under kernel position `kernel` contributes to output position `out`.
struct Tap {
  int64_t in, out, kernel;
};

// A window along one axis.
struct Window {
  int64_t in = 0, kernel = 1, stride = 1, dilation = 1;
  int64_t before = 0;  // padding in front
  int64_t out = 0;

  // All taps, grouped by one of their members, in rising order of out and kernel.
  std::vector<std::vector<Tap>> TapsBy(int64_t Tap::*member) const;
};

// Padding as attributes say it: SAME, VALID, or EXPLICIT with amounts.
struct Padding {
  std::string kind;
  int64_t before = 0, after = 0;
};
// Computes padding and output size. A window that lacks less than a stride of room fits nowhere, one that lacks more is
// kInvalidArgument (rule T8).
Window MakeWindow(int64_t in, int64_t kernel, int64_t stride, int64_t dilation, const Padding& padding);

// Where batch, height, width and channels are in an image tensor: data_format NHWC or NCHW.
struct ImageLayout {
  int batch, height, width, channels;
};
ImageLayout LayoutOf(const Node& node);
// The four sizes of a shape in the order batch, height, width, channels, and back.
Shape ToNhwc(const Shape& shape, const ImageLayout& layout);
Shape FromNhwc(const Shape& shape, const ImageLayout& layout);
Value ToNhwc(const Value& value, const ImageLayout& layout);
Value FromNhwc(const Value& value, const ImageLayout& layout);

// A list attribute with one entry per axis.
std::vector<int64_t> FourInts(const Node& node, std::string_view name);
// How a node pads an axis; explicit_paddings count where its padding is EXPLICIT.
Padding PaddingOf(const Node& node, int axis);
// A7: what of a node's paddings is refused before the step.
void CheckPaddings(const Node& node);
// The same for the gradient of MaxPool, which does not refuse explicit_paddings that do not count.
void CheckExplicitPaddings(const Node& node);

}  // namespace plumb::reference
