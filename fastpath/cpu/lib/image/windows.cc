#include "fastpath/cpu/lib/image/windows.h"

#include <algorithm>
#include <limits>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint many_bands("images turned around: one band of rows, or several");

constexpr int64_t kMost = std::numeric_limits<int32_t>::max();

void CheckPositive(int64_t number, std::string_view what) {
  Require(number > 0 && number <= kMost, "the ", what, " of a window must be positive and fit into int32, not ",
          number);
}

// Turns `planes` matrices rows × columns around, each on its own.
template <class T>
void TransposePlanes(ThreadPool& pool, const T* from, T* to, int64_t planes, int64_t rows, int64_t columns) {
  constexpr int64_t kTile = 16;
  const int64_t bands = (rows + kTile - 1) / kTile;
  many_bands.Chosen(bands > 1);
  pool.ParallelFor(planes * bands, GrainFor(2 * kTile * columns), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t plane = i / bands * rows * columns, first = i % bands * kTile;
      const int64_t last = std::min(rows, first + kTile);
      for (int64_t column = 0; column < columns; ++column) {
        for (int64_t row = first; row < last; ++row) {
          to[plane + column * rows + row] = from[plane + row * columns + column];
        }
      }
    }
  });
}

Tensor Transposed(ThreadPool& pool, const Tensor& image, const Shape& shape, int64_t rows, int64_t columns) {
  Tensor result = Allocate(image.dtype(), shape);
  if (image.elements() == 0) return result;
  VisitType(image.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    TransposePlanes(pool, image.data<T>().data(), result.mutable_data<T>().data(), image.dim(0), rows, columns);
  });
  return result;
}

}  // namespace

Padding PaddingOf(const Node& node) {
  const auto& padding = GetAttr<std::string>(node.attrs, "padding");
  if (padding == "SAME") return Padding::kSame;
  if (padding == "VALID") return Padding::kValid;
  Require(padding == "EXPLICIT", "no padding is called ", padding);
  return Padding::kExplicit;
}

Shape ListedShape(std::string_view what, const Tensor& sizes, int rank) {
  Require(sizes.rank() == 1 && sizes.elements() == rank, what, " must be a vector of ", rank, " entries, not of shape ",
          Printed(sizes.shape()));
  return Shape(ToInt64s(sizes));
}

void RequireGradientShape(const Shape& gradient, const Shape& output) {
  Require(gradient == output, "out_backprop has the shape ", Printed(gradient), ", the output ", Printed(output));
}

std::array<int64_t, 4> FourInts(const Node& node, std::string_view attr) {
  const std::vector<int64_t>& list = Int32List(node, attr);
  Require(list.size() == 4, attr, " must have 4 entries, not ", list.size());
  return {list[0], list[1], list[2], list[3]};
}

WindowAttrs::WindowAttrs(const Node& node)
    : strides(FourInts(node, "strides")), dilations{1, 1, 1, 1}, padding(PaddingOf(node)) {
  const auto format = GetAttrOr<std::string>(node.attrs, "data_format", "NHWC");
  Require(format == "NHWC" || format == "NCHW", "data_format must be NHWC or NCHW, not ", format);
  nchw = format == "NCHW";
  if (node.attrs.contains("dilations")) dilations = FourInts(node, "dilations");
  const auto amounts = GetAttrOr<std::vector<int64_t>>(node.attrs, "explicit_paddings", {});
  Require(amounts.empty() || padding == Padding::kExplicit, "explicit_paddings are for padding EXPLICIT only");
  if (padding != Padding::kExplicit) return;
  Require(amounts.size() == 8, "explicit_paddings must have 8 entries, not ", amounts.size());
  for (size_t i = 0; i < 8; ++i) {
    Require(amounts[i] >= 0 && amounts[i] <= kMost, "explicit_paddings[", i, "] = ", amounts[i],
            " is negative or beyond int32");
    explicit_padding[i] = amounts[i];
  }
  for (const int axis : {batch(), depth()}) {
    Require(amounts[2 * axis] == 0 && amounts[2 * axis + 1] == 0, "batch and depth cannot be padded");
  }
}

WindowAxis Placed(WindowAxis axis, Padding padding) {
  Require(axis.window >= 0 && axis.window <= kMost, "the size of a window must be in [0, 2^31), not ", axis.window);
  CheckPositive(axis.stride, "stride");
  CheckPositive(axis.dilation, "dilation");
  const int64_t extent = (axis.window - 1) * axis.dilation + 1;
  if (padding == Padding::kSame) {
    axis.output = axis.input / axis.stride + (axis.input % axis.stride != 0 ? 1 : 0);
    const int64_t missing = std::max<int64_t>(0, (axis.output - 1) * axis.stride + extent - axis.input);
    axis.before = missing / 2;
    axis.after = missing - axis.before;
    return axis;
  }
  const int64_t padded = axis.input + axis.before + axis.after;
  const int64_t room = padded - extent + axis.stride;
  Require(room > -axis.stride, "a window that extends over ", extent, " does not fit into ", padded,
          ": the output size would be negative");
  axis.output = room / axis.stride;  // T8: none where less than a stride is missing
  return axis;
}

WindowAxis WindowAttrs::Place(int axis, int64_t input, int64_t window) const {
  WindowAxis wanted{.input = input, .window = window, .stride = strides[axis], .dilation = dilations[axis]};
  if (padding == Padding::kExplicit) {
    wanted.before = explicit_padding[2 * axis];
    wanted.after = explicit_padding[2 * axis + 1];
  }
  return Placed(wanted, padding);
}

Shape ToNhwc(const Shape& shape, bool nchw) {
  Require(shape.rank() == 4, "an image has 4 dimensions, not the shape ", Printed(shape));
  return nchw ? Shape{shape[0], shape[2], shape[3], shape[1]} : shape;
}
Shape FromNhwc(const Shape& shape, bool nchw) { return nchw ? Shape{shape[0], shape[3], shape[1], shape[2]} : shape; }

Tensor ToNhwc(ThreadPool& pool, const Tensor& image, bool nchw) {
  if (!nchw) return image;
  return Transposed(pool, image, ToNhwc(image.shape(), true), image.dim(1), image.dim(2) * image.dim(3));
}
Tensor FromNhwc(ThreadPool& pool, const Tensor& image, bool nchw) {
  if (!nchw) return image;
  return Transposed(pool, image, FromNhwc(image.shape(), true), image.dim(1) * image.dim(2), image.dim(3));
}

}  // namespace plumb::fast::cpu
