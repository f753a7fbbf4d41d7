// Outlines of boxes drawn into images.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/image/resizing.h"

namespace plumb::reference {
namespace {

using Color = std::array<Real, 4>;

// Yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia; in images of one channel they are all white.
std::vector<Color> UsualColors(int64_t channels) {
  std::vector<Color> colors = {{1, 1, 0, 1},     {0, 0, 1, 1},   {1, 0, 0, 1},   {0, 1, 0, 1}, {0.5, 0, 0.5, 1},
                               {0.5, 0.5, 0, 1}, {0.5, 0, 0, 1}, {0, 0, 0.5, 1}, {0, 1, 1, 1}, {1, 0, 1, 1}};
  if (channels == 1) {
    for (Color& color : colors) color[0] = 1;
  }
  return colors;
}

std::vector<Color> GivenColors(const OpContext& c, int64_t channels) {
  const Tensor& given = c.tensor(2);
  Require(given.rank() == 2 && given.dim(1) >= channels, "colors must be rows of ", channels,
          " channels at least, not of shape ", given.shape().ToString());
  const Reader<Real> from(c.input(2));
  std::vector<Color> colors(given.elements() == 0 ? 0 : static_cast<size_t>(given.dim(0)));
  for (size_t i = 0; i < colors.size(); ++i) {
    for (int64_t k = 0; k < channels; ++k) colors[i][k] = from[static_cast<int64_t>(i) * given.dim(1) + k];
  }
  return colors;
}

// The pixel, of `size`, that a corner is on, cut towards zero; what is no number is before all pixels.
int64_t PixelOf(Real corner, int64_t size) {
  const float pixel = static_cast<float>(corner.v) * static_cast<float>(size - 1);
  if (std::isnan(pixel) || pixel <= -0x1p62f) return std::numeric_limits<int64_t>::min();
  return pixel >= 0x1p62f ? std::numeric_limits<int64_t>::max() : static_cast<int64_t>(pixel);
}

// The first and last row, or column, of a box, and of the part of it that is inside.
struct Span {
  int64_t size = 0, first = 0, last = 0;

  bool IsVisible() const { return first <= last && first < size && last >= 0; }
  int64_t begin() const { return std::max<int64_t>(first, 0); }
  int64_t end() const { return std::min(last, size - 1) + 1; }
  bool HasInside(int64_t line) const { return line >= 0 && line < size; }
};

template <class Draw>
void DrawOutline(const Span& rows, const Span& columns, Draw draw) {
  if (!rows.IsVisible() || !columns.IsVisible()) return;
  for (const int64_t row : {rows.first, rows.last}) {
    for (int64_t column = columns.begin(); rows.HasInside(row) && column < columns.end(); ++column) draw(row, column);
  }
  for (const int64_t column : {columns.first, columns.last}) {
    for (int64_t row = rows.begin(); columns.HasInside(column) && row < rows.end(); ++row) draw(row, column);
  }
}

void DrawBoundingBoxes(OpContext& context) {
  const Shape &images = context.tensor(0).shape(), &boxes = context.tensor(1).shape();
  Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.ToString());
  const int64_t height = images.dim(1), width = images.dim(2), channels = images.dim(3);
  Require(channels == 1 || channels == 3 || channels == 4, "images must have 1, 3 or 4 channels, not ", channels);
  Require(boxes.rank() == 3 && boxes.dim(0) == images.dim(0) && boxes.dim(2) == 4, "boxes must have the shape [",
          images.dim(0), ",n,4], not ", boxes.ToString());
  std::vector<Color> colors;
  if (context.num_inputs() > 2) colors = GivenColors(context, channels);
  if (colors.empty()) colors = UsualColors(channels);
  ForKind<Real>(context.tensor(0).dtype(), [&](auto) {
    auto canvas = Load<Real>(context.input(0));
    const Reader<Real> corners(context.input(1));
    for (int64_t i = 0; i < boxes.dim(0) * boxes.dim(1); ++i) {
      const int64_t image = i / boxes.dim(1);
      const Color& color = colors[i % boxes.dim(1) % colors.size()];
      const Span rows{height, PixelOf(corners[4 * i], height), PixelOf(corners[4 * i + 2], height)};
      const Span columns{width, PixelOf(corners[4 * i + 1], width), PixelOf(corners[4 * i + 3], width)};
      DrawOutline(rows, columns, [&](int64_t row, int64_t column) {
        for (int64_t c = 0; c < channels; ++c) {
          canvas[((image * height + row) * width + column) * channels + c] = color[c];
        }
      });
    }
    const bool certain = IsExact(context.input(1));
    for (Real& pixel : canvas.at) pixel = If(certain, pixel);
    context.Output(0, Store(canvas));
  });
}

constexpr KernelRow kRows[] = {
    {"DrawBoundingBoxes", DrawBoundingBoxes},
    {"DrawBoundingBoxesV2", DrawBoundingBoxes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageBoundingBoxes() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
