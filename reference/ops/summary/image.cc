#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/ops/summary/shown.h"
#include "spec/formats/png_writer.h"

namespace plumb::reference {
namespace {

using Bytes = std::vector<uint8_t>;

// What is left of a number when its fraction is cut off and 8 bits are kept; 0 beyond 32 bits, and of NaN.
uint8_t ToByte(double number) {
  return std::abs(number) < 2147483648.0 ? static_cast<uint8_t>(static_cast<int32_t>(number)) : uint8_t{0};
}

// How numbers become bytes: each step is rounded to their type.
template <class T>
struct Scale {
  T factor, offset;
  uint8_t operator()(T number) const {
    const T product(static_cast<float>(number) * static_cast<float>(factor));
    return ToByte(static_cast<float>(T(static_cast<float>(product) + static_cast<float>(offset))));
  }
};
template <>
uint8_t Scale<double>::operator()(double number) const {
  return ToByte(number * factor + offset);
}

template <class T>
bool IsFinite(const T* pixel, int64_t channels) {
  return std::all_of(pixel, pixel + channels, [](T number) { return std::isfinite(static_cast<double>(number)); });
}

// The largest number that occurs becomes 255, or, where there are negative ones, 128 ± 127 the largest size.
template <class T>
Scale<T> ScaleFor(const T* pixels, int64_t count, int64_t channels) {
  constexpr float kZero = 1e-6f, kInfinity = std::numeric_limits<float>::infinity();
  float low = kInfinity, high = -kInfinity;
  for (int64_t i = 0; i < count; ++i) {
    if (!IsFinite(pixels + i * channels, channels)) continue;
    for (int64_t k = i * channels; k < (i + 1) * channels; ++k) {
      low = std::min(low, static_cast<float>(pixels[k]));
      high = std::max(high, static_cast<float>(pixels[k]));
    }
  }
  if (low < 0) {
    const float size = std::max(std::abs(low), std::abs(high));
    return {T(size < kZero ? 0.0f : 127.0f / size), T(128.0f)};
  }
  return {T(high < kZero ? 0.0f : 255.0f / high), T(0.0f)};
}

template <class T>
Bytes Scaled(const T* pixels, int64_t count, int64_t channels, std::span<const uint8_t> bad_color) {
  const Scale<T> scale = ScaleFor(pixels, count, channels);
  Bytes bytes;
  for (int64_t i = 0; i < count; ++i) {
    const T* const pixel = pixels + i * channels;
    const bool is_finite = IsFinite(pixel, channels);
    for (int64_t k = 0; k < channels; ++k) bytes.push_back(is_finite ? scale(pixel[k]) : bad_color[k]);
  }
  return bytes;
}

void CheckImage(const Node& node) {
  RequireColor(GetAttr<Tensor>(node.attrs, "bad_color"));
  const auto most = GetAttr<int64_t>(node.attrs, "max_images");
  Require(most >= 1 && most <= INT32_MAX, "max_images must be from 1 to 2^31 - 1, not ", most);
}

void ImageSummary(OpContext& c) {
  const Tensor& tag = c.tensor(0);
  Require(tag.rank() == 0, "tag must be a scalar, not of shape ", tag.shape().ToString());
  pb::Summary summary;
  ShowImages(tag.scalar<std::string>(), c.tensor(1), c.attr<Tensor>("bad_color"), c.attr<int64_t>("max_images"),
             &summary);
  c.Output(0, MakeScalar(summary.SerializeAsString()));
}

constexpr KernelRow kRows[] = {
    {"ImageSummary", ImageSummary, CheckImage},
};

}  // namespace

void RequireColor(const Tensor& bad_color) {
  Require(bad_color.dtype() == DType::kUint8 && bad_color.rank() == 1, "bad_color must be a vector of uint8, not ",
          bad_color.ToString());
}

void ShowImages(const std::string& tag, const Tensor& images, const Tensor& bad_color, int64_t most,
                pb::Summary* summary) {
  Require(images.rank() == 4 && (images.dim(3) == 1 || images.dim(3) == 3 || images.dim(3) == 4),
          "images must be of shape [batch, height, width, 1, 3 or 4], not ", images.shape().ToString());
  const int64_t height = images.dim(1), width = images.dim(2), channels = images.dim(3);
  Require(images.dim(0) <= INT32_MAX && height <= INT32_MAX && width <= INT32_MAX && height * width < int64_t{1} << 29,
          "images of shape ", images.shape().ToString(), " are too large for a summary");
  Require(images.dim(0) == 0 || height * width > 0, "images of shape ", images.shape().ToString(), " have no pixels");
  Require(images.dtype() == DType::kUint8 || bad_color.elements() >= channels, "bad_color has ", bad_color.elements(),
          " channels, and images have ", channels);
  for (int64_t i = 0; i < std::min(most, images.dim(0)); ++i) {
    const int64_t pixels = height * width;
    Bytes bytes;
    VisitType(images.dtype(), [&](auto type) {
      using T = typename decltype(type)::Type;
      if constexpr (std::is_same_v<T, uint8_t>) {
        const auto all = images.data<T>();
        bytes.assign(all.begin() + i * pixels * channels, all.begin() + (i + 1) * pixels * channels);
      } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half>) {
        bytes = Scaled(images.data<T>().data() + i * pixels * channels, pixels, channels, bad_color.data<uint8_t>());
      }
    });
    pb::Summary::Value* const value = summary->add_value();
    value->set_tag(tag + "/image" + (most > 1 ? "/" + std::to_string(i) : ""));
    value->mutable_image()->set_height(static_cast<int32_t>(height));
    value->mutable_image()->set_width(static_cast<int32_t>(width));
    value->mutable_image()->set_colorspace(static_cast<int32_t>(channels));
    value->mutable_image()->set_encoded_image_string(PngFile(bytes.data(), height, width, static_cast<int>(channels)));
  }
}

namespace topics {
std::span<const KernelRow> SummaryImage() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
