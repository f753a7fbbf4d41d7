#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/summary/shown.h"
#include "spec/formats/png_writer.h"

namespace plumb::fast::cpu {
namespace {

// Half is computed in float, and rounded after each step.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Half>, float, T>;

template <class T>
class Pixels {
 public:
  Pixels(const T* pixels, int64_t count, int64_t channels) : pixels_(pixels), count_(count), channels_(channels) {}

  void Write(const uint8_t* bad_color, uint8_t* to) const {
    const auto [factor, offset] = Transform();
    for (int64_t i = 0; i < count_; ++i, to += channels_) {
      const T* const pixel = pixels_ + i * channels_;
      if (!IsFinite(pixel)) {
        std::copy_n(bad_color, channels_, to);
        continue;
      }
      for (int64_t k = 0; k < channels_; ++k) {
        const T product(static_cast<Wide<T>>(pixel[k]) * factor);
        to[k] = Byte(static_cast<Wide<T>>(T(static_cast<Wide<T>>(product) + offset)));
      }
    }
  }

 private:
  bool IsFinite(const T* pixel) const {
    for (int64_t k = 0; k < channels_; ++k) {
      if (!std::isfinite(static_cast<Wide<T>>(pixel[k]))) return false;
    }
    return true;
  }
  // Toward zero; the low bits of what 32 bits hold, and zero for all else.
  static uint8_t Byte(Wide<T> number) {
    constexpr Wide<T> kEnd = 2147483648.0f;
    return number > -kEnd && number < kEnd ? static_cast<uint8_t>(static_cast<int32_t>(number)) : uint8_t{0};
  }
  std::pair<Wide<T>, Wide<T>> Transform() const {
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (int64_t i = 0; i < count_; ++i) {
      const T* const pixel = pixels_ + i * channels_;
      if (!IsFinite(pixel)) continue;
      for (int64_t k = 0; k < channels_; ++k) {
        low = std::min(low, static_cast<float>(pixel[k]));
        high = std::max(high, static_cast<float>(pixel[k]));
      }
    }
    const bool is_signed = low < 0;
    const float size = is_signed ? std::max(-low, std::abs(high)) : high;
    constexpr float kThreshold = 1e-6f;
    const float factor = size < kThreshold ? 0.0f : (is_signed ? 127.0f : 255.0f) / size;
    return {static_cast<Wide<T>>(T(factor)), is_signed ? 128.0f : 0.0f};
  }

  const T* const pixels_;
  const int64_t count_, channels_;
};

constexpr Types<float, double, Half> kTypes = {};

void CheckImages(const Tensor& images, const Tensor& bad_color) {
  Require(images.rank() == 4 && (images.dim(3) == 1 || images.dim(3) == 3 || images.dim(3) == 4),
          "images have the shape [batch, height, width, channels] with 1, 3 or 4 channels, not ",
          Printed(images.shape()));
  constexpr int64_t kMostPixels = int64_t{1} << 29;
  for (int axis = 0; axis < 3; ++axis) {
    Require(images.dim(axis) <= INT32_MAX, "a dimension is too large in ", Printed(images.shape()));
  }
  Require(images.dim(1) * images.dim(2) < kMostPixels, "a summary has no room for images of shape ",
          Printed(images.shape()));
  Require(images.dim(0) == 0 || images.elements() > 0, "there are no pixels in images of shape ",
          Printed(images.shape()));
  Require(images.dtype() == DType::kUint8 || bad_color.elements() >= images.dim(3), "bad_color has only ",
          bad_color.elements(), " of ", images.dim(3), " channels");
}

void Fill(const Tensor& images, const Tensor& bad_color, int64_t i, pb::Summary::Image& image) {
  const int64_t height = images.dim(1), width = images.dim(2), channels = images.dim(3);
  const int64_t size = height * width * channels;
  image.set_height(static_cast<int32_t>(height));
  image.set_width(static_cast<int32_t>(width));
  image.set_colorspace(static_cast<int32_t>(channels));
  const auto write = [&](const uint8_t* bytes) {
    *image.mutable_encoded_image_string() = PngFile(bytes, height, width, static_cast<int>(channels));
  };
  if (images.dtype() == DType::kUint8) return write(images.data<uint8_t>().data() + i * size);
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  VisitOneOf(kTypes, images.dtype(), false, [&](auto type) {
    using T = typename decltype(type)::Type;
    Pixels<T>(images.data<T>().data() + i * size, height * width, channels)
        .Write(bad_color.data<uint8_t>().data(), bytes.data());
    return true;
  });
  write(bytes.data());
}

class ImagesSummary : public Kernel {
 public:
  explicit ImagesSummary(const Node& node)
      : most_(GetAttr<int64_t>(node.attrs, "max_images")), bad_color_(GetAttr<Tensor>(node.attrs, "bad_color")) {
    Require(most_ >= 1 && most_ <= INT32_MAX, "max_images has 31 bits, and is not ", most_);
    Require(bad_color_.dtype() == DType::kUint8 && bad_color_.rank() == 1, "bad_color is a vector of uint8, and not ",
            bad_color_.ToString());
  }

  void Run(KernelContext& context) override {
    const Tensor& tag = context.input(0);
    Require(tag.rank() == 0, "the tag is one string, not a tensor of shape ", Printed(tag.shape()));
    pb::Summary summary;
    ShowImages(context.pool(), tag.scalar<std::string>(), context.input(1), bad_color_, most_, summary);
    summary.SerializeToString(context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>().data());
  }

 private:
  const int64_t most_;
  const Tensor bad_color_;
};

constexpr KernelRow kRows[] = {
    {"ImageSummary", Make<ImagesSummary>},
};

}  // namespace

void ShowImages(ThreadPool& pool, const std::string& tag, const Tensor& images, const Tensor& bad_color, int64_t most,
                pb::Summary& summary) {
  CheckImages(images, bad_color);
  const int64_t count = std::min(most, images.dim(0));
  for (int64_t i = 0; i < count; ++i) summary.add_value();
  pool.ParallelFor(count, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      pb::Summary::Value& value = *summary.mutable_value(static_cast<int>(i));
      value.set_tag(tag + "/image" + (most > 1 ? "/" + std::to_string(i) : ""));
      Fill(images, bad_color, i, *value.mutable_image());
    }
  });
}

std::span<const KernelRow> SummaryImage() { return kRows; }

}  // namespace plumb::fast::cpu
