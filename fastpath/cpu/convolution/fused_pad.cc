// FusedPadConv2D, FusedResizeAndPadConv2D: what windows see of the resized and mirrored images is laid out, with the
// zeros around it, and convolved as it lies there.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "spec/core/memory.h"

namespace plumb::fast::cpu {
namespace {

// Where a pixel comes from along one axis: between two of the image, or from outside.
struct Origin {
  int64_t lower = -1, upper = -1;
  float fraction = 0;
  bool is_outside() const { return lower < 0; }
};

struct AxisPlan {
  WindowAxis windows;  // over what is laid out, without padding
  std::vector<Origin> origins;
};

// One axis of an image: its size, that of the resized image, and of what is mirrored before and behind it.
struct AxisSizes {
  int64_t source, resized, before, after;
  bool aligns, reflects;

  float scale() const {
    return aligns && resized > 1 ? static_cast<float>(source - 1) / static_cast<float>(resized - 1)
                                 : static_cast<float>(source) / static_cast<float>(resized);
  }
  // Of place `at` in the padded image.
  Origin OriginOf(int64_t at) const {
    if (at < 0 || at >= before + resized + after) return {};
    const int64_t skipped = reflects ? 1 : 0, from_start = at - before;
    const int64_t mirrored = from_start < 0          ? skipped - 1 - from_start
                             : from_start >= resized ? 2 * resized - 1 - skipped - from_start
                                                     : from_start;
    const float place = static_cast<float>(mirrored) * scale(), floor = std::floor(place);
    return {std::min(static_cast<int64_t>(floor), source - 1),
            std::min(static_cast<int64_t>(std::ceil(place)), source - 1), place - floor};
  }
};

// Pixels of images laid out, in arithmetic of T; `kInHalf`: each step is rounded to what half holds.
template <class T, bool kInHalf>
class Layout {
 public:
  Layout(const ConvolutionSize& size, const AxisSizes (&sizes)[2], const AxisPlan (&plans)[2], bool resizes)
      : rows_(plans[0].origins),
        columns_(plans[1].origins),
        channels_(size.in_depth),
        height_(sizes[0].source),
        row_(sizes[1].source * size.in_depth),
        resizes_(resizes) {}

  // Row `i` of all images together.
  void Fill(const T* images, int64_t i, T* to) const {
    const auto height = static_cast<int64_t>(rows_.size());
    const Origin& row = rows_[static_cast<size_t>(i % height)];
    const T* const image = images + i / height * height_ * row_;
    for (const Origin& column : columns_) {
      if (row.is_outside() || column.is_outside()) {
        std::fill_n(to, channels_, T(0));
      } else if (!resizes_) {
        std::copy_n(image + row.lower * row_ + column.lower * channels_, channels_, to);
      } else {
        Blend(image + row.lower * row_, image + row.upper * row_, row, column, to);
      }
      to += channels_;
    }
  }

 private:
  void Blend(const T* above, const T* below, const Origin& row, const Origin& column, T* to) const {
    const int64_t left = column.lower * channels_, right = column.upper * channels_;
    const T x = Step(static_cast<T>(column.fraction)), y = Step(static_cast<T>(row.fraction));
    for (int64_t c = 0; c < channels_; ++c) {
      to[c] = Between(Between(above[left + c], above[right + c], x), Between(below[left + c], below[right + c], x), y);
    }
  }
  static T Between(T from, T to, T fraction) { return Step(from + Step(Step(to - from) * fraction)); }
  static T Step(T x) {
    if constexpr (kInHalf) {
      return static_cast<float>(Half(x));
    } else {
      return x;
    }
  }

  const std::vector<Origin>&rows_, &columns_;
  const int64_t channels_, height_, row_;
  const bool resizes_;
};

class FusedConvolution final : public Kernel {
 public:
  FusedConvolution(const Node& node, bool resizes)
      : dtype_(InputType(node, 0)),
        strides_(FourInts(node, "strides")),
        padding_(PaddingOf(node)),
        resizes_(resizes),
        reflects_(GetAttr<std::string>(node.attrs, "mode") == "REFLECT"),
        aligns_(resizes && GetAttr<bool>(node.attrs, "resize_align_corners")) {
    Require(strides_[0] == 1 && strides_[3] == 1, "strides over batch and channels must be 1, not ", strides_[0],
            " and ", strides_[3]);
  }

  void Run(KernelContext& context) override {
    const int paddings = resizes_ ? 2 : 1;
    const Tensor &images = context.input(0), &filter = context.input(paddings + 1);
    RequireImages(images.shape(), filter.shape());
    const AxisSizes sizes[] = {SizesOf(context, 1), SizesOf(context, 2)};
    RequirePaddings(context.input(paddings), images.shape());
    const AxisPlan plans[] = {Planned(sizes[0], strides_[1], filter.dim(0)),
                              Planned(sizes[1], strides_[2], filter.dim(1))};
    ConvolutionSize size;
    size.batch = images.dim(0);
    size.rows = plans[0].windows;
    size.columns = plans[1].windows;
    size.in_depth = images.dim(3);
    size.out_depth = filter.dim(3);
    ThreadPool& pool = context.pool();
    const Tensor pixels = AsFloat(pool, images), weights = AsFloat(pool, filter);
    Tensor canvas = Allocate(ComputeType(dtype_), size.input()), output = Allocate(ComputeType(dtype_), size.output());
    const auto lay_out = [&]<class T, bool kInHalf>(const Layout<T, kInHalf>& layout) {
      const T* const from = pixels.data<T>().data();
      T* const to = canvas.mutable_data<T>().data();
      const int64_t row = size.columns.input * size.in_depth;
      pool.ParallelFor(size.batch * size.rows.input, GrainFor(8 * row), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) layout.Fill(from, i, to + i * row);
      });
    };
    if (dtype_ == DType::kDouble) {
      lay_out(Layout<double, false>(size, sizes, plans, resizes_));
      PlainConvolution(pool, size, canvas.data<double>().data(), weights.data<double>().data(),
                       output.mutable_data<double>().data());
    } else {
      if (dtype_ == DType::kHalf) {
        lay_out(Layout<float, true>(size, sizes, plans, resizes_));
      } else {
        lay_out(Layout<float, false>(size, sizes, plans, resizes_));
      }
      LibraryConvolution(pool, size, canvas.data<float>().data(), weights.data<float>().data(),
                         output.mutable_data<float>().data());
    }
    context.SetOutput(0, RoundedTo(pool, dtype_, std::move(output)));
  }

 private:
  void RequireImages(const Shape& images, const Shape& filter) const {
    Require(images.rank() == 4 && filter.rank() == 4, "images and filter must have 4 dimensions, not the shapes ",
            Printed(images), " and ", Printed(filter));
    Require(images.elements() > 0 && filter.elements() > 0, "images of shape ", Printed(images), " or filter of shape ",
            Printed(filter), " is empty");
    Require(images[3] == filter[2], "the images are ", images[3], " deep, and the filter ", filter[2]);
  }

  AxisSizes SizesOf(const KernelContext& context, int axis) const {
    const Tensor& table = context.input(resizes_ ? 2 : 1);
    Require(table.rank() == 2 && table.dim(0) == 4 && table.dim(1) == 2, "paddings must have the shape [4,2], not ",
            Printed(table.shape()));
    AxisSizes sizes{context.input(0).dim(axis),
                    context.input(0).dim(axis),
                    IntAt(table, 2 * axis),
                    IntAt(table, 2 * axis + 1),
                    aligns_,
                    reflects_};
    if (resizes_) {
      const Tensor& wanted = context.input(1);
      Require(wanted.rank() == 1 && wanted.elements() == 2 && IntAt(wanted, axis - 1) > 0,
              "size must be two positive numbers");
      sizes.resized = IntAt(wanted, axis - 1);
    }
    const int64_t most = sizes.resized - (reflects_ ? 1 : 0);
    Require(0 <= sizes.before && sizes.before <= most && 0 <= sizes.after && sizes.after <= most, "dimension ", axis,
            " of size ", sizes.resized, " is mirrored by at most ", most, " elements, not ", sizes.before, " and ",
            sizes.after);
    return sizes;
  }
  // Height and width alone are padded.
  void RequirePaddings(const Tensor& table, const Shape& images) const {
    for (const int i : {0, 1, 6, 7}) {
      Require(IntAt(table, i) == 0, "images of shape ", Printed(images),
              " are padded in height and width alone, not by ", IntAt(table, i), " in dimension ", i / 2);
    }
  }

  AxisPlan Planned(const AxisSizes& sizes, int64_t stride, int64_t window) const {
    const int64_t padded = sizes.before + sizes.resized + sizes.after;
    const WindowAxis placed = Placed({.input = padded, .window = window, .stride = stride}, padding_);
    Require(placed.output > 0, "no window of ", window, " fits into ", padded, " pixels");
    const int64_t seen = (placed.output - 1) * stride + window, over = seen - padded;
    // Windows stand in the middle, VALID ones rounded up.
    const int64_t shift = (padding_ == Padding::kValid ? over + 1 : over) / 2;
    AxisPlan plan{{.input = seen, .window = window, .stride = stride, .output = placed.output}, {}};
    RequireMemory(seen, sizeof(Origin));
    plan.origins.reserve(static_cast<size_t>(seen));
    for (int64_t at = 0; at < seen; ++at) plan.origins.push_back(sizes.OriginOf(at - shift));
    return plan;
  }

  const DType dtype_;
  const std::array<int64_t, 4> strides_;
  const Padding padding_;
  const bool resizes_, reflects_, aligns_;
};

constexpr KernelRow kRows[] = {
    {"FusedPadConv2D", MakeWith<FusedConvolution, false>},
    {"FusedResizeAndPadConv2D", MakeWith<FusedConvolution, true>},
};

}  // namespace

std::span<const KernelRow> ConvolutionFusedPad() { return kRows; }

}  // namespace plumb::fast::cpu
