#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"
#include "spec/formats/png_writer.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

// 1×2 pixels of 24 bits, the lower row first.
const std::string kBmp = std::string("BM\x3e\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1\0\0\0\2\0\0\0\1\0\x18\0", 30) +
                         std::string(24, '\0') + std::string("\1\2\3\0\4\5\6\0", 8);

std::string Png(int bits) {
  const uint8_t samples[] = {1, 2, 3, 4};
  return PngFile(samples, 1, 4 * 8 / bits, 1, bits);
}

KernelCall Decode(const std::string& contents, DType type, int64_t channels = 0) {
  return {"DecodeImage",
          {MakeScalar(contents)},
          {{"channels", channels}, {"dtype", type}, {"expand_animations", true}},
          {type}};
}

TEST(DecodeImage, ScalesSamplesToTheType) {
  EXPECT_THAT(Integers(Decode(kBmp, DType::kUint8)()), ElementsAre(6, 5, 4, 3, 2, 1));
  EXPECT_EQ(Integers(Decode(kBmp, DType::kUint16)())[0], 6 * 256);
  EXPECT_EQ(Floats(Decode(kBmp, DType::kFloat)())[0], 6 * static_cast<float>(1.0 / 255));
  EXPECT_THAT(Integers(Decode(Png(8), DType::kUint16)()), ElementsAre(257, 514, 771, 1028));
  EXPECT_THAT(Integers(Decode(Png(16), DType::kUint16)()), ElementsAre(0x0201, 0x0403));
  EXPECT_EQ(Floats(Decode(Png(16), DType::kFloat)())[1], 0x0403 * static_cast<float>(1.0 / 65535));
}

TEST(DecodeImage, RefusesWhatIsNoImage) {
  for (const char* contents :
       {"", "B", "BM", "GIF89a", "\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "RIFF", "This is no image"}) {
    EXPECT_EQ(Decode(contents, DType::kUint8).Fails(), Code::kInvalidArgument) << contents;
  }
  EXPECT_EQ(Decode(kBmp, DType::kUint8, 1).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(Decode(kBmp, DType::kUint8, 2).Fails(), Code::kInvalidArgument);
}

TEST(DecodeGif, TakesFilesOfOneFrameInOtherFormats) {
  EXPECT_EQ((KernelCall{"DecodeGif", {MakeScalar(Png(8))}, {}, {DType::kUint8}}().tensor.shape()), (Shape{1, 1, 4, 3}));
  EXPECT_EQ((KernelCall{"DecodeGif", {MakeScalar(kBmp)}, {}, {DType::kUint8}}.Fails()), Code::kInvalidArgument);
}

TEST(EncodePng, RefusesWhatTheFormatHasNoRoomFor) {
  const auto encode = [](const Shape& shape) {
    return KernelCall{"EncodePng", {Zeros(DType::kUint8, shape)}, {{"compression", -1}}, {DType::kString}}.Fails();
  };
  EXPECT_EQ(encode({2, 3, 4}), Code::kOk);
  EXPECT_EQ(encode({0, 0, 3}), Code::kInternal);
  EXPECT_EQ(encode({1, 2, 0}), Code::kInternal);
  EXPECT_EQ(encode({1, 1, 2, 1}), Code::kInvalidArgument);
  EXPECT_EQ(encode({1, 1, 5}), Code::kInvalidArgument);
  EXPECT_EQ(encode({1, 1}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
