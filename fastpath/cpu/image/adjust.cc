// Contrast, hue and saturation changed.
#include <algorithm>
#include <span>
#include <vector>

#include "fastpath/cpu/image/colors.h"
#include "fastpath/cpu/image/hue_loop.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kPixelWork = 48;
// Pixels whose sums stay in one chain; a mean is that of such pieces, which are added up as a tree is cut.
constexpr int64_t kPiece = 512;

constinit ChoicePoint mean_pieces("mean of an image: one piece, or several");

void CheckImages(const KernelContext& context, std::string_view what) {
  const Shape& images = context.input(0).shape();
  Require(images.rank() >= 3, "images must have three dimensions at least, not the shape ", images.ToString());
  Require(context.input(1).rank() == 0, what, " must be a scalar, not of shape ", context.input(1).shape().ToString());
}

// Of n pixels of three channels, in registers.
template <class T>
void AddColors(const T* pixels, int64_t n, float* sums) {
  float red = 0, green = 0, blue = 0;
  for (int64_t i = 0; i < 3 * n; i += 3) {
    red += static_cast<float>(pixels[i]);
    green += static_cast<float>(pixels[i + 1]);
    blue += static_cast<float>(pixels[i + 2]);
  }
  sums[0] = red;
  sums[1] = green;
  sums[2] = blue;
}

// The sums of the channels of pixels [begin, end).
template <class T>
void AddPixels(const T* image, int64_t begin, int64_t end, std::vector<float>& sums) {
  const auto channels = static_cast<int64_t>(sums.size());
  if (end - begin > kPiece) {
    const int64_t middle = begin + (end - begin) / 2;
    std::vector<float> rest(sums.size());
    AddPixels(image, begin, middle, sums);
    AddPixels(image, middle, end, rest);
    for (size_t c = 0; c < sums.size(); ++c) sums[c] += rest[c];
    return;
  }
  if (channels == 3) return AddColors(image + 3 * begin, end - begin, sums.data());
  std::fill(sums.begin(), sums.end(), 0.0f);
  for (int64_t i = begin; i < end; ++i) {
    for (int64_t c = 0; c < channels; ++c) sums[static_cast<size_t>(c)] += static_cast<float>(image[i * channels + c]);
  }
}

// (pixel − mean) · factor + mean for n pixels.
void Scale(const float* from, float* to, int64_t n, float factor, std::span<const float> means) {
  if (means.size() == 3) {
    const float red = means[0], green = means[1], blue = means[2];
    for (const float* const end = from + 3 * n; from < end; from += 3, to += 3) {
      const float changed[] = {(from[0] - red) * factor + red, (from[1] - green) * factor + green,
                               (from[2] - blue) * factor + blue};
      std::copy_n(changed, 3, to);
    }
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    for (const float mean : means) *to++ = (*from++ - mean) * factor + mean;
  }
}

class AdjustContrast final : public Kernel {
 public:
  explicit AdjustContrast(const Node&) {}

  void Run(KernelContext& context) override {
    CheckImages(context, "contrast_factor");
    const Shape shape = context.input(0).shape();
    const int rank = shape.rank();
    const int64_t channels = shape[rank - 1], pixels = ElementsIn(shape, rank - 3, rank - 1);
    const float factor = context.input(1).data<float>()[0];
    const float* const from = context.input(0).data<float>().data();
    float* const to = context.ForwardOrAllocate(0, 0, DType::kFloat, shape).mutable_data<float>().data();
    if (shape.elements() == 0) return;
    const int64_t size = pixels * channels, images = shape.elements() / size;
    mean_pieces.Chosen(pixels > kPiece);
    std::vector<float> means(static_cast<size_t>(images * channels));
    context.pool().ParallelFor(images, GrainFor(4 * size), [&](int64_t begin, int64_t end) {
      std::vector<float> sums(static_cast<size_t>(channels));
      for (int64_t image = begin; image < end; ++image) {
        AddPixels(from + image * size, 0, pixels, sums);
        for (int64_t c = 0; c < channels; ++c) {
          means[static_cast<size_t>(image * channels + c)] = sums[static_cast<size_t>(c)] / static_cast<float>(pixels);
        }
      }
    });
    ScaleAll(context.pool(), {images, pixels, channels}, from, factor, means, to);
  }

 private:
  struct Sizes {
    int64_t images, pixels, channels;
  };

  // In pieces of images, of which there may be one.
  static void ScaleAll(ThreadPool& pool, const Sizes& size, const float* from, float factor,
                       const std::vector<float>& means, float* to) {
    pool.ParallelFor(size.images * size.pixels, GrainFor(4 * size.channels), [&](int64_t begin, int64_t end) {
      for (int64_t at = begin; at < end;) {
        const int64_t image = at / size.pixels, next = std::min(end, (image + 1) * size.pixels);
        const std::span<const float> own(means.data() + image * size.channels, static_cast<size_t>(size.channels));
        Scale(from + at * size.channels, to + at * size.channels, next - at, factor, own);
        at = next;
      }
    });
  }
};

// The first version holds what comes of it between two numbers.
template <class T>
class AdjustContrastV1 final : public Kernel {
 public:
  explicit AdjustContrastV1(const Node&) {}

  void Run(KernelContext& context) override {
    CheckImages(context, "contrast_factor");
    for (const int i : {2, 3}) {
      Require(context.input(i).rank() == 0, "input ", i, " must be a scalar, not of shape ",
              context.input(i).shape().ToString());
    }
    const Shape shape = context.input(0).shape();
    const int rank = shape.rank();
    const int64_t channels = shape[rank - 1], pixels = ElementsIn(shape, rank - 3, rank - 1);
    mean_pieces.Chosen(pixels > kPiece);
    const float factor = Scalar(context, 1), least = Scalar(context, 2), most = Scalar(context, 3);
    const T* const from = context.input(0).data<T>().data();
    float* const to = context.AllocateOutput(0, DType::kFloat, shape).template mutable_data<float>().data();
    if (shape.elements() == 0) return;
    const int64_t size = pixels * channels;
    context.pool().ParallelFor(shape.elements() / size, GrainFor(4 * size), [&](int64_t begin, int64_t end) {
      std::vector<float> means(static_cast<size_t>(channels));
      for (int64_t image = begin; image < end; ++image) {
        AddPixels(from + image * size, 0, pixels, means);
        for (float& mean : means) mean /= static_cast<float>(pixels);
        for (int64_t i = image * size; i < (image + 1) * size; ++i) {
          const float mean = means[static_cast<size_t>(i % channels)];
          const float adjusted = (static_cast<float>(from[i]) - mean) * factor + mean;
          to[i] = std::max(std::min(adjusted, most), least);
        }
      }
    });
  }

 private:
  static float Scalar(const KernelContext& context, int input) { return context.input(input).data<float>()[0]; }
};

std::unique_ptr<Kernel> MakeAdjustContrastV1(const Node& node) {
  using Images = Types<uint8_t, int8_t, int16_t, int32_t, float, double>;
  return VisitOneOf(Images(), InputType(node, 0), std::unique_ptr<Kernel>(), [&](auto tag) {
    return std::unique_ptr<Kernel>(std::make_unique<AdjustContrastV1<typename decltype(tag)::Type>>(node));
  });
}

void ScaleSaturations(const float* from, float scale, int64_t n, float* to) {
  for (const float* const end = from + 3 * n; from < end; from += 3, to += 3) {
    const Rgb<float> pixel = ScaleSaturation::Of({from[0], from[1], from[2]}, scale);
    std::copy(pixel.begin(), pixel.end(), to);
  }
}

// `change` is the loop over n pixels, which may be written in their place.
template <class Change, void (*change)(const float* from, float amount, int64_t n, float* to)>
class AdjustPixels final : public Kernel {
 public:
  explicit AdjustPixels(const Node&) {}

  void Run(KernelContext& context) override {
    CheckImages(context, Change::kAmount);
    const Shape shape = context.input(0).shape();
    Require(shape[shape.rank() - 1] == 3, "pixels have three channels, which images of shape ", shape.ToString(),
            " lack");
    const float amount = context.input(1).data<float>()[0];
    const float* const from = context.input(0).data<float>().data();
    float* const to = context.ForwardOrAllocate(0, 0, DType::kFloat, shape).template mutable_data<float>().data();
    context.pool().ParallelFor(shape.elements() / 3, GrainFor(kPixelWork), [&](int64_t begin, int64_t end) {
      change(from + 3 * begin, amount, end - begin, to + 3 * begin);
    });
  }
};

constexpr KernelRow kRows[] = {
    {"AdjustContrast", MakeAdjustContrastV1},
    {"AdjustContrastv2", Make<AdjustContrast>},
    {"AdjustHue", Make<AdjustPixels<MoveHue, MoveHues>>},
    {"AdjustSaturation", Make<AdjustPixels<ScaleSaturation, ScaleSaturations>>},
};

}  // namespace

std::span<const KernelRow> ImageAdjust() { return kRows; }

}  // namespace plumb::fast::cpu
