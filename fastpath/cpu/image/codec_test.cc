#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/formats/png_writer.h"

namespace plumb::fast::cpu {
namespace {

// 1×2 pixels of 24 bits, the lower row first.
const std::string kBmp = std::string("BM\x3e\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1\0\0\0\2\0\0\0\1\0\x18\0", 30) +
                         std::string(24, '\0') + std::string("\1\2\3\0\4\5\6\0", 8);

Tensor Png(int bits) {
  const uint8_t samples[] = {1, 2, 3, 4};
  return MakeScalar(PngFile(samples, 1, 4 * 8 / bits, 1, bits));
}

TEST(Codecs, PixelsAreScaledToTheType) {
  const Tensor bmp = MakeScalar(kBmp);
  EXPECT_EQ(Values<uint8_t>(RunKernel1("DecodeBmp", {bmp})), (std::vector<uint8_t>{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(Values<uint16_t>(RunKernel1("DecodeImage", {bmp}, {{"dtype", DType::kUint16}}))[0], 6 * 256);
  EXPECT_EQ(Values<float>(RunKernel1("DecodeImage", {bmp}, {{"dtype", DType::kFloat}}))[0],
            6 * static_cast<float>(1.0 / 255));
  EXPECT_EQ(Values<uint16_t>(RunKernel1("DecodePng", {Png(8)}, {{"dtype", DType::kUint16}})),
            (std::vector<uint16_t>{257, 514, 771, 1028}));
  EXPECT_EQ(Values<uint16_t>(RunKernel1("DecodePng", {Png(16)}, {{"dtype", DType::kUint16}})),
            (std::vector<uint16_t>{0x0201, 0x0403}));
  EXPECT_EQ(Values<float>(RunKernel1("DecodeImage", {Png(16)}, {{"dtype", DType::kFloat}}))[1],
            0x0403 * static_cast<float>(1.0 / 65535));
}

TEST(Codecs, OpsTakeTheFormatsThatTensorFlowLetsThemTake) {
  const Tensor bmp = MakeScalar(kBmp);
  EXPECT_EQ(RunKernel1("DecodeGif", {Png(8)}).shape(), (Shape{1, 1, 4, 3}));
  EXPECT_EQ(RunKernel1("DecodeJpeg", {Png(8)}).shape(), (Shape{1, 4, 1}));
  EXPECT_EQ(CodeOfKernel("DecodeBmp", {Png(8)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DecodePng", {bmp}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DecodeGif", {bmp}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DecodeImage", {bmp}, {{"channels", 1}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DecodeImage", {MakeScalar<std::string>("")}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DecodeAndCropJpeg", {Png(8), MakeVector<int32_t>({0, 0, 1, 1})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DecodeJpeg", {Png(8)}, {{"ratio", 3}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DecodeJpeg", {Png(8)}, {{"channels", 2}}), Code::kInvalidArgument);
}

TEST(Codecs, WhatIsEncodedComesBack) {
  const Tensor png = RunKernel1("EncodePng", {MakeTensor<uint8_t>({1, 2, 1}, {3, 4})});
  ASSERT_EQ(png.shape(), Shape());
  EXPECT_EQ(Values<uint8_t>(RunKernel1("DecodePng", {png})), (std::vector<uint8_t>{3, 4}));
  const Tensor image = MakeTensor<uint8_t>({1, 2, 1}, {100, 100});
  const Tensor jpeg = RunKernel1("EncodeJpegVariableQuality", {image, MakeScalar<int32_t>(100)});
  EXPECT_EQ(Values<uint8_t>(RunKernel1("DecodeJpeg", {jpeg})), (std::vector<uint8_t>{100, 100}));
  EXPECT_EQ(Values<int64_t>(RunKernel1("ExtractJpegShape", {jpeg}, {{"output_type", DType::kInt64}})),
            (std::vector<int64_t>{1, 2, 1}));
  EXPECT_EQ(CodeOfKernel("EncodeJpeg", {image}, {{"quality", 101}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("EncodeJpeg", {image}, {{"format", "rgb"}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("EncodeJpeg", {MakeTensor<uint8_t>({0, 2, 1}, {})}), Code::kInternal);
  EXPECT_EQ(CodeOfKernel("EncodePng", {MakeTensor<uint8_t>({0, 0, 3}, {})}), Code::kInternal);
  EXPECT_EQ(CodeOfKernel("EncodePng", {MakeTensor<uint8_t>({1, 2, 0}, {})}), Code::kInternal);
  EXPECT_EQ(CodeOfKernel("EncodePng", {MakeTensor<uint8_t>({1, 1, 2, 1}, {1, 2})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("EncodePng", {MakeTensor<uint8_t>({1, 1, 5}, {1, 2, 3, 4, 5})}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
