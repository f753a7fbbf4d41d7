#include <cmath>

#include "reference/numbers/index.h"
#include "reference/ops/image/crops.h"
#include "reference/ops/image/resizing.h"

namespace plumb::reference {
namespace {

constexpr int64_t kLargestSide = std::numeric_limits<int32_t>::max();

Crops CropsOf(const Shape& images) {
  Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.ToString());
  Require(images.dim(1) > 0 && images.dim(2) > 0 && images.dim(1) <= kLargestSide && images.dim(2) <= kLargestSide,
          "there is nothing to cut out of images of shape ", images.ToString());
  Crops crops;
  crops.batch = images.dim(0);
  crops.height = images.dim(1);
  crops.width = images.dim(2);
  crops.channels = images.dim(3);
  return crops;
}

// Completes what `images` says by the shape of the gradient of the crops.
Crops CropsOfGradient(const OpContext& c, const Shape& images, int boxes, int image_of_box) {
  const Shape& grads = c.tensor(0).shape();
  Require(grads.rank() == 4 && grads.dim(1) > 0 && grads.dim(2) > 0, "grads of shape ", grads.ToString(),
          " belong to no crops");
  Crops crops = CropsOf(images);
  crops.boxes = CountBoxes(c, boxes, image_of_box);
  Require(grads.dim(0) == crops.boxes && grads.dim(3) == crops.channels, "grads of shape ", grads.ToString(),
          " do not fit ", crops.boxes, " boxes of images of shape ", images.ToString());
  crops.crop_height = grads.dim(1);
  crops.crop_width = grads.dim(2);
  return crops;
}

// Calls f(box, y, x, row, column) for every pixel of the crops.
template <class F>
void ForEachPlace(const Crops& crops, const Reader<Real>& corners, Spacing spacing, F f) {
  if (crops.crop_shape().elements() == 0) return;
  for (int64_t box = 0; box < crops.boxes; ++box) {
    const auto corner = [&](int64_t i) { return corners[4 * box + i]; };
    for (int64_t y = 0; y < crops.crop_height; ++y) {
      const Place row = PlaceIn(corner(0), corner(2), crops.height, crops.crop_height, y, spacing);
      for (int64_t x = 0; x < crops.crop_width; ++x) {
        f(box, y, x, row, PlaceIn(corner(1), corner(3), crops.width, crops.crop_width, x, spacing));
      }
    }
  }
}

void CropAndResize(OpContext& context) {
  Crops crops = CropsOf(context.tensor(0).shape());
  crops.boxes = CountBoxes(context, 1, 2);
  const Tensor& size = context.tensor(3);
  Require(size.rank() == 1 && size.elements() == 2, "crop_size must be a vector of two, not of shape ",
          size.shape().ToString());
  const std::vector<int64_t> sizes = ToInt64s(size);
  Require(sizes[0] > 0 && sizes[1] > 0, "crops cannot have the size ", sizes[0], " x ", sizes[1]);
  crops.crop_height = sizes[0];
  crops.crop_width = sizes[1];
  const std::vector<int64_t> images_of = ImagesOfBoxes(context, 1, 2, crops.boxes, crops.batch);
  const bool is_linear = context.attr<std::string>("method") == "bilinear";
  const Real outside(context.attr<float>("extrapolation_value"));
  ForKind<Real, Integer>(context.tensor(0).dtype(), [&](auto kind) {
    const Reader<typename decltype(kind)::Type> images(context.input(0));
    ComputeIn(DType::kFloat);
    const Reader<Real> corners(context.input(1));
    Writer<Real> target(DType::kFloat, crops.crop_shape());
    ForEachPlace(crops, corners, Spacing::kOfCrops,
                 [&](int64_t box, int64_t y, int64_t x, const Place& row, const Place& column) {
                   const bool certain = row.certain && column.certain;
                   for (int64_t c = 0; c < crops.channels; ++c) {
                     const auto pixel = [&](int64_t i, int64_t k) {
                       return AsFloat(images[crops.ImageIndex(images_of[box], i, k, c)]);
                     };
                     const auto along = [&](int64_t i) {
                       return Interpolated(pixel(i, column.lower), pixel(i, column.upper), column.fraction);
                     };
                     Real value = outside;
                     if (row.inside && column.inside) {
                       value = is_linear ? Interpolated(along(row.lower), along(row.upper), row.fraction)
                                         : pixel(row.nearest, column.nearest);
                     }
                     target.Set(crops.CropIndex(box, y, x, c), If(certain, value));
                   }
                 });
    context.Output(0, target.Take());
  });
}

void CropAndResizeGradImage(OpContext& context) {
  const Tensor& size = context.tensor(3);
  Require(size.rank() == 1 && size.elements() == 4, "image_size must be a vector of four, not of shape ",
          size.shape().ToString());
  const Crops crops = CropsOfGradient(context, ShapeOf(size, "image_size"), 1, 2);
  const std::vector<int64_t> images_of = ImagesOfBoxes(context, 1, 2, crops.boxes, crops.batch);
  const bool is_linear = context.attr<std::string>("method") == "bilinear";
  const DType dtype = context.output_type(0);
  CheckResultSize(crops.image_shape());
  const Reader<Real> dy(context.input(0)), corners(context.input(1));
  ForKind<Real>(dtype, [&](auto) {
    SumProductsOf(dtype);
    arithmetic.product_unit += 4 * UnitRoundoff(DType::kFloat);  // of two weights, in float32 whatever the type
    std::vector<Sum> sums(static_cast<size_t>(crops.image_shape().elements()));
    bool all_certain = true;
    ForEachPlace(crops, corners, Spacing::kOfCrops,
                 [&](int64_t box, int64_t y, int64_t x, const Place& row, const Place& column) {
                   all_certain = all_certain && row.certain && column.certain;
                   if (!row.inside || !column.inside) return;
                   for (int64_t c = 0; c < crops.channels; ++c) {
                     const Real gradient = dy[crops.CropIndex(box, y, x, c)];
                     const auto add = [&](int64_t i, int64_t k, double weight) {
                       sums[crops.ImageIndex(images_of[box], i, k, c)].AddProduct(gradient, Real(weight));
                     };
                     if (!is_linear) {
                       add(row.nearest, column.nearest, 1);
                       continue;
                     }
                     const double below = row.fraction.v, right = column.fraction.v;
                     add(row.lower, column.lower, (1 - below) * (1 - right));
                     add(row.lower, column.upper, (1 - below) * right);
                     add(row.upper, column.lower, below * (1 - right));
                     add(row.upper, column.upper, below * right);
                   }
                 });
    Writer<Real> dx(dtype, crops.image_shape());
    for (int64_t i = 0; i < dx.size(); ++i) dx.Set(i, If(all_certain, sums[i].Result()));
    context.Output(0, dx.Take());
  });
}

void CropAndResizeGradBoxes(OpContext& context) {
  const Crops crops = CropsOfGradient(context, context.tensor(1).shape(), 2, 3);
  const std::vector<int64_t> images_of = ImagesOfBoxes(context, 2, 3, crops.boxes, crops.batch);
  const Reader<Real> dy(context.input(0)), corners(context.input(2));
  ForKind<Real, Integer>(context.tensor(1).dtype(), [&](auto kind) {
    const Reader<typename decltype(kind)::Type> images(context.input(1));
    ComputeIn(DType::kFloat);
    std::vector<Sum> sums(static_cast<size_t>(4 * crops.boxes));
    bool all_certain = true;
    // How far a pixel follows the second corner of its box, and the first one.
    const auto shares = [](int64_t size, int64_t crop_size, int64_t i) {
      const Real end(static_cast<double>(size - 1));
      if (crop_size == 1) return std::pair(end * Real(0.5), end * Real(0.5));
      const Real last = Real(static_cast<double>(i)) * (end / Real(static_cast<double>(crop_size - 1)));
      return std::pair(end - last, last);
    };
    ForEachPlace(crops, corners, Spacing::kOfBoxGradients,
                 [&](int64_t box, int64_t y, int64_t x, const Place& row, const Place& column) {
                   all_certain = all_certain && row.certain && column.certain;
                   if (!row.inside || !column.inside) return;
                   for (int64_t c = 0; c < crops.channels; ++c) {
                     const auto pixel = [&](int64_t i, int64_t k) {
                       return AsFloat(images[crops.ImageIndex(images_of[box], i, k, c)]);
                     };
                     const Real top_left = pixel(row.lower, column.lower), top_right = pixel(row.lower, column.upper);
                     const Real low_left = pixel(row.upper, column.lower), low_right = pixel(row.upper, column.upper);
                     const Real one(1), gradient = dy[crops.CropIndex(box, y, x, c)];
                     const Real down =
                         (one - column.fraction) * (low_left - top_left) + column.fraction * (low_right - top_right);
                     const Real right =
                         (one - row.fraction) * (top_right - top_left) + row.fraction * (low_right - low_left);
                     const auto [first_y, last_y] = shares(crops.height, crops.crop_height, y);
                     const auto [first_x, last_x] = shares(crops.width, crops.crop_width, x);
                     sums[4 * box].AddProduct(down * gradient, first_y);
                     sums[4 * box + 1].AddProduct(right * gradient, first_x);
                     sums[4 * box + 2].AddProduct(down * gradient, last_y);
                     sums[4 * box + 3].AddProduct(right * gradient, last_x);
                   }
                 });
    Writer<Real> dx(DType::kFloat, {crops.boxes, 4});
    for (int64_t i = 0; i < dx.size(); ++i) dx.Set(i, If(all_certain, sums[i].Result()));
    context.Output(0, dx.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"CropAndResize", CropAndResize},
    {"CropAndResizeGradImage", CropAndResizeGradImage},
    {"CropAndResizeGradBoxes", CropAndResizeGradBoxes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageCropAndResize() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
