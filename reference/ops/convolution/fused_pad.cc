// Convolution of images that are resized and mirrored first, pixel by pixel.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/narrow_sums.h"
#include "reference/ops/lib/window.h"

namespace plumb::reference {
namespace {

// Height or width: an image's size, that after resizing, what is mirrored before it, and the windows over all of it.
struct Side {
  int64_t source = 0, resized = 0, before = 0;
  float scale = 1;
  Window window;
  int64_t shift = 0;  // how far the first window reaches beyond the padded image, or begins inside it

  int64_t padded() const { return window.in; }
};

// A place on a side: the two pixels that it is between and how far it is from the lower one, or outside of the image.
struct Place {
  bool inside = false;
  int64_t lower = 0, upper = 0;
  float fraction = 0;
};

Side SideOf(const OpContext& c, int axis, int64_t source, int64_t resized, const std::vector<int64_t>& paddings,
            int64_t kernel) {
  Side side{source, resized, paddings[2 * axis], 1, {}, 0};
  const int64_t after = paddings[2 * axis + 1];
  const auto padding = c.attr<std::string>("padding");
  const auto strides = FourInts(c.node, "strides");
  side.window = MakeWindow(side.before + resized + after, kernel, strides[axis], 1, {padding});
  const int64_t over = (side.window.out - 1) * strides[axis] + kernel - side.padded();
  side.shift = (padding == "VALID" ? over + 1 : over) / 2;
  return side;
}

Place PlaceOf(const Side& side, bool reflects, int64_t at) {
  if (at < 0 || at >= side.padded()) return {};
  const int64_t skipped = reflects ? 1 : 0;
  int64_t mirrored = at - side.before;
  if (mirrored < 0) mirrored = -mirrored - 1 + skipped;
  if (mirrored >= side.resized) mirrored = 2 * side.resized - 1 - mirrored - skipped;
  const float place = static_cast<float>(mirrored) * side.scale, floor = std::floor(place);
  const auto clamp = [&](float x) { return std::clamp<int64_t>(static_cast<int64_t>(x), 0, side.source - 1); };
  return {true, clamp(floor), clamp(std::ceil(place)), place - floor};
}

struct Fused {
  int64_t batch = 0, channels = 0, outputs = 0;
  bool resizes = false, reflects = false;
  Side height, width;

  int64_t PixelAt(int64_t n, int64_t y, int64_t x) const {
    return ((n * height.source + y) * width.source + x) * channels;
  }
};

std::vector<int64_t> PaddingsOf(const OpContext& c, const Tensor& table, const std::vector<int64_t>& sizes,
                                bool reflects) {
  Require(table.rank() == 2 && table.dim(0) == 4 && table.dim(1) == 2, "paddings must have the shape [4,2], not ",
          table.shape().ToString());
  std::vector<int64_t> paddings = IntegersOf(table.Reshaped({8}), "paddings");
  for (size_t i = 0; i < 8; ++i) {
    const int64_t most = sizes[i / 2] - (reflects ? 1 : 0);
    Require(0 <= paddings[i] && paddings[i] <= most, "dimension ", i / 2, " of size ", sizes[i / 2],
            " is mirrored by at most ", most, " elements, not ", paddings[i]);
    Require(i == 2 || i == 3 || i == 4 || i == 5 || paddings[i] == 0, "only height and width are padded at node '",
            c.node.name, "', not dimension ", i / 2);
  }
  return paddings;
}

// `first`: the number of the input `paddings`, behind which the filter comes.
Fused FusedOf(const OpContext& c, int first) {
  const Shape &image = c.tensor(0).shape(), &filter = c.tensor(first + 1).shape();
  Require(image.rank() == 4 && filter.rank() == 4, "images and filter must have four dimensions, not the shapes ",
          image.ToString(), " and ", filter.ToString());
  Require(image.elements() > 0, "images must not be empty: ", image.ToString());
  Fused fused{image.dim(0), image.dim(3), filter.dim(3), first == 2, c.attr<std::string>("mode") == "REFLECT", {}, {}};
  std::vector<int64_t> sizes(image.dims().begin(), image.dims().end());
  if (fused.resizes) {
    const std::vector<int64_t> size = IntegersOf(c.tensor(1), "size");
    Require(size.size() == 2 && size[0] > 0 && size[1] > 0, "size must be two positive numbers");
    std::copy(size.begin(), size.end(), sizes.begin() + 1);
  }
  const auto paddings = PaddingsOf(c, c.tensor(first), sizes, fused.reflects);
  Require(filter.dim(2) == fused.channels, "the filter is ", filter.dim(2), " deep, and the image ", fused.channels);
  Require(filter.elements() > 0, "the filter must not be empty: ", filter.ToString());
  fused.height = SideOf(c, 1, image.dim(1), sizes[1], paddings, filter.dim(0));
  fused.width = SideOf(c, 2, image.dim(2), sizes[2], paddings, filter.dim(1));
  Require(fused.height.window.out > 0 && fused.width.window.out > 0, "no window fits into images of ",
          fused.height.padded(), " x ", fused.width.padded());
  for (Side* side : {&fused.height, &fused.width}) {
    const bool aligns = fused.resizes && c.attr<bool>("resize_align_corners") && side->resized > 1;
    side->scale = aligns ? static_cast<float>(side->source - 1) / static_cast<float>(side->resized - 1)
                         : static_cast<float>(side->source) / static_cast<float>(side->resized);
  }
  return fused;
}

// A pixel of the padded image.
Real PixelOf(const Fused& fused, DType dtype, const Array<Real>& images, int64_t n, const Place& y, const Place& x,
             int64_t channel) {
  if (!y.inside || !x.inside) return 0;
  const auto at = [&](int64_t row, int64_t column) { return images[fused.PixelAt(n, row, column) + channel]; };
  if (!fused.resizes) return at(y.lower, x.lower);
  const auto between = [&](Real from, Real to, float fraction) {
    return from + (to - from) * Real(RoundTo(dtype, fraction));
  };
  const Real above = between(at(y.lower, x.lower), at(y.lower, x.upper), x.fraction);
  const Real below = between(at(y.upper, x.lower), at(y.upper, x.upper), x.fraction);
  const Real pixel = between(above, below, y.fraction);
  return {RoundTo(dtype, pixel.v), pixel.e, pixel.d};
}

// All pixels that windows see, zeros around the padded image.
Array<Real> Canvas(const Fused& fused, const Array<Real>& images) {
  const auto length = [](const Side& side) { return (side.window.out - 1) * side.window.stride + side.window.kernel; };
  auto canvas = MakeArray<Real>(images.dtype, {fused.batch, length(fused.height), length(fused.width), fused.channels});
  int64_t at = 0;
  for (int64_t n = 0; n < fused.batch; ++n) {
    for (int64_t row = 0; row < canvas.shape.dim(1); ++row) {
      const Place y = PlaceOf(fused.height, fused.reflects, row - fused.height.shift);
      for (int64_t column = 0; column < canvas.shape.dim(2); ++column) {
        const Place x = PlaceOf(fused.width, fused.reflects, column - fused.width.shift);
        for (int64_t channel = 0; channel < fused.channels; ++channel) {
          canvas[at++] = PixelOf(fused, images.dtype, images, n, y, x, channel);
        }
      }
    }
  }
  return canvas;
}

Real WindowSum(const Fused& fused, const Array<Real>& canvas, const Array<Real>& filter, int64_t n, int64_t row,
               int64_t column, int64_t output) {
  Sum sum;
  for (int64_t k = 0; k < fused.height.window.kernel; ++k) {
    for (int64_t l = 0; l < fused.width.window.kernel; ++l) {
      const int64_t pixel = (n * canvas.shape.dim(1) + row + k) * canvas.shape.dim(2) + column + l;
      const int64_t weight = k * fused.width.window.kernel + l;
      for (int64_t channel = 0; channel < fused.channels; ++channel) {
        sum.AddProduct(canvas[pixel * fused.channels + channel],
                       filter[(weight * fused.channels + channel) * fused.outputs + output]);
      }
    }
  }
  return sum.Result();
}

template <int kPaddings>
void FusedConvolution(OpContext& c) {
  const Fused fused = FusedOf(c, kPaddings);
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const Array<Real> canvas = Canvas(fused, Load<Real>(c.input(0))), filter = Load<Real>(c.input(kPaddings + 1));
    const Window &rows = fused.height.window, &columns = fused.width.window;
    auto output = MakeArray<Real>(dtype, {fused.batch, rows.out, columns.out, fused.outputs});
    SumNarrowProductsOf(dtype);
    int64_t at = 0;
    for (int64_t n = 0; n < fused.batch; ++n) {
      for (int64_t o = 0; o < rows.out; ++o) {
        for (int64_t p = 0; p < columns.out; ++p) {
          for (int64_t d = 0; d < fused.outputs; ++d) {
            output[at++] = WindowSum(fused, canvas, filter, n, o * rows.stride, p * columns.stride, d);
          }
        }
      }
    }
    c.Output(0, Store(output));
  });
}

void CheckStrides(const Node& node) {
  const auto strides = FourInts(node, "strides");
  Require(strides[0] == 1 && strides[3] == 1, "strides over batch and channels must be 1 at node '", node.name,
          "', not ", strides[0], " and ", strides[3]);
}

constexpr KernelRow kRows[] = {
    {"FusedPadConv2D", FusedConvolution<1>, CheckStrides},
    {"FusedResizeAndPadConv2D", FusedConvolution<2>, CheckStrides},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ConvolutionFusedPad() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
