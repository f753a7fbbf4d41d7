#include <cstring>

#include "reference/kernel/op_context.h"
#include "reference/numbers/elements.h"
#include "reference/numbers/index.h"
#include "spec/formats/image/bmp_reader.h"
#include "spec/formats/image/gif_reader.h"
#include "spec/formats/image/image_format.h"
#include "spec/formats/image/jpeg_reader.h"
#include "spec/formats/image/png_reader.h"

namespace plumb::reference {
namespace {

void CheckChannels(const Node& node) {
  const auto channels = GetAttr<int64_t>(node.attrs, "channels");
  Require(channels == 0 || channels == 1 || channels == 3 || channels == 4, "channels must be 0, 1, 3 or 4, not ",
          channels);
}

void CheckJpeg(const Node& node) {
  CheckChannels(node);
  const auto ratio = GetAttr<int64_t>(node.attrs, "ratio");
  Require(ratio == 1 || ratio == 2 || ratio == 4 || ratio == 8, "ratio must be 1, 2, 4 or 8, not ", ratio);
  const auto& method = GetAttr<std::string>(node.attrs, "dct_method");
  Require(method.empty() || method == "INTEGER_FAST" || method == "INTEGER_ACCURATE",
          "dct_method must be '', 'INTEGER_FAST' or 'INTEGER_ACCURATE', not '", method, "'");
}

const std::string& ContentsOf(const OpContext& c) {
  Require(c.tensor(0).rank() == 0, "contents must be a scalar, not of shape ", c.tensor(0).shape().ToString());
  const auto& contents = c.tensor(0).scalar<std::string>();
  Require(!contents.empty(), "contents are empty");
  return contents;
}

// How JPEG files are decoded by ops that say nothing of it, and by those that do.
JpegDecoding Unsaid(int64_t channels) { return {.channels = static_cast<int>(channels)}; }
JpegDecoding Said(const OpContext& c) {
  return {.channels = static_cast<int>(c.attr<int64_t>("channels")),
          .ratio = static_cast<int>(c.attr<int64_t>("ratio")),
          .fancy_upscaling = c.attr<bool>("fancy_upscaling"),
          .accurate_dct = c.attr<std::string>("dct_method") == "INTEGER_ACCURATE",
          .recovers = c.attr<bool>("try_recover_truncated"),
          .acceptable_fraction = c.attr<float>("acceptable_fraction")};
}

// A file of any format.
Picture Decoded(const std::string& contents, const JpegDecoding& how, bool all_frames, bool keep_16_bits) {
  switch (ImageFormatOf(contents)) {
    case ImageFormat::kJpeg:
      Require(how.channels != 4, "a JPEG file is decoded to 1 or 3 channels, not 4");
      return DecodeJpeg(contents, how);
    case ImageFormat::kPng:
      return DecodePng(contents, how.channels, keep_16_bits);
    case ImageFormat::kGif:
      Require(how.channels == 0 || how.channels == 3, "a GIF file is decoded to 3 channels, not ", how.channels);
      return DecodeGif(contents, all_frames);
    case ImageFormat::kBmp:
      Require(how.channels != 1, "a BMP file is decoded to 3 or 4 channels, not 1");
      return DecodeBmp(contents, how.channels);
    case ImageFormat::kUnknown:
      break;
  }
  throw InvalidArgument("contents are none of the formats JPEG, PNG, GIF and BMP");
}

void RefuseBmp(const std::string& contents) {
  Require(ImageFormatOf(contents) != ImageFormat::kBmp, "only DecodeBmp and DecodeImage decode BMP files");
}

// Samples as numbers of `type`. 8 bits are the upper ones of 16, and in PNG files the lower ones as well; fractions are
// of the largest sample that the decoder knows.
Tensor Samples(const Picture& picture, ImageFormat format, DType type, const Shape& shape) {
  CheckResultSize(shape);
  Tensor tensor(type, shape);
  const bool is_png = format == ImageFormat::kPng;
  const auto sample_of_16 = [&](int64_t i) {
    uint16_t sample = 0;
    if (picture.bits == 8) return static_cast<uint16_t>(picture.bytes[static_cast<size_t>(i)] * (is_png ? 257 : 256));
    std::memcpy(&sample, picture.bytes.data() + 2 * i, 2);
    return sample;
  };
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    const uint8_t byte = picture.bytes[static_cast<size_t>(i)];
    if (type == DType::kUint8) {
      tensor.mutable_data<uint8_t>()[i] = byte;
    } else if (type == DType::kUint16) {
      tensor.mutable_data<uint16_t>()[i] = sample_of_16(i);
    } else {
      const float unit = static_cast<float>(1.0 / (is_png ? UINT16_MAX : UINT8_MAX));
      tensor.mutable_data<float>()[i] = static_cast<float>(is_png ? sample_of_16(i) : byte) * unit;
    }
  }
  return tensor;
}

void Output(OpContext& c, const std::string& contents, const Picture& picture, bool has_frames) {
  Shape shape = {picture.height, picture.width, picture.channels};
  if (has_frames) shape = WithInserted(shape, 0, picture.frames);
  c.Output(0, Samples(picture, ImageFormatOf(contents), c.output_type(0), shape));
}

// One image in whatever format, but BMP.
void DecodeStill(OpContext& c, const JpegDecoding& how) {
  const std::string& contents = ContentsOf(c);
  RefuseBmp(contents);
  const Picture picture = Decoded(contents, how, true, c.output_type(0) != DType::kUint8);
  Require(picture.frames == 1, "an animation of ", picture.frames, " frames is decoded by DecodeGif or DecodeImage");
  Output(c, contents, picture, false);
}

void DecodeAndCrop(OpContext& c) {
  const std::string& contents = ContentsOf(c);
  Require(ImageFormatOf(contents) == ImageFormat::kJpeg, "DecodeAndCropJpeg decodes JPEG files only, not the format ",
          ImageFormatName(ImageFormatOf(contents)));
  const Tensor& window = c.tensor(1);
  Require(window.rank() == 1 && window.dim(0) == 4, "crop_window must be of shape [4], not ",
          window.shape().ToString());
  const auto at = window.data<int32_t>();
  JpegDecoding how = Said(c);
  how.window = JpegWindow{at[0], at[1], at[2], at[3]};
  Output(c, contents, Decoded(contents, how, true, false), false);
}

void DecodeFrames(OpContext& c) {
  const std::string& contents = ContentsOf(c);
  RefuseBmp(contents);
  Output(c, contents, Decoded(contents, Unsaid(3), true, false), true);
}

void DecodeBmpOnly(OpContext& c) {
  const std::string& contents = ContentsOf(c);
  const ImageFormat format = ImageFormatOf(contents);
  Require(format == ImageFormat::kBmp, "DecodeBmp decodes BMP files only, not the format ", ImageFormatName(format));
  Output(c, contents, Decoded(contents, Unsaid(c.attr<int64_t>("channels")), true, false), false);
}

void DecodeAny(OpContext& c) {
  const std::string& contents = ContentsOf(c);
  const bool expands = c.attr<bool>("expand_animations");
  const JpegDecoding how = Unsaid(c.attr<int64_t>("channels"));
  const Picture picture = Decoded(contents, how, expands, c.output_type(0) != DType::kUint8);
  Output(c, contents, picture, expands && ImageFormatOf(contents) == ImageFormat::kGif);
}

void ExtractJpegShape(OpContext& c) {
  Require(c.tensor(0).rank() == 0, "contents must be a scalar, not of shape ", c.tensor(0).shape().ToString());
  const Picture size = JpegSize(c.tensor(0).scalar<std::string>());
  const int64_t sizes[] = {size.height, size.width, size.channels};
  Tensor shape(c.output_type(0), {3});
  for (int i = 0; i < 3; ++i) {
    if (shape.dtype() == DType::kInt32) {
      shape.mutable_data<int32_t>()[i] = static_cast<int32_t>(sizes[i]);
    } else {
      shape.mutable_data<int64_t>()[i] = sizes[i];
    }
  }
  c.Output(0, std::move(shape));
}

constexpr KernelRow kRows[] = {
    {"DecodeJpeg", [](OpContext& c) { DecodeStill(c, Said(c)); }, CheckJpeg},
    {"DecodeAndCropJpeg", DecodeAndCrop, CheckJpeg},
    {"DecodePng", [](OpContext& c) { DecodeStill(c, Unsaid(c.attr<int64_t>("channels"))); }, CheckChannels},
    {"DecodeGif", DecodeFrames},
    {"DecodeBmp", DecodeBmpOnly, CheckChannels},
    {"DecodeImage", DecodeAny, CheckChannels},
    {"ExtractJpegShape", ExtractJpegShape},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageDecodeImage() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
