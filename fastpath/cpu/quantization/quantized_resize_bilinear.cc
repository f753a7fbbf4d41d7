// QuantizedResizeBilinear: rows on the pool, with the places across worked out
// once.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/quantization/codes.h"

namespace plumb::fast::cpu {
namespace {

// Between two inputs along one axis: the offsets of both, and how far it is
// from the lower one.
template <class Share>
struct Place {
  int64_t lower, upper;
  Share share;
};

// Numbers between four codes, with `kBits` behind the point; floats as they
// are.
template <class Q>
struct Lerp {
  using Share = int64_t;
  static constexpr int kBits = sizeof(Q) == 1 ? 7 : 30;
  static constexpr int64_t kOne = int64_t{1} << kBits;
  static Share ShareOf(float share) { return static_cast<int64_t>(share * static_cast<float>(kOne)); }
  static Q Of(Q above_left, Q above_right, Q below_left, Q below_right, Share across, Share down) {
    const auto part = [across](Q left, Q right) {
      // Codes are rounded to float32 on their way.
      const auto from = static_cast<int64_t>(static_cast<float>(left.value));
      return from * kOne + (static_cast<int64_t>(static_cast<float>(right.value)) - from) * across;
    };
    const int64_t above = part(above_left, above_right), below = part(below_left, below_right);
    return {static_cast<CodeType<Q>>((above + (below - above) / kOne * down + kOne / 2) / kOne)};
  }
};
template <>
struct Lerp<float> {
  using Share = float;
  static float ShareOf(float share) { return share; }
  static float Of(float above_left, float above_right, float below_left, float below_right, float across, float down) {
    const float above = above_left + (above_right - above_left) * across;
    const float below = below_left + (below_right - below_left) * across;
    return above + (below - above) * down;
  }
};

class ResizeKernel final : public Kernel {
 public:
  explicit ResizeKernel(const Node &node)
      : type_(InputType(node, 0)),
        to_corners_(GetAttr<bool>(node.attrs, "align_corners")),
        centred_(GetAttr<bool>(node.attrs, "half_pixel_centers")) {}

  void Run(KernelContext &context) override {
    const float min = ScalarFloat(context, 2), max = ScalarFloat(context, 3);
    const Tensor &images = context.input(0), &size = context.input(1);
    Require(images.rank() == 4, "the images must have four dimensions, not the shape ", Printed(images.shape()));
    Require(size.rank() == 1 && size.elements() == 2, "the size must be height and width, not of shape ",
            Printed(size.shape()));
    const int64_t height = IntAt(size, 0), width = IntAt(size, 1);
    Require(height > 0 && width > 0, "height and width must be positive, not ", height, " and ", width);
    Require(images.dim(1) > 0 && images.dim(2) > 0, "the images must not be empty: ", Printed(images.shape()));
    Require(images.dim(3) > 0, "the images must have channels: ", Printed(images.shape()));
    const Shape shape = {images.dim(0), height, width, images.dim(3)};
    if (shape.elements() == 0) throw Internal("there is no range for no images");
    Tensor &resized = context.AllocateOutput(0, type_, shape);
    if (shape == images.shape()) {
      std::memcpy(resized.mutable_raw(), images.raw(), static_cast<size_t>(shape.elements()) * ElementSize(type_));
    } else if (type_ == DType::kFloat) {
      Resize<float>(context.pool(), images, resized);
    } else if (type_ == DType::kQuint8) {
      Resize<Quint8>(context.pool(), images, resized);
    } else {
      Resize<Qint32>(context.pool(), images, resized);
    }
    OutputFloat(context, 1, min);
    OutputFloat(context, 2, max);
  }

 private:
  // Offsets count `step` elements for each input.
  template <class Q>
  std::vector<Place<typename Lerp<Q>::Share>> PlacesOf(int64_t in, int64_t out, int64_t step) const {
    const bool to_corners = to_corners_ && out > 1;
    const float scale = to_corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                                   : static_cast<float>(in) / static_cast<float>(out);
    std::vector<Place<typename Lerp<Q>::Share>> places(static_cast<size_t>(out));
    for (int64_t i = 0; i < out; ++i) {
      const auto at = static_cast<float>(i);
      const float place = centred_ ? (at + 0.5F) * scale - 0.5F : at * scale, floor = std::floor(place);
      const int64_t upper = std::min(static_cast<int64_t>(std::ceil(place)), in - 1);
      const int64_t lower = std::min(std::max<int64_t>(static_cast<int64_t>(floor), 0), upper);
      places[i] = {lower * step, upper * step, Lerp<Q>::ShareOf(place - floor)};
    }
    return places;
  }

  template <class Q>
  void Resize(ThreadPool &pool, const Tensor &images, Tensor &resized) const {
    if (resized.elements() == 0) return;
    const int64_t depth = images.dim(3), row_size = images.dim(2) * depth, height = resized.dim(1);
    const auto across = PlacesOf<Q>(images.dim(2), resized.dim(2), depth);
    const auto down = PlacesOf<Q>(images.dim(1), height, row_size);
    const int64_t image_size = images.dim(1) * row_size, out_row = resized.dim(2) * depth;
    const Q *const from = images.data<Q>().data();
    Q *const to = resized.mutable_data<Q>().data();
    pool.ParallelFor(images.dim(0) * height, GrainFor(4 * out_row), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const auto &y = down[row % height];
        const Q *const image = from + row / height * image_size;
        Q *out = to + row * out_row;
        for (const auto &x : across) {
          const Q *const above = image + y.lower, *const below = image + y.upper;
          for (int64_t c = 0; c < depth; ++c) {
            *out++ = Lerp<Q>::Of(above[x.lower + c], above[x.upper + c], below[x.lower + c], below[x.upper + c],
                                 x.share, y.share);
          }
        }
      }
    });
  }

  const DType type_;
  const bool to_corners_;
  const bool centred_;
};

constexpr KernelRow kRows[] = {
    {"QuantizedResizeBilinear", Make<ResizeKernel>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizedResizeBilinear() { return kRows; }

}  // namespace plumb::fast::cpu
