// A graph for each op that decodes pictures: of 256 × 256 pixels, from files in memory.
#include <cmath>

#include "bench/graphs/named.h"
#include "spec/formats/image/jpeg_writer.h"
#include "spec/formats/png_writer.h"

namespace plumb::bench {
namespace {

constexpr int kPixels = 256;  // along each side
constexpr int kColours = 3;

// Waves with some noise.
std::string Waves() {
  std::string pixels;
  uint32_t noise = 1;
  for (int i = 0; i < kPixels * kPixels * kColours; ++i) {
    noise = noise * 1664525u + 1013904223u;
    const double wave = std::sin(static_cast<double>(i % (kPixels * kColours)) / 17) +
                        std::sin(static_cast<double>(i) / (kPixels * kColours * 23.0));
    pixels += static_cast<char>(100 + 40 * wave + static_cast<double>(noise >> 28));
  }
  return pixels;
}

const uint8_t* Bytes(const std::string& pixels) { return reinterpret_cast<const uint8_t*>(pixels.data()); }
std::string Jpeg() { return JpegFile(Bytes(Waves()), kPixels, kPixels, kColours, {.quality = 90}); }
std::string Png() { return PngFile(Bytes(Waves()), kPixels, kPixels, kColours); }

// The low bytes of a number, the lowest first.
std::string Little(uint32_t number, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, number >>= 8) text += static_cast<char>(number & 0xff);
  return text;
}

// 24 bits for each pixel.
std::string Bmp() {
  constexpr uint32_t kHeader = 54;
  const std::string pixels = Waves();
  return "BM" + Little(kHeader + static_cast<uint32_t>(pixels.size()), 4) + Little(0, 4) + Little(kHeader, 4) +
         Little(40, 4) + Little(kPixels, 4) + Little(kPixels, 4) + Little(1, 2) + Little(24, 2) +
         std::string(24, '\0') + pixels;
}

// One frame of 128 shades, each a code of eight bits: the table of codes is cleared before codes grow to nine.
std::string Gif() {
  constexpr int kShades = 128, kClear = kShades, kEnd = kShades + 1, kBetween = 120;
  std::string file = "GIF89a" + Little(kPixels, 2) + Little(kPixels, 2) + Little(0xf6, 1) + Little(0, 2);
  for (int shade = 0; shade < kShades; ++shade) file += std::string(kColours, static_cast<char>(2 * shade));
  file += "," + Little(0, 4) + Little(kPixels, 2) + Little(kPixels, 2) + Little(0, 1) + Little(7, 1);
  const std::string pixels = Waves();
  for (int begin = 0; begin < kPixels * kPixels; begin += kBetween) {
    std::string codes = Little(kClear, 1);
    const int end = std::min(begin + kBetween, kPixels * kPixels);
    for (int i = begin; i < end; ++i) codes += Little(static_cast<uint8_t>(pixels[i * kColours]) / 2, 1);
    if (end == kPixels * kPixels) codes += Little(kEnd, 1);
    file += Little(static_cast<uint32_t>(codes.size()), 1) + codes;
  }
  return file + Little(0, 1) + ";";
}

BenchGraph DecodingImage(const std::string& op, const std::string& file, bool crops = false) {
  Scope scope;
  std::vector<Output> inputs = {Text(scope, file)};
  if (crops) inputs.push_back(Constant(scope, {64, 64, kPixels / 2, kPixels / 2}));
  return Named(op, "image", scope, scope.Add(op, inputs));
}

BenchGraph AskingImage() {
  Scope scope;
  return Beside("ExtractJpegShape", "image", scope, {Text(scope, Jpeg())});
}

}  // namespace

std::vector<BenchGraph> CodecGraphs() {
  return {DecodingImage("DecodeJpeg", Jpeg()),
          DecodingImage("DecodeAndCropJpeg", Jpeg(), true),
          DecodingImage("DecodePng", Png()),
          DecodingImage("DecodeBmp", Bmp()),
          DecodingImage("DecodeGif", Gif()),
          DecodingImage("DecodeImage", Png()),
          AskingImage()};
}

}  // namespace plumb::bench
