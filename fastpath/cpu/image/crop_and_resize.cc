#include <cmath>

#include "fastpath/cpu/image/resizing.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/formulas/image/crop_sizes.h"

namespace plumb::fast::cpu {
namespace {

struct Crops : CropSizes {
  int64_t row() const { return width * channels; }
  int64_t image() const { return height * row(); }
  int64_t crop_row() const { return crop_width * channels; }
};

// The images that boxes belong to, copied so that nobody changes them after the check; kOutOfRange where there is no
// such image, kInvalidArgument where a corner is not finite.
std::vector<int64_t> ImagesOf(const Tensor& corners, const Tensor& box_ind, const Crops& crops) {
  std::vector<int64_t> images(static_cast<size_t>(crops.boxes));
  for (size_t i = 0; i < images.size(); ++i) {
    images[i] = box_ind.data<int32_t>()[i];
    if (images[i] < 0 || images[i] >= crops.batch) {
      throw OutOfRange("box ", i, " belongs to image ", images[i], " of ", crops.batch);
    }
  }
  for (const float corner : corners.data<float>()) Require(std::isfinite(corner), "the corner of a box is ", corner);
  return images;
}

// Where a row, or column, of a crop falls: between two of the image's, or outside.
struct Place {
  bool inside = false;
  int64_t lower = 0, upper = 0, nearest = 0;
  float fraction = 0;
};

enum class Spacing { kOfCrops, kOfBoxGradients };

// In float32, step by step, for the roundings decide between neighbours.
std::vector<Place> PlacesIn(float first, float last, int64_t size, int64_t crop_size, Spacing spacing) {
  std::vector<Place> places(static_cast<size_t>(crop_size));
  const auto end = static_cast<float>(size - 1), steps = static_cast<float>(crop_size - 1);
  float start = first * end, distance = 0;
  if (crop_size > 1) {
    distance = spacing == Spacing::kOfCrops ? (last - first) * end / steps : (last - first) * (end / steps);
  } else {
    start = 0.5f * (first + last) * end;
  }
  const auto index = [&](float x) { return std::min(static_cast<int64_t>(x), size - 1); };
  for (size_t i = 0; i < places.size(); ++i) {
    const float offset = static_cast<float>(i) * distance;
    const float at = crop_size > 1 ? start + offset : start;
    if (!(at >= 0 && at <= end)) continue;
    places[i] = {true, index(std::floor(at)), index(std::ceil(at)), index(std::round(at)), 0};
    places[i].fraction = at - static_cast<float>(places[i].lower);
  }
  return places;
}

template <class T>
class CropAndResize final : public Kernel {
 public:
  explicit CropAndResize(const Node& node)
      : is_linear_(GetAttrOr<std::string>(node.attrs, "method", "bilinear") == "bilinear"),
        outside_(GetAttrOr(node.attrs, "extrapolation_value", 0.0f)) {}

  void Run(KernelContext& context) override {
    const Crops crops{
        CropSizes::Of(context.input(0).shape(), context.input(1).shape(), context.input(2).shape(), context.input(3))};
    const std::vector<int64_t> images = ImagesOf(context.input(1), context.input(2), crops);
    const Tensor boxes = context.input(1);
    const T* const from = context.input(0).data<T>().data();
    Tensor& output = context.AllocateOutput(0, DType::kFloat, crops.crop_shape());
    if (output.elements() == 0) return;
    float* const to = output.mutable_data<float>().data();
    const int64_t crop = crops.crop_height * crops.crop_row();
    context.pool().ParallelFor(crops.boxes, GrainFor(8 * crop), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const float* const corners = boxes.data<float>().data() + 4 * i;
        const auto rows = PlacesIn(corners[0], corners[2], crops.height, crops.crop_height, Spacing::kOfCrops);
        const auto columns = PlacesIn(corners[1], corners[3], crops.width, crops.crop_width, Spacing::kOfCrops);
        const T* const image = from + images[static_cast<size_t>(i)] * crops.image();
        float* target = to + i * crop;
        for (const Place& row : rows) {
          for (const Place& column : columns) {
            WritePixel(crops, image, row, column, target);
            target += crops.channels;
          }
        }
      }
    });
  }

 private:
  void WritePixel(const Crops& crops, const T* image, const Place& row, const Place& column, float* to) const {
    if (!row.inside || !column.inside) {
      std::fill_n(to, crops.channels, outside_);
      return;
    }
    const auto pixel = [&](int64_t y, int64_t x) { return image + y * crops.row() + x * crops.channels; };
    if (!is_linear_) {
      const T* const nearest = pixel(row.nearest, column.nearest);
      for (int64_t c = 0; c < crops.channels; ++c) to[c] = static_cast<float>(nearest[c]);
      return;
    }
    const auto between = [](float from, float to_, float fraction) { return from + (to_ - from) * fraction; };
    const T *const top_left = pixel(row.lower, column.lower), *const top_right = pixel(row.lower, column.upper);
    const T *const low_left = pixel(row.upper, column.lower), *const low_right = pixel(row.upper, column.upper);
    for (int64_t c = 0; c < crops.channels; ++c) {
      const float top = between(static_cast<float>(top_left[c]), static_cast<float>(top_right[c]), column.fraction);
      const float low = between(static_cast<float>(low_left[c]), static_cast<float>(low_right[c]), column.fraction);
      to[c] = between(top, low, row.fraction);
    }
  }

  const bool is_linear_;
  const float outside_;
};

template <class T>
class CropAndResizeGradImage final : public Kernel {
 public:
  explicit CropAndResizeGradImage(const Node& node)
      : is_linear_(GetAttrOr<std::string>(node.attrs, "method", "bilinear") == "bilinear") {}

  void Run(KernelContext& context) override {
    const Crops crops{CropSizes::OfGradient(context.input(0).shape(), ImagesOfSize(context.input(3)),
                                            context.input(1).shape(), context.input(2).shape())};
    const std::vector<int64_t> images = ImagesOf(context.input(1), context.input(2), crops);
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, crops.image_shape());
    if (crops.crop_shape().elements() == 0) return FillZero(context.pool(), output);
    // Boxes may overlap: they are added one after the other, in one thread.
    std::vector<Accumulator> sums(static_cast<size_t>(output.elements()));
    const float* gradient = context.input(0).data<float>().data();
    for (int64_t i = 0; i < crops.boxes; ++i) {
      const float* const corners = context.input(1).data<float>().data() + 4 * i;
      const auto rows = PlacesIn(corners[0], corners[2], crops.height, crops.crop_height, Spacing::kOfCrops);
      const auto columns = PlacesIn(corners[1], corners[3], crops.width, crops.crop_width, Spacing::kOfCrops);
      Accumulator* const image = sums.data() + images[static_cast<size_t>(i)] * crops.image();
      for (const Place& row : rows) {
        for (const Place& column : columns) {
          if (row.inside && column.inside) AddPixel(crops, image, row, column, gradient);
          gradient += crops.channels;
        }
      }
    }
    T* const to = output.mutable_data<T>().data();
    for (size_t i = 0; i < sums.size(); ++i) to[i] = static_cast<T>(sums[i]);
  }

 private:
  using Accumulator = std::conditional_t<kIsFloat16<T>, float, T>;

  void AddPixel(const Crops& crops, Accumulator* image, const Place& row, const Place& column,
                const float* gradient) const {
    const auto add = [&](int64_t y, int64_t x, float in_row, float in_column) {
      Accumulator* const sum = image + y * crops.row() + x * crops.channels;
      for (int64_t c = 0; c < crops.channels; ++c) {
        sum[c] += static_cast<Accumulator>(in_column * (in_row * gradient[c]));
      }
    };
    if (!is_linear_) return add(row.nearest, column.nearest, 1, 1);
    add(row.lower, column.lower, 1 - row.fraction, 1 - column.fraction);
    add(row.lower, column.upper, 1 - row.fraction, column.fraction);
    add(row.upper, column.lower, row.fraction, 1 - column.fraction);
    add(row.upper, column.upper, row.fraction, column.fraction);
  }

  const bool is_linear_;
};

template <class T>
class CropAndResizeGradBoxes final : public Kernel {
 public:
  explicit CropAndResizeGradBoxes(const Node&) {}

  void Run(KernelContext& context) override {
    const Crops crops{CropSizes::OfGradient(context.input(0).shape(), context.input(1).shape(),
                                            context.input(2).shape(), context.input(3).shape())};
    const std::vector<int64_t> images = ImagesOf(context.input(2), context.input(3), crops);
    const Tensor boxes = context.input(2);
    const T* const from = context.input(1).data<T>().data();
    const float* const grads = context.input(0).data<float>().data();
    Tensor& output = context.AllocateOutput(0, DType::kFloat, Shape({crops.boxes, 4}));
    if (crops.crop_shape().elements() == 0) return FillZero(context.pool(), output);
    float* const to = output.mutable_data<float>().data();
    const int64_t crop = crops.crop_height * crops.crop_row();
    context.pool().ParallelFor(crops.boxes, GrainFor(24 * crop), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        AddBox(crops, from + images[static_cast<size_t>(i)] * crops.image(), boxes.data<float>().data() + 4 * i,
               grads + i * crop, to + 4 * i);
      }
    });
  }

 private:
  static void AddBox(const Crops& crops, const T* image, const float* corners, const float* gradient, float* to) {
    const auto rows = PlacesIn(corners[0], corners[2], crops.height, crops.crop_height, Spacing::kOfBoxGradients);
    const auto columns = PlacesIn(corners[1], corners[3], crops.width, crops.crop_width, Spacing::kOfBoxGradients);
    float sums[4] = {};
    for (size_t y = 0; y < rows.size(); ++y) {
      const auto [first_y, last_y] = Shares(crops.height, crops.crop_height, y);
      for (size_t x = 0; x < columns.size(); ++x) {
        const auto [first_x, last_x] = Shares(crops.width, crops.crop_width, x);
        if (rows[y].inside && columns[x].inside) {
          const auto [down, right] = Slopes(crops, image, rows[y], columns[x], gradient);
          sums[0] += down * first_y;
          sums[1] += right * first_x;
          sums[2] += down * last_y;
          sums[3] += right * last_x;
        }
        gradient += crops.channels;
      }
    }
    std::copy_n(sums, 4, to);
  }

  // How far a pixel of the crop follows the first corner of its box, and the second one.
  static std::pair<float, float> Shares(int64_t size, int64_t crop_size, size_t i) {
    const auto end = static_cast<float>(size - 1);
    if (crop_size == 1) return {end * 0.5f, end * 0.5f};
    const float last = static_cast<float>(i) * (end / static_cast<float>(crop_size - 1));
    return {end - last, last};
  }

  // How the crop changes when its pixel moves down and to the right, times the gradient, over all channels.
  static std::pair<float, float> Slopes(const Crops& crops, const T* image, const Place& row, const Place& column,
                                        const float* gradient) {
    const auto pixel = [&](int64_t y, int64_t x) { return image + y * crops.row() + x * crops.channels; };
    const T *const top_left = pixel(row.lower, column.lower), *const top_right = pixel(row.lower, column.upper);
    const T *const low_left = pixel(row.upper, column.lower), *const low_right = pixel(row.upper, column.upper);
    float down = 0, right = 0;
    for (int64_t c = 0; c < crops.channels; ++c) {
      const auto tl = static_cast<float>(top_left[c]), tr = static_cast<float>(top_right[c]);
      const auto bl = static_cast<float>(low_left[c]), br = static_cast<float>(low_right[c]);
      down += ((1 - column.fraction) * (bl - tl) + column.fraction * (br - tr)) * gradient[c];
      right += ((1 - row.fraction) * (tr - tl) + row.fraction * (br - bl)) * gradient[c];
    }
    return {down, right};
  }
};

constexpr KernelRow kRows[] = {
    {"CropAndResize", MakeForPixels<CropAndResize, PixelTypes, 0>},
    {"CropAndResizeGradImage", MakeFor<CropAndResizeGradImage, Types<float, double, Half>>},
    {"CropAndResizeGradBoxes", MakeForPixels<CropAndResizeGradBoxes, PixelTypes, 1>},
};

}  // namespace

std::span<const KernelRow> ImageCropAndResize() { return kRows; }

}  // namespace plumb::fast::cpu
