#include <gmock/gmock.h>
#include <zlib.h>

#include <bitset>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "spec/core/status.h"
#include "spec/core/status_testing.h"
#include "spec/formats/image/bmp_reader.h"
#include "spec/formats/image/gif_reader.h"
#include "spec/formats/image/image_format.h"
#include "spec/formats/image/jpeg_reader.h"
#include "spec/formats/image/jpeg_writer.h"
#include "spec/formats/image/png_reader.h"
#include "spec/formats/image/png_testing.h"
#include "spec/formats/png_writer.h"

namespace plumb {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

std::string FromHex(std::string_view digits) {
  std::string bytes;
  for (size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

Code CodeOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.status().code();
  }
  return Code::kOk;
}

// Every shorter piece of a file, and the file with every byte turned round: a picture or a status.
void TryDamaged(const std::string& file, const std::function<void(const std::string&)>& decode) {
  for (size_t size = 0; size < file.size(); ++size) CodeOf([&] { decode(file.substr(0, size)); });
  for (size_t i = 0; i < file.size(); ++i) {
    std::string damaged = file;
    damaged[i] = static_cast<char>(~damaged[i]);
    CodeOf([&] { decode(damaged); });
  }
}

// 3×2 pixels of red, green, blue and black; then 2×2 at the right, green being transparent.
const std::string kGif = FromHex(
    "47494638396103000200910000000000ff000000ff000a14fa2c00000000030002000002048cb811290021f90401000002002c010000000200"
    "02"
    "00000203543815003b");
// 3×2 pixels of two bits in the same colours, black being half transparent.
const std::string kPalettePng = FromHex(
    "89504e470d0a1a0a0000000d4948445200000003000000020203000000e01a8e890000000c504c5445000000ff000000ff000a14fac893b5d0"
    "00"
    "00000274524e53ff077bd3a5e90000000c4944415478da639060780200013000fd6830cfdf0000000049454e44ae426082");

TEST(Gif, FramesAreDrawnOneOverTheOther) {
  const Picture picture = DecodeGif(kGif, true);
  EXPECT_EQ(picture.frames, 2);
  EXPECT_EQ(picture.height, 2);
  EXPECT_EQ(picture.width, 3);
  const uint8_t both[] = {255, 0, 0, 0, 255, 0, 10,  20, 250, 10, 20, 250, 0,  0,  0,   255, 0, 0,
                          255, 0, 0, 0, 255, 0, 255, 0,  0,   10, 20, 250, 10, 20, 250, 255, 0, 0};
  EXPECT_THAT(picture.bytes, ElementsAreArray(both));
  EXPECT_EQ(DecodeGif(kGif, false).frames, 1);
}

TEST(Gif, AFrameMayHaveColoursOfItsOwn) {
  std::string own = kGif;
  own.replace(34, 1, FromHex("810102030405060708090a0b0c"));  // the first frame's flags, and four colours
  const Picture picture = DecodeGif(own, true);
  const uint8_t first[] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 10, 11, 12, 1, 2, 3, 4, 5, 6};
  EXPECT_EQ(picture.frames, 2);
  EXPECT_THAT(std::vector<uint8_t>(picture.bytes.begin(), picture.bytes.begin() + 18), ElementsAreArray(first));
  EXPECT_THAT(std::vector<uint8_t>(picture.bytes.end() - 6, picture.bytes.end()), ElementsAre(10, 20, 250, 4, 5, 6))
      << "the second one has those of the file, and a pixel that shows the first";
}

// 1×8 pixels, of which the file has rows 0; 4; 2, 6; 1, 3, 5, 7. Each has the number of its row for a colour.
TEST(Gif, RowsOfAnInterlacedFrameFindTheirPlaces) {
  const std::string interlaced = FromHex(
      "47494638396101000800820000000000010000020000030000040000050000060000070000"
      "2c0000000001000800400306082486317509003b");
  const Picture picture = DecodeGif(interlaced, true);
  ASSERT_EQ(picture.bytes.size(), 8U * 3);
  for (uint8_t row = 0; row < 8; ++row) EXPECT_EQ(picture.bytes[3 * row], row);
}

TEST(Gif, WhatIsCutOffIsRefused) {
  for (const size_t size : {kGif.size() - 1, size_t{55}, size_t{30}}) {
    EXPECT_EQ(CodeOf([&] { DecodeGif(kGif.substr(0, size), true); }), Code::kInvalidArgument) << size;
  }
  EXPECT_EQ(DecodeGif(kGif + "more", true).frames, 2);
  EXPECT_EQ(CodeOf([] { DecodeGif(kGif, true, 20); }), Code::kResourceExhausted);
  TryDamaged(kGif, [](const std::string& file) { DecodeGif(file, true, 1 << 20); });
}

TEST(Bmp, RowsStandUpsideDownUnlessTheHeightIsNegative) {
  const std::string header = "424d3e0000000000000036000000280000000100000002000000010018000000000008000000" +
                             std::string(32, '0'),
                    pixels = "0102030004050600";
  const Picture picture = DecodeBmp(FromHex(header + pixels), 0);
  EXPECT_EQ(picture.height, 2);
  EXPECT_THAT(picture.bytes, ElementsAre(6, 5, 4, 3, 2, 1));
  EXPECT_THAT(DecodeBmp(FromHex(header + pixels), 4).bytes, ElementsAre(6, 5, 4, 255, 3, 2, 1, 255));
  std::string downwards = FromHex(header + pixels);
  downwards.replace(22, 4, "\xfe\xff\xff\xff", 4);
  EXPECT_THAT(DecodeBmp(downwards, 3).bytes, ElementsAre(3, 2, 1, 6, 5, 4));
  EXPECT_EQ(CodeOf([&] { DecodeBmp(FromHex(header + pixels + "00"), 0); }), Code::kInvalidArgument);
  TryDamaged(downwards, [](const std::string& file) { DecodeBmp(file, 0); });
}

TEST(Png, ChannelsAreAsAskedFor) {
  EXPECT_EQ(DecodePng(kPalettePng, 0, false).channels, 4);
  EXPECT_THAT(DecodePng(kPalettePng, 1, false).bytes, ElementsAre(0, 76, 149, 43, 149, 76));
  EXPECT_THAT(DecodePng(kPalettePng, 2, false).bytes, ElementsAre(0, 255, 76, 7, 149, 255, 43, 255, 149, 255, 76, 7));
  EXPECT_EQ(CodeOf([] { DecodePng(kPalettePng, 0, false, 6); }), Code::kInvalidArgument);
  TryDamaged(kPalettePng, [](const std::string& file) { DecodePng(file, 0, true, 1 << 20); });
}

TEST(Png, SaysWhatIsWrong) {
  const auto message = [](const std::string& file) { return StatusOf([&] { DecodePng(file, 0, false); }).message(); };
  EXPECT_THAT(message(kPalettePng.substr(0, 60)), HasSubstr("it ends too soon"));
  std::string damaged = kPalettePng;
  damaged[20] = static_cast<char>(~damaged[20]);  // in the width, which its sum no longer fits
  EXPECT_THAT(message(damaged), HasSubstr("CRC"));
}

TEST(Png, SixteenBitsStayOrLoseTheLowerOnes) {
  const uint16_t samples[] = {0x0102, 0xfffe};
  const std::string file = PngFile(reinterpret_cast<const uint8_t*>(samples), 1, 2, 1, 16);
  const Picture whole = DecodePng(file, 0, true);
  EXPECT_EQ(whole.bits, 16);
  EXPECT_EQ(std::string(whole.bytes.begin(), whole.bytes.end()),
            std::string(reinterpret_cast<const char*>(samples), sizeof(samples)));
  EXPECT_THAT(DecodePng(file, 0, false).bytes, ElementsAre(1, 255));
  EXPECT_THAT(DecodePng(file, 4, false).bytes, ElementsAre(1, 1, 1, 255, 255, 255, 255, 255));
}

constexpr int kIndexed = 3;  // a colour type

struct PngKind {
  int color_type, depth, channels;
};

uint32_t SampleAt(const PngKind& kind, int64_t y, int64_t x, int channel) {
  const auto mixed = static_cast<uint32_t>(y * 29 + x * 13 + channel * 5 + 1) * 2654435761U;
  return mixed >> (32 - kind.depth);
}

// The pixels from (y, x) on, every so many rows and columns.
struct PngPass {
  int64_t y, x, rows, columns;
};

// Made of SampleAt, without filters; indexed colours have a palette without two like ones.
std::string SampledPng(const PngKind& kind, int64_t height, int64_t width, bool interlaced) {
  const std::vector<PngPass> adam7 = {{0, 0, 8, 8}, {0, 4, 8, 8}, {4, 0, 8, 4}, {0, 2, 4, 4},
                                      {2, 0, 4, 2}, {0, 1, 2, 2}, {1, 0, 2, 1}};
  std::string rows;
  for (const PngPass& pass : interlaced ? adam7 : std::vector<PngPass>{{0, 0, 1, 1}}) {
    for (int64_t y = pass.y; y < height && pass.x < width; y += pass.rows) {
      rows += '\0';  // no filter
      std::string bits;
      for (int64_t x = pass.x; x < width; x += pass.columns) {
        for (int channel = 0; channel < kind.channels; ++channel) {
          bits +=
              std::bitset<16>(SampleAt(kind, y, x, channel)).to_string().substr(static_cast<size_t>(16 - kind.depth));
        }
      }
      bits.resize((bits.size() + 7) / 8 * 8, '0');
      for (size_t i = 0; i < bits.size(); i += 8) rows += static_cast<char>(std::bitset<8>(bits, i, 8).to_ulong());
    }
  }
  uLongf size = compressBound(rows.size());
  std::string deflated(size, '\0');
  EXPECT_EQ(compress(reinterpret_cast<Bytef*>(deflated.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
                     rows.size()),
            Z_OK);
  deflated.resize(size);
  std::string palette = "PLTE";
  for (int i = 0; i < 1 << kind.depth; ++i) palette += BigEndian(i * 0x10307 + 0x20, 3);
  return "\x89PNG\r\n\x1a\n" +
         PngChunk("IHDR" + BigEndian(width, 4) + BigEndian(height, 4) + BigEndian(kind.depth, 1) +
                  BigEndian(kind.color_type, 1) + BigEndian(0, 2) + BigEndian(interlaced ? 1 : 0, 1)) +
         (kind.color_type == kIndexed ? PngChunk(palette) : "") + PngChunk("IDAT" + deflated) + PngChunk("IEND");
}

TEST(Png, AnInterlacedFileHasThePixelsOfAPlainOne) {
  // Whatever the format allows: grey, colours, indexed colours, grey and alpha, colours and alpha.
  const std::vector<PngKind> kinds = {{0, 1, 1}, {0, 2, 1},  {0, 4, 1},  {0, 8, 1}, {0, 16, 1},
                                      {2, 8, 3}, {2, 16, 3}, {3, 1, 1},  {3, 2, 1}, {3, 4, 1},
                                      {3, 8, 1}, {4, 8, 2},  {4, 16, 2}, {6, 8, 4}, {6, 16, 4}};
  const std::vector<std::pair<int64_t, int64_t>> sizes = {{1, 1}, {3, 5}, {8, 8}, {9, 17}};
  for (const PngKind& kind : kinds) {
    for (const auto& [height, width] : sizes) {
      const std::string plain = SampledPng(kind, height, width, false),
                        interlaced = SampledPng(kind, height, width, true);
      const std::string what = Str("colour type ", kind.color_type, ", ", kind.depth, " bits, ", height, "×", width);
      for (int channels = 0; channels <= 4; ++channels) {
        for (const bool keep_16_bits : {false, true}) {
          const Picture picture = DecodePng(interlaced, channels, keep_16_bits);
          EXPECT_EQ(picture.height, height) << what;
          EXPECT_EQ(picture.width, width) << what;
          EXPECT_EQ(picture.bytes, DecodePng(plain, channels, keep_16_bits).bytes) << what;
        }
      }
      if (kind.depth != 8 || kind.color_type == kIndexed) continue;
      std::vector<uint8_t> samples;
      for (int64_t i = 0; i < height * width * kind.channels; ++i) {
        const int64_t pixel = i / kind.channels;
        samples.push_back(
            static_cast<uint8_t>(SampleAt(kind, pixel / width, pixel % width, static_cast<int>(i % kind.channels))));
      }
      EXPECT_EQ(DecodePng(interlaced, 0, false).bytes, samples) << what;
    }
  }
}

std::string GreyJpeg(int64_t height, int64_t width, const JpegEncoding& how = {.optimize_size = true}) {
  const std::vector<uint8_t> pixels(static_cast<size_t>(height * width), 100);
  return JpegFile(pixels.data(), height, width, 1, how);
}

TEST(Jpeg, OneColourComesBack) {
  const std::string file = GreyJpeg(9, 7);
  const Picture picture = DecodeJpeg(file, {.channels = 3});
  EXPECT_EQ(picture.height, 9);
  EXPECT_EQ(picture.width, 7);
  EXPECT_EQ(picture.channels, 3);
  EXPECT_THAT(picture.bytes, testing::Each(100));
  const Picture half = DecodeJpeg(file, {.ratio = 2});
  EXPECT_EQ(half.height, 5);
  EXPECT_EQ(half.width, 4);
  const Picture window = DecodeJpeg(file, {.window = JpegWindow{3, 2, 4, 5}});
  EXPECT_EQ(window.height, 4);
  EXPECT_EQ(window.bytes.size(), 20u);
  const Picture size = JpegSize(file);
  EXPECT_EQ(size.height, 9);
  EXPECT_EQ(size.width, 7);
  EXPECT_EQ(size.channels, 1);
}

TEST(Jpeg, WhatIsDamagedOrTooLargeIsRefused) {
  const std::string file = GreyJpeg(64, 16);
  for (const JpegWindow& window : {JpegWindow{-1, 0, 1, 1}, JpegWindow{0, 0, 65, 1}, JpegWindow{0, 0, 0, 1},
                                   JpegWindow{INT32_MAX, 0, INT32_MAX, 1}}) {
    EXPECT_EQ(CodeOf([&] { DecodeJpeg(file, {.window = window}); }), Code::kInvalidArgument);
  }
  EXPECT_EQ(CodeOf([&] { DecodeJpeg(file, {.most_samples = 1024}); }), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { JpegSize(file.substr(0, 40)); }), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf([] { GreyJpeg(0, 3); }), Code::kInternal);
  EXPECT_EQ(CodeOf([] { GreyJpeg(1, 70000); }), Code::kInternal);
  const std::string text(1 << 16, 'x');
  EXPECT_EQ(CodeOf([&] { GreyJpeg(1, 1, {.xmp_metadata = text}); }), Code::kInternal);
}

TEST(Jpeg, AFileThatIsCutOffIsTakenForAWholeOneOnRequest) {
  for (const bool progressive : {false, true}) {
    const std::string file = GreyJpeg(16, 16, {.progressive = progressive});
    const std::string piece = file.substr(0, file.size() - 4);
    EXPECT_EQ(CodeOf([&] { DecodeJpeg(piece, {}); }), Code::kInvalidArgument);
    EXPECT_EQ(DecodeJpeg(piece, {.recovers = true}).height, 16);
    for (const bool recovers : {false, true}) {
      TryDamaged(file, [&](const std::string& damaged) {
        DecodeJpeg(damaged, {.recovers = recovers, .acceptable_fraction = 0.5f, .most_samples = 1 << 20});
      });
    }
    TryDamaged(file, [](const std::string& damaged) { JpegSize(damaged, 1 << 20); });
  }
}

TEST(ImageFormat, FollowsFromTheFirstBytes) {
  EXPECT_EQ(ImageFormatOf(kGif), ImageFormat::kGif);
  EXPECT_EQ(ImageFormatOf(kPalettePng), ImageFormat::kPng);
  EXPECT_EQ(ImageFormatOf(GreyJpeg(1, 1)), ImageFormat::kJpeg);
  EXPECT_EQ(ImageFormatOf("BM"), ImageFormat::kBmp);
  EXPECT_EQ(ImageFormatOf("B"), ImageFormat::kUnknown);
}

}  // namespace
}  // namespace plumb
