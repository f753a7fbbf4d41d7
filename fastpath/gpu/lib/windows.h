// Windows that slide over images or volumes, and these in either format: what convolution and pooling share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fastpath/gpu/gpu_context.h"
#include "fastpath/gpu/lib/walk.h"

namespace plumb::fast::GPU_NAMESPACE {

// Along one axis: output o sees input o·stride − before + k·dilation for k < window, as far as that is in [0, input).
struct WindowAxis {
  int64_t input = 0, window = 1, stride = 1, dilation = 1, before = 0, output = 0;
  bool is_short = false;  // whether all that is padded has less than 2^31 elements
  Divisor by = {};        // the stride again, where it has

  // The input that output o sees at k; negative where that is padding.
  PLUMB_GPU_WORD int64_t At(int64_t o, int64_t k) const {
    const int64_t at = o * stride - before + k * dilation;
    return at < input ? at : -1;
  }
  // The output that sees the input `at` at k; negative where there is none.
  PLUMB_GPU_WORD int64_t SeenBy(int64_t at, int64_t k) const {
    const int64_t first = at + before - k * dilation;
    if (first < 0) return -1;
    const int64_t seen = is_short ? by.Quotient(static_cast<uint32_t>(first)) : first / stride;
    return seen * stride == first && seen < output ? seen : -1;
  }
};

// Along an axis that is not there.
inline constexpr WindowAxis kNoAxis{1, 1, 1, 1, 0, 1};

// The last digit of `rest` in a number system of so many digits, which is then without it. One digit costs no division.
PLUMB_GPU_WORD int64_t TakeDigit(int64_t& rest, int64_t digits) {
  if (digits == 1) return 0;
  const int64_t digit = rest % digits;
  rest /= digits;
  return digit;
}

struct Pixel {
  int64_t image, plane, row, column, channel;
};

// A batch of images, or of volumes, which have several planes, as it lies in memory.
struct ImageBatch {
  int64_t images = 0, rows = 0, columns = 0, depth = 0;
  bool channels_first = false;
  int64_t planes = 1;
  bool is_volume = false;

  PLUMB_GPU_WORD int64_t pixels() const { return planes * rows * columns; }
  PLUMB_GPU_WORD int64_t elements() const { return images * pixels() * depth; }
  PLUMB_GPU_WORD int64_t At(int64_t image, int64_t row, int64_t column, int64_t channel) const {
    return At(image, 0, row, column, channel);
  }
  PLUMB_GPU_WORD int64_t At(int64_t image, int64_t plane, int64_t row, int64_t column, int64_t channel) const {
    return channels_first ? (((image * depth + channel) * planes + plane) * rows + row) * columns + column
                          : (((image * planes + plane) * rows + row) * columns + column) * depth + channel;
  }
  // Whose element is i-th in memory.
  PLUMB_GPU_WORD Pixel PixelOf(int64_t i) const {
    Pixel pixel{};
    if (!channels_first) pixel.channel = TakeDigit(i, depth);
    pixel.column = TakeDigit(i, columns);
    pixel.row = TakeDigit(i, rows);
    pixel.plane = TakeDigit(i, planes);
    if (channels_first) pixel.channel = TakeDigit(i, depth);
    pixel.image = i;
    return pixel;
  }
  // As many of other sizes.
  ImageBatch Resized(int64_t new_planes, int64_t new_rows, int64_t new_columns, int64_t new_depth) const {
    return {images, new_rows, new_columns, new_depth, channels_first, new_planes, is_volume};
  }
  Shape shape() const {
    if (is_volume) {
      return channels_first ? Shape{images, depth, planes, rows, columns} : Shape{images, planes, rows, columns, depth};
    }
    return channels_first ? Shape{images, depth, rows, columns} : Shape{images, rows, columns, depth};
  }
};

enum class Padding { kSame, kValid, kExplicit };

// The attributes of a node that slides windows over images, or over volumes. The constructor throws kInvalidArgument
// for what cannot be.
class Windows {
 public:
  // `space`: how many dimensions images have, 2 or 3.
  explicit Windows(const Node& node, int space = 2);

  bool channels_first() const { return channels_first_; }
  int axes() const { return space_ + 2; }
  int planes() const { return rows() - 1; }  // of volumes
  int rows() const { return columns() - 1; }
  int columns() const { return channels_first_ ? space_ + 1 : space_; }
  int depth() const { return channels_first_ ? 1 : space_ + 1; }
  int64_t stride(int axis) const { return strides_.at(static_cast<size_t>(axis)); }
  int64_t dilation(int axis) const { return dilations_.at(static_cast<size_t>(axis)); }
  int64_t most_padding(int axis) const;
  Padding padding() const { return padding_; }

  // kInvalidArgument for what is no batch of images.
  ImageBatch BatchOf(const Shape& shape) const;
  // Windows of size `window` along an axis of data_format that is `input` long. No window fits where less than a stride
  // is missing; kInvalidArgument where more is (rule T8).
  WindowAxis Place(int axis, int64_t input, int64_t window) const;

 private:
  WindowAxis PlaceAnywhere(int axis, int64_t input, int64_t window) const;  // of a size that it does not look at

  int space_;
  std::vector<int64_t> strides_, dilations_, explicit_;  // by axis, the last with two amounts each
  Padding padding_;
  bool channels_first_;
};

// A list attribute with one entry for each axis.
std::vector<int64_t> IntsOfAxes(const Node& node, std::string_view attr, int axes);
// kInvalidArgument unless the input `what` has this shape.
void RequireShape(const Tensor& tensor, const Shape& shape, std::string_view what);

}  // namespace plumb::fast::GPU_NAMESPACE
