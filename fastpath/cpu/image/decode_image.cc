#include <algorithm>
#include <cstring>
#include <iterator>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "spec/formats/image/bmp_reader.h"
#include "spec/formats/image/gif_reader.h"
#include "spec/formats/image/image_format.h"
#include "spec/formats/image/jpeg_reader.h"
#include "spec/formats/image/png_reader.h"

namespace plumb::fast::cpu {
namespace {

const std::string& FileOf(const KernelContext& context) {
  const Tensor& contents = context.input(0);
  Require(contents.rank() == 0, "contents must be one string, not of shape ", Printed(contents.shape()));
  return *contents.data<std::string>().data();
}

// What the ops share: the file's format, its pixels, and their samples as numbers.
class ImageDecoder : public Kernel {
 public:
  ImageDecoder(const Node& node, int channels) : type_(OutputType(node, 0)) {
    how_.channels = channels;
    Require(channels == 0 || channels == 1 || channels == 3 || channels == 4, "channels may be 0, 1, 3 or 4, not ",
            channels);
  }

 protected:
  static int ChannelsOf(const Node& node) {
    const auto channels = GetAttr<int64_t>(node.attrs, "channels");
    Require(channels >= 0 && channels <= 4, "channels may be 0, 1, 3 or 4, not ", channels);
    return static_cast<int>(channels);
  }

  const std::string& ContentsOf(const KernelContext& context) const {
    const std::string& contents = FileOf(context);
    Require(!contents.empty(), "there is nothing to decode");
    return contents;
  }

  Picture Decode(ImageFormat format, const std::string& contents, const JpegDecoding& how, bool all_frames) const {
    const int channels = how.channels;
    const auto require = [&](bool fits) {
      Require(fits, "a ", ImageFormatName(format), " file cannot be decoded to ", channels, " channels");
    };
    switch (format) {
      case ImageFormat::kJpeg:
        require(channels != 4);
        return DecodeJpeg(contents, how);
      case ImageFormat::kPng:
        return DecodePng(contents, channels, type_ != DType::kUint8);
      case ImageFormat::kGif:
        require(channels == 0 || channels == 3);
        return DecodeGif(contents, all_frames);
      case ImageFormat::kBmp:
        require(channels != 1);
        return DecodeBmp(contents, channels);
      case ImageFormat::kUnknown:
        break;
    }
    throw InvalidArgument("the contents are no JPEG, PNG, GIF or BMP file");
  }

  void SetOutput(KernelContext& context, ImageFormat format, const Picture& picture, bool has_frames) const {
    const Shape shape = has_frames ? Shape{picture.frames, picture.height, picture.width, picture.channels}
                                   : Shape{picture.height, picture.width, picture.channels};
    Tensor& output = context.AllocateOutput(0, type_, shape);
    const int64_t size = output.elements();
    const uint8_t* const bytes = picture.bytes.data();
    const bool is_png = format == ImageFormat::kPng;
    if (type_ == DType::kUint8 || picture.bits == 16) {
      if (type_ == DType::kFloat) return Scale<uint16_t>(context, bytes, 1, kUnitOf16, output);
      std::memcpy(output.mutable_raw(), bytes, picture.bytes.size());
    } else if (type_ == DType::kUint16) {
      uint16_t* const to = output.mutable_data<uint16_t>().data();
      const uint16_t factor = is_png ? kRepeated : kShifted;
      context.pool().ParallelFor(size, GrainFor(1), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) to[i] = static_cast<uint16_t>(bytes[i] * factor);
      });
    } else {
      Scale<uint8_t>(context, bytes, is_png ? kRepeated : 1, is_png ? kUnitOf16 : kUnitOf8, output);
    }
  }

  void RequireNoBmp(ImageFormat format) const {
    Require(format != ImageFormat::kBmp, "only DecodeBmp and DecodeImage decode BMP files");
  }

  const DType type_;
  JpegDecoding how_;

 private:
  // 8 bits as 16: twice the same, which PNG files mean, or the upper ones; and the largest samples as 1.
  static constexpr uint16_t kRepeated = 257, kShifted = 256;
  static constexpr float kUnitOf8 = static_cast<float>(1.0 / UINT8_MAX);
  static constexpr float kUnitOf16 = static_cast<float>(1.0 / UINT16_MAX);

  template <class T>
  static void Scale(KernelContext& context, const uint8_t* bytes, int factor, float unit, Tensor& output) {
    float* const to = output.mutable_data<float>().data();
    context.pool().ParallelFor(output.elements(), GrainFor(1), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T sample;
        std::memcpy(&sample, bytes + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
        to[i] = static_cast<float>(sample * factor) * unit;
      }
    });
  }
};

// One image in any format, but BMP.
class StillKernel : public ImageDecoder {
 public:
  explicit StillKernel(const Node& node) : ImageDecoder(node, ChannelsOf(node)) {}

  void Run(KernelContext& context) override {
    const std::string& contents = ContentsOf(context);
    const ImageFormat format = ImageFormatOf(contents);
    RequireNoBmp(format);
    const Picture picture = Decode(format, contents, how_, true);
    Require(picture.frames == 1, "only DecodeGif and DecodeImage decode animations, such as this of ", picture.frames,
            " frames");
    SetOutput(context, format, picture, false);
  }
};

JpegDecoding JpegDecodingOf(const Node& node, int channels) {
  const auto ratio = GetAttr<int64_t>(node.attrs, "ratio");
  Require(ratio == 1 || ratio == 2 || ratio == 4 || ratio == 8, "ratio may be 1, 2, 4 or 8, not ", ratio);
  const auto& method = GetAttr<std::string>(node.attrs, "dct_method");
  const bool is_accurate = method == "INTEGER_ACCURATE";
  Require(is_accurate || method.empty() || method == "INTEGER_FAST",
          "dct_method may be '', 'INTEGER_FAST' or 'INTEGER_ACCURATE', not '", method, "'");
  return {.channels = channels,
          .ratio = static_cast<int>(ratio),
          .fancy_upscaling = GetAttr<bool>(node.attrs, "fancy_upscaling"),
          .accurate_dct = is_accurate,
          .recovers = GetAttr<bool>(node.attrs, "try_recover_truncated"),
          .acceptable_fraction = GetAttr<float>(node.attrs, "acceptable_fraction")};
}

class JpegKernel : public StillKernel {
 public:
  explicit JpegKernel(const Node& node) : StillKernel(node) { how_ = JpegDecodingOf(node, how_.channels); }
};

class CropKernel : public ImageDecoder {
 public:
  explicit CropKernel(const Node& node) : ImageDecoder(node, ChannelsOf(node)) {
    how_ = JpegDecodingOf(node, how_.channels);
  }

  void Run(KernelContext& context) override {
    const std::string& contents = ContentsOf(context);
    const ImageFormat format = ImageFormatOf(contents);
    Require(format == ImageFormat::kJpeg, "only JPEG files can be cropped, not ", ImageFormatName(format));
    const Tensor& window = context.input(1);
    Require(window.rank() == 1 && window.dim(0) == 4, "crop_window must have the shape [4], not ",
            Printed(window.shape()));
    JpegDecoding how = how_;
    how.window = JpegWindow{IntAt(window, 0), IntAt(window, 1), IntAt(window, 2), IntAt(window, 3)};
    SetOutput(context, format, Decode(format, contents, how, true), false);
  }
};

class FramesKernel : public ImageDecoder {
 public:
  explicit FramesKernel(const Node& node) : ImageDecoder(node, 3) {}

  void Run(KernelContext& context) override {
    const std::string& contents = ContentsOf(context);
    const ImageFormat format = ImageFormatOf(contents);
    RequireNoBmp(format);
    SetOutput(context, format, Decode(format, contents, how_, true), true);
  }
};

class BmpKernel : public ImageDecoder {
 public:
  explicit BmpKernel(const Node& node) : ImageDecoder(node, ChannelsOf(node)) {}

  void Run(KernelContext& context) override {
    const std::string& contents = ContentsOf(context);
    const ImageFormat format = ImageFormatOf(contents);
    Require(format == ImageFormat::kBmp, "DecodeBmp takes BMP files only, not ", ImageFormatName(format));
    SetOutput(context, format, Decode(format, contents, how_, true), false);
  }
};

class AnyImageKernel : public ImageDecoder {
 public:
  explicit AnyImageKernel(const Node& node)
      : ImageDecoder(node, ChannelsOf(node)), expands_(GetAttr<bool>(node.attrs, "expand_animations")) {}

  void Run(KernelContext& context) override {
    const std::string& contents = ContentsOf(context);
    const ImageFormat format = ImageFormatOf(contents);
    SetOutput(context, format, Decode(format, contents, how_, expands_), expands_ && format == ImageFormat::kGif);
  }

 private:
  const bool expands_;
};

class JpegShapeKernel : public Kernel {
 public:
  explicit JpegShapeKernel(const Node& node) : type_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Picture size = JpegSize(FileOf(context));
    Tensor& output = context.AllocateOutput(0, type_, {3});
    const int64_t sizes[] = {size.height, size.width, size.channels};
    if (type_ == DType::kInt32) {
      std::copy(std::begin(sizes), std::end(sizes), output.mutable_data<int32_t>().begin());
    } else {
      std::copy(std::begin(sizes), std::end(sizes), output.mutable_data<int64_t>().begin());
    }
  }

 private:
  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"DecodeJpeg", Make<JpegKernel>},
    {"DecodeAndCropJpeg", Make<CropKernel>},
    {"DecodePng", Make<StillKernel>},
    {"DecodeGif", Make<FramesKernel>},
    {"DecodeBmp", Make<BmpKernel>},
    {"DecodeImage", Make<AnyImageKernel>},
    {"ExtractJpegShape", Make<JpegShapeKernel>},
};

}  // namespace

std::span<const KernelRow> ImageDecodeImage() { return kRows; }

}  // namespace plumb::fast::cpu
