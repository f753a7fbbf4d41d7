// Bytes → a picture of whatever format they begin as: a status, or as many samples as the picture says it has.
#include <cstdlib>
#include <functional>
#include <string_view>

#include "spec/core/status.h"
#include "spec/formats/image/bmp_reader.h"
#include "spec/formats/image/gif_reader.h"
#include "spec/formats/image/image_format.h"
#include "spec/formats/image/jpeg_reader.h"
#include "spec/formats/image/png_reader.h"

namespace plumb {
namespace {

constexpr int64_t kMost = 1 << 18;

void Try(const std::function<Picture()>& decode) {
  try {
    const Picture picture = decode();
    const int64_t samples = picture.frames * picture.height * picture.width * picture.channels;
    if (std::ssize(picture.bytes) != samples * picture.bits / 8) std::abort();
  } catch (const Error& error) {
    const Code code = error.status().code();
    if (code != Code::kInvalidArgument && code != Code::kResourceExhausted) std::abort();
  }
}

void TryJpeg(std::string_view contents) {
  for (const bool recovers : {false, true}) {
    JpegDecoding how = {.recovers = recovers, .acceptable_fraction = 0.5f, .most_samples = kMost};
    Try([&] { return DecodeJpeg(contents, how); });
    how.ratio = 2;
    how.channels = 3;
    how.window = JpegWindow{1, 2, 3, 4};
    Try([&] { return DecodeJpeg(contents, how); });
  }
  Try([&] {
    Picture size = JpegSize(contents, kMost);
    return Picture{.frames = size.height > 0 && size.width > 0 ? 0 : -1};
  });
}

}  // namespace
}  // namespace plumb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plumb;
  const std::string_view contents(reinterpret_cast<const char*>(data), size);
  switch (ImageFormatOf(contents)) {
    case ImageFormat::kJpeg:
      TryJpeg(contents);
      break;
    case ImageFormat::kPng:
      for (const int channels : {0, 1, 3, 4}) {
        Try([&] { return DecodePng(contents, channels, channels == 0, kMost); });
      }
      break;
    case ImageFormat::kGif:
      for (const bool all_frames : {false, true}) Try([&] { return DecodeGif(contents, all_frames, kMost); });
      break;
    case ImageFormat::kBmp:
      for (const int channels : {0, 3, 4}) Try([&] { return DecodeBmp(contents, channels); });
      break;
    case ImageFormat::kUnknown:
      break;
  }
  return 0;
}
