// Outlines of boxes drawn into images.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {
namespace {

// Yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia; in images of one channel they are all white.
constexpr float kColors[][4] = {{1, 1, 0, 1},     {0, 0, 1, 1},   {1, 0, 0, 1},   {0, 1, 0, 1}, {0.5, 0, 0.5, 1},
                                {0.5, 0.5, 0, 1}, {0.5, 0, 0, 1}, {0, 0, 0.5, 1}, {0, 1, 1, 1}, {1, 0, 1, 1}};

// The pixel, of `size`, that a corner is on, cut towards zero; what is no number is before all pixels.
int64_t PixelOf(float corner, int64_t size) {
  const float pixel = corner * static_cast<float>(size - 1);
  if (std::isnan(pixel) || pixel <= -0x1p62f) return std::numeric_limits<int64_t>::min();
  return pixel >= 0x1p62f ? std::numeric_limits<int64_t>::max() : static_cast<int64_t>(pixel);
}

template <class T>
class DrawBoundingBoxes final : public Kernel {
 public:
  explicit DrawBoundingBoxes(const Node&) {}

  void Run(KernelContext& context) override {
    const Shape images = context.input(0).shape();
    const Shape& boxes = context.input(1).shape();
    Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.ToString());
    const int64_t channels = images[3];
    Require(channels == 1 || channels == 3 || channels == 4, "images must have 1, 3 or 4 channels, not ", channels);
    Require(boxes.rank() == 3 && boxes[0] == images[0] && boxes[2] == 4, "boxes must have the shape [", images[0],
            ",n,4], not ", boxes.ToString());
    const std::vector<T> colors = ColorsOf(context, channels);
    const Tensor corners = context.input(1);
    const T* const from = context.input(0).data<T>().data();
    T* const to = context.ForwardOrAllocate(0, 0, DTypeOf<T>, images).template mutable_data<T>().data();
    if (images.elements() == 0) return;
    const int64_t size = images[1] * images[2] * channels;
    context.pool().ParallelFor(images[0], GrainFor(size), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (from != to) std::copy_n(from + i * size, size, to + i * size);
        Canvas canvas{to + i * size, images[1], images[2], channels};
        for (int64_t box = 0; box < boxes[1]; ++box) {
          const auto count = static_cast<int64_t>(colors.size()) / channels;
          canvas.Draw(corners.data<float>().data() + 4 * (i * boxes[1] + box), colors.data() + box % count * channels);
        }
      }
    });
  }

 private:
  static std::vector<T> ColorsOf(const KernelContext& context, int64_t channels) {
    std::vector<T> colors;
    if (context.num_inputs() > 2) {
      const Tensor& given = context.input(2);
      Require(given.rank() == 2 && given.dim(1) >= channels, "colors must be rows of ", channels,
              " channels at least, not of shape ", given.shape().ToString());
      for (int64_t i = 0; i < given.dim(0); ++i) {
        const float* const row = given.data<float>().data() + i * given.dim(1);
        for (int64_t c = 0; c < channels; ++c) colors.push_back(static_cast<T>(row[c]));
      }
      if (!colors.empty()) return colors;
    }
    for (const auto& color : kColors) {
      for (int64_t c = 0; c < channels; ++c) colors.push_back(static_cast<T>(channels == 1 ? 1.0f : color[c]));
    }
    return colors;
  }

  struct Canvas {
    T* pixels;
    int64_t height, width, channels;

    void Draw(const float* corners, const T* color) {
      const int64_t top = PixelOf(corners[0], height), bottom = PixelOf(corners[2], height);
      const int64_t left = PixelOf(corners[1], width), right = PixelOf(corners[3], width);
      const bool visible = top <= bottom && left <= right && top < height && bottom >= 0 && left < width && right >= 0;
      if (!visible) return;
      const int64_t rows_begin = std::max<int64_t>(top, 0), rows_end = std::min(bottom, height - 1) + 1;
      const int64_t columns_begin = std::max<int64_t>(left, 0), columns_end = std::min(right, width - 1) + 1;
      for (const int64_t row : {top, bottom}) {
        if (row < 0 || row >= height) continue;
        for (int64_t column = columns_begin; column < columns_end; ++column) Paint(row, column, color);
      }
      for (const int64_t column : {left, right}) {
        if (column < 0 || column >= width) continue;
        for (int64_t row = rows_begin; row < rows_end; ++row) Paint(row, column, color);
      }
    }
    void Paint(int64_t row, int64_t column, const T* color) {
      std::copy_n(color, channels, pixels + (row * width + column) * channels);
    }
  };
};

constexpr KernelRow kRows[] = {
    {"DrawBoundingBoxes", MakeFor<DrawBoundingBoxes, Types<float, Half>>},
    {"DrawBoundingBoxesV2", MakeFor<DrawBoundingBoxes, Types<float, Half>>},
};

}  // namespace

std::span<const KernelRow> ImageBoundingBoxes() { return kRows; }

}  // namespace plumb::fast::cpu
