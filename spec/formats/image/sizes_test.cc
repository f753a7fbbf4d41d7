// How large the pictures of files may be. The files here end where their pixels would begin, so that one that is not
// too large fails too, for another reason.
#include <gmock/gmock.h>
#include <zlib.h>

#include <functional>
#include <string>
#include <vector>

#include "spec/core/status_testing.h"
#include "spec/formats/image/bmp_reader.h"
#include "spec/formats/image/gif_reader.h"
#include "spec/formats/image/jpeg_reader.h"
#include "spec/formats/image/jpeg_writer.h"
#include "spec/formats/image/png_reader.h"
#include "spec/formats/image/png_testing.h"
#include "spec/formats/png_writer.h"

namespace plumb {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

constexpr int64_t kSide = 1 << 14;  // twice as much is kMostSamples with it
static_assert(kSide * 2 * kSide == kMostSamples);

std::string LittleEndian(int64_t number, int bytes) {
  const std::string text = BigEndian(number, bytes);
  return {text.rbegin(), text.rend()};
}

std::string Refusal(const std::function<void()>& decode) {
  const Status status = StatusOf(decode);
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  return std::string(status.message());
}

TEST(BmpSizes, EndBelowAnEighthOfTheInts) {
  const auto refusal = [](int64_t width, int64_t height) {
    const std::string header = "BM"s + LittleEndian(0, 8) + LittleEndian(54, 4) + LittleEndian(40, 4) +
                               LittleEndian(width, 4) + LittleEndian(height, 4) + LittleEndian(1, 2) +
                               LittleEndian(8, 2) + LittleEndian(0, 2);
    return Refusal([&] { DecodeBmp(header, 0); });
  };
  constexpr int64_t kMost = INT32_MAX / 8;
  EXPECT_THAT(refusal(kMost - 1, 1), HasSubstr("must have"));
  EXPECT_THAT(refusal(1, 1 - kMost), HasSubstr("must have"));
  EXPECT_THAT(refusal(kMost, 1), HasSubstr("is too large"));
  EXPECT_THAT(refusal(1, -kMost), HasSubstr("is too large"));
}

std::string PngHeader(int64_t width, int64_t height) {
  return "\x89PNG\r\n\x1a\n"s + PngChunk("IHDR"s + BigEndian(width, 4) + BigEndian(height, 4) + "\x08\0\0\0\0"s) +
         BigEndian(1, 4) + "IDAT"s;
}

TEST(PngSizes, EndWhereTensorFlowsDo) {
  const auto refusal = [](int64_t width, int64_t height) {
    return Refusal([&] { DecodePng(PngHeader(width, height), 0, false); });
  };
  constexpr int64_t kMostRows = 1'000'000;
  EXPECT_THAT(refusal(kMostRows, 1), HasSubstr("ends too soon"));
  EXPECT_THAT(refusal(1, kMostRows), HasSubstr("ends too soon"));
  EXPECT_THAT(refusal(kMostRows + 1, 1), HasSubstr("is too large"));
  EXPECT_THAT(refusal(1, kMostRows + 1), HasSubstr("is too large"));
  EXPECT_THAT(refusal(kSide, 2 * kSide - 1), HasSubstr("ends too soon"));
  EXPECT_THAT(refusal(kSide, 2 * kSide), HasSubstr("is too large"));
}

TEST(PngSizes, ThatDoNotFitIntoAFileAreNotWritten) {
  const uint8_t pixel = 0;
  const int64_t too_many = (int64_t{1} << 32) + 1;
  EXPECT_EQ(StatusOf([&] { PngFile(&pixel, 1, too_many, 1); }).code(), Code::kInternal);
  EXPECT_EQ(StatusOf([&] { PngFile(&pixel, too_many, 1, 1); }).code(), Code::kInternal);
  EXPECT_EQ(StatusOf([&] { PngFile(&pixel, 0, 1, 1); }).code(), Code::kInternal);
}

// The first scan of a file of one grey colour, under a header that says another size.
std::string JpegHeader(int64_t height, int64_t width, bool progressive) {
  constexpr size_t kBeforeHeight = 5, kScanHeader = 10;
  const std::vector<uint8_t> pixels(64, 100);
  std::string file = JpegFile(pixels.data(), 8, 8, 1, {.progressive = progressive});
  const size_t frame = file.find(progressive ? "\xff\xc2"s : "\xff\xc0"s), scan = file.find("\xff\xda"s);
  file.replace(frame + kBeforeHeight, 4, BigEndian(height, 2) + BigEndian(width, 2));
  return file.substr(0, scan + kScanHeader);
}

TEST(JpegSizes, EndBelowWhatTensorFlowTakes) {
  const auto refusal = [](int64_t height, int64_t width) {
    return Refusal([&] { DecodeJpeg(JpegHeader(height, width, false), {}); });
  };
  EXPECT_THAT(refusal(kSide, 2 * kSide - 1), testing::Not(HasSubstr("is too large")));
  EXPECT_THAT(refusal(kSide, 2 * kSide), HasSubstr("is too large"));
  EXPECT_THAT(Refusal([] { JpegSize(JpegHeader(kSide, 2 * kSide, true)); }),
              HasSubstr("in several scans is too large"));
  const JpegEncoding in_scans = {.progressive = true};
  const std::vector<uint8_t> pixels(64, 100);
  const std::string file = JpegFile(pixels.data(), 8, 8, 1, in_scans);
  EXPECT_EQ(JpegSize(file, 65).width, 8);
  EXPECT_THAT(Refusal([&] { JpegSize(file, 64); }), HasSubstr("is too large"));
}

// Of as many pixels as may be the sides are longer than those of any JPEG file, which libjpeg says.
TEST(JpegSizes, AreNotWrittenBeyond) {
  const auto refusal = [](int64_t height, int64_t width) {
    const Status status = StatusOf([&] { JpegFile(nullptr, height, width, 1, {}); });
    EXPECT_EQ(status.code(), Code::kInternal);
    return std::string(status.message());
  };
  constexpr int64_t kHeight = 1103, kWidth = 486737;
  static_assert(kHeight * kWidth == kMostSamples - 1);
  EXPECT_THAT(refusal(kHeight, kWidth), HasSubstr("65500"));
  EXPECT_THAT(refusal(kSide, 2 * kSide), HasSubstr("16384×32768 pixels"));
}

// A frame, without pixels or with these codes of them, three bits each.
std::string GifFrame(int64_t width, int64_t height, const std::vector<int>& codes) {
  int64_t bits = 0;
  for (size_t i = codes.size(); i-- > 0;) bits = bits << 3 | codes[i];
  return "\x2c\0\0\0\0"s + LittleEndian(width, 2) + LittleEndian(height, 2) + "\0\2\2"s + LittleEndian(bits, 2) + "\0"s;
}

// All frames together, of which the second one holds no pixel: its first code is that of the end.
TEST(GifSizes, EndWithTheSamplesThatAreMade) {
  constexpr int kClear = 4, kEnd = 5;
  constexpr int64_t kWidth = 9718, kHeight = 55245;
  static_assert(kWidth * kHeight == kMostSamples - 2);
  const auto refusal = [&](const std::string& first) {
    const std::string head = "GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff"s;
    return Refusal([&] { DecodeGif(head + first + GifFrame(kWidth, kHeight, {kClear, kEnd}), true); });
  };
  EXPECT_THAT(refusal(GifFrame(2, 1, {kClear, 0, 0, kEnd})), HasSubstr("before image complete"));
  EXPECT_THAT(refusal(GifFrame(3, 1, {kClear, 0, 0, 0})), HasSubstr("too many pixels"));
}

// A frame of two pixels has six samples.
TEST(GifSizes, CountSamples) {
  const std::string file = "GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff"s + GifFrame(2, 1, {4, 0, 0, 5}) + ";";
  EXPECT_EQ(DecodeGif(file, true, 6).bytes.size(), 6U);
  EXPECT_EQ(StatusOf([&] { DecodeGif(file, true, 5); }).code(), Code::kResourceExhausted);
  EXPECT_EQ(StatusOf([&] { DecodeGif(file, true, 1); }).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb
