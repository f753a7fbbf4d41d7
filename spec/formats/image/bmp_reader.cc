#include "spec/formats/image/bmp_reader.h"

#include <cstdlib>

#include "spec/core/status.h"

namespace plumb {
namespace {

constexpr size_t kHeaderBytes = 32;             // up to the number of bits of a pixel
constexpr int64_t kMostPixels = INT32_MAX / 8;  // of TensorFlow's decoder
constexpr size_t kPixelsAt = 10, kWidthAt = 18, kHeightAt = 22, kBitsAt = 28;

// `size` bytes, the least significant one first, as a signed number.
int64_t LittleEndian(std::string_view bytes, size_t at, size_t size) {
  uint64_t number = 0;
  for (size_t i = 0; i < size; ++i) number |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
  return size == 2 ? static_cast<int16_t>(number) : static_cast<int32_t>(number);
}

// One pixel: grey, or blue, green, red and perhaps opacity, as `channels` of grey, or red, green, blue and opacity.
void Convert(const uint8_t* from, int from_channels, uint8_t* to, int channels) {
  const bool grey = from_channels == 1;
  to[0] = grey ? from[0] : from[2];
  if (channels < 3) return;
  to[1] = grey ? from[0] : from[1];
  to[2] = from[0];
  if (channels == 4) to[3] = from_channels == 4 ? from[3] : UINT8_MAX;
}

}  // namespace

Picture DecodeBmp(std::string_view contents, int channels) {
  Require(channels == 0 || channels == 3 || channels == 4, "a BMP file is decoded to 3 or 4 channels, not ", channels);
  Require(contents.size() >= kHeaderBytes, "a BMP file of ", contents.size(), " bytes ends within its header");
  const int64_t pixels_at = LittleEndian(contents, kPixelsAt, 4), width = LittleEndian(contents, kWidthAt, 4);
  const int64_t signed_height = LittleEndian(contents, kHeightAt, 4), bits = LittleEndian(contents, kBitsAt, 2);
  const int64_t from_channels = bits / 8, height = std::abs(signed_height);
  Require(from_channels == 1 || from_channels == 3 || from_channels == 4,
          "pixels of a BMP file have 8, 24 or 32 bits, not ", bits);
  Require(width > 0 && height > 0 && pixels_at >= 0, "the header of a BMP file says that it has ", width, "×",
          signed_height, " pixels, from byte ", pixels_at, " on");
  Require(width * height < kMostPixels, "a BMP file of ", width, "×", height, " pixels is too large");
  const int64_t row = (from_channels * width + 3) / 4 * 4;
  Require(pixels_at + row * height == static_cast<int64_t>(contents.size()), "a BMP file of ", width, "×", height,
          " pixels must have ", pixels_at + row * height, " bytes, not ", contents.size());

  Picture picture{
      .height = height, .width = width, .channels = channels == 0 ? static_cast<int>(from_channels) : channels};
  picture.bytes.resize(static_cast<size_t>(height * width * picture.channels));
  uint8_t* to = picture.bytes.data();
  const auto* const pixels = reinterpret_cast<const uint8_t*>(contents.data()) + pixels_at;
  for (int64_t y = 0; y < height; ++y) {
    const uint8_t* from = pixels + (signed_height < 0 ? y : height - 1 - y) * row;
    for (int64_t x = 0; x < width; ++x, from += from_channels, to += picture.channels) {
      Convert(from, static_cast<int>(from_channels), to, picture.channels);
    }
  }
  return picture;
}

}  // namespace plumb
