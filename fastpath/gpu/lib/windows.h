// Windows that slide over images, and images in either format: what convolution and pooling share.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

// Along one axis: output o sees input o·stride − before + k·dilation for k < window, as far as that is in [0, input).
struct WindowAxis {
  int64_t input = 0, window = 1, stride = 1, dilation = 1, before = 0, output = 0;

  // The input that output o sees at k; negative where that is padding.
  PLUMB_GPU_WORD int64_t At(int64_t o, int64_t k) const {
    const int64_t at = o * stride - before + k * dilation;
    return at < input ? at : -1;
  }
  // The output that sees the input `at` at k; negative where there is none.
  PLUMB_GPU_WORD int64_t SeenBy(int64_t at, int64_t k) const {
    const int64_t first = at + before - k * dilation;
    return first >= 0 && first % stride == 0 && first / stride < output ? first / stride : -1;
  }
};

struct Pixel {
  int64_t image, row, column, channel;
};

// A batch of images as it lies in memory.
struct ImageBatch {
  int64_t images = 0, rows = 0, columns = 0, depth = 0;
  bool channels_first = false;

  PLUMB_GPU_WORD int64_t elements() const { return images * rows * columns * depth; }
  PLUMB_GPU_WORD int64_t At(int64_t image, int64_t row, int64_t column, int64_t channel) const {
    return channels_first ? ((image * depth + channel) * rows + row) * columns + column
                          : ((image * rows + row) * columns + column) * depth + channel;
  }
  // Whose element is i-th in memory.
  PLUMB_GPU_WORD Pixel PixelOf(int64_t i) const {
    Pixel pixel{};
    if (!channels_first) {
      pixel.channel = i % depth;
      i /= depth;
    }
    pixel.column = i % columns;
    i /= columns;
    pixel.row = i % rows;
    i /= rows;
    if (channels_first) {
      pixel.channel = i % depth;
      i /= depth;
    }
    pixel.image = i;
    return pixel;
  }
  Shape shape() const {
    return channels_first ? Shape{images, depth, rows, columns} : Shape{images, rows, columns, depth};
  }
};

enum class Padding { kSame, kValid, kExplicit };

// The attributes of a node that slides windows over images. The constructor throws kInvalidArgument for what cannot be.
class Windows {
 public:
  explicit Windows(const Node& node);

  bool channels_first() const { return channels_first_; }
  int rows() const { return channels_first_ ? 2 : 1; }
  int columns() const { return rows() + 1; }
  int depth() const { return channels_first_ ? 1 : 3; }
  int64_t stride(int axis) const { return strides_.at(static_cast<size_t>(axis)); }
  int64_t dilation(int axis) const { return dilations_.at(static_cast<size_t>(axis)); }
  int64_t most_padding(int axis) const;

  // kInvalidArgument for what is no batch of images.
  ImageBatch BatchOf(const Shape& shape) const;
  // Windows of size `window` along an axis of data_format that is `input` long. No window fits where less than a stride
  // is missing; kInvalidArgument where more is (rule T8).
  WindowAxis Place(int axis, int64_t input, int64_t window) const;

 private:
  std::array<int64_t, 4> strides_;
  std::array<int64_t, 4> dilations_{1, 1, 1, 1};
  std::array<int64_t, 8> explicit_{};
  Padding padding_;
  bool channels_first_;
};

// A list attribute with one entry for each of the four axes.
std::array<int64_t, 4> FourInts(const Node& node, std::string_view attr);
// kInvalidArgument unless the input `what` has this shape.
void RequireShape(const Tensor& tensor, const Shape& shape, std::string_view what);

}  // namespace plumb::fast::GPU_NAMESPACE
