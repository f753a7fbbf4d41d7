// Sound in WAV files, as TensorFlow 2.12.1 writes and reads them.
#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

std::string File(std::string_view samples) {
  const std::string header(
      "RIFF8\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00"
      "D\xac\x00\x00\x10\xb1\x02\x00\x04\x00\x10\x00"
      "data\x14\x00\x00\x00",
      44);
  return header + std::string(samples);
}
const std::string kFile = File({"\x00\x00\x00@\x00\xc0\xff\x7f\xff\x7f\x00\x80\x00 \x00\x00\x00\x00\x01\x00", 20});

std::vector<Tensor> Decoded(const std::string& file, int64_t channels = -1, int64_t samples = -1) {
  return RunKernel("DecodeWav", {MakeScalar(file)}, {{"desired_channels", channels}, {"desired_samples", samples}});
}
Code CodeOfFile(const std::string& file) { return CodeOfKernel("DecodeWav", {MakeScalar(file)}); }
std::string With(size_t at, std::string_view bytes) { return std::string(kFile).replace(at, bytes.size(), bytes); }
std::string Inserted(std::string_view bytes) { return std::string(kFile).insert(36, bytes); }

TEST(Wav, NumbersAreRoundedAndCut) {
  const Tensor sound = MakeTensor<float>({5, 2}, {0, 0.5F, -0.5F, 1, 1.5F, -2, 0.25F, NAN, 1e-5F, 0x1p-16F});
  EXPECT_EQ(RunKernel1("EncodeWav", {sound, MakeScalar<int32_t>(44100)}).scalar<std::string>(), kFile);
}

TEST(Wav, WhatHasNoPlaceInAHeaderIsRefused) {
  const auto code = [](const Shape& shape, int32_t rate) {
    return CodeOfKernel("EncodeWav", {Zeros(DType::kFloat, shape), MakeScalar(rate)});
  };
  EXPECT_EQ(code({0, 1}, 8000), Code::kOk);
  EXPECT_EQ(code({2, 0}, 8000), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 70000}, 1), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 1}, 0), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 1}, -5), Code::kInvalidArgument);
  EXPECT_EQ(code({2}, 8000), Code::kInvalidArgument);
}

TEST(Wav, SamplesBecomeFractions) {
  const auto outputs = Decoded(kFile);
  EXPECT_EQ(outputs.at(0).shape(), Shape({5, 2}));
  EXPECT_EQ(Values<float>(outputs.at(0)),
            Floats({0, 0.5F, -0.5F, 1 - 0x1p-15F, 1 - 0x1p-15F, -1, 0.25F, 0, 0, 0x1p-15F}));
  EXPECT_EQ(Values<int32_t>(outputs.at(1)), (std::vector<int32_t>{44100}));
}

TEST(Wav, SizesMayBeAskedFor) {
  EXPECT_EQ(Values<float>(Decoded(kFile, 1).at(0)), Floats({0, -0.5F, 1 - 0x1p-15F, 0.25F, 0}));
  EXPECT_EQ(Values<float>(Decoded(kFile, 3, 1).at(0)), Floats({0, 0.5F, 0.5F}));
  EXPECT_EQ(Values<float>(Decoded(kFile, 1, 7).at(0)), Floats({0, -0.5F, 1 - 0x1p-15F, 0.25F, 0, 0, 0}));
  EXPECT_EQ(Decoded(kFile, 0).at(0).shape(), Shape({5, 0}));
  EXPECT_EQ(Decoded(kFile, -1, 0).at(0).shape(), Shape({0, 2}));
  EXPECT_THROW(Decoded(kFile, -2), Error);
}

TEST(Wav, OtherChunksAreLeftOut) {
  using namespace std::string_literals;
  const Floats all = Values<float>(Decoded(kFile).at(0));
  EXPECT_EQ(Values<float>(Decoded(Inserted("LIST\x04\0\0\0abcd"s)).at(0)), all);
  EXPECT_EQ(Values<float>(Decoded(kFile + "LIST\x04\0\0\0abcd"s).at(0)), all);
  EXPECT_EQ(Values<float>(Decoded(kFile + "123456789").at(0)), all) << "a chunk that goes on beyond the file";
  EXPECT_EQ(Values<float>(Decoded(With(4, "\0\0\0\0"s)).at(0)), all) << "nobody looks at the file's size";
  EXPECT_EQ(Values<float>(Decoded(std::string(With(16, "\x12"s)).insert(36, "\0\0"s)).at(0)), all) << "18 bytes";
  EXPECT_EQ(Values<float>(Decoded(std::string(kFile).insert(12, "JUNK\x01\0\0\0x"s)).at(0)), all);
  EXPECT_EQ(CodeOfFile(std::string(kFile).insert(12, "LIST\x01\0\0\0x"s)), Code::kInvalidArgument);
}

TEST(Wav, WhatIsDamagedIsRefused) {
  using namespace std::string_literals;
  for (const std::string& file : {""s,
                                  kFile.substr(0, 40),
                                  kFile.substr(0, 43),
                                  kFile.substr(0, 44),
                                  kFile.substr(0, kFile.size() - 1),
                                  With(0, "RIFX"s),
                                  With(8, "wave"s),
                                  With(16, "\x11"s),
                                  With(20, "\x03"s),
                                  With(22, "\0"s),
                                  With(28, "\0\0\0\0"s),
                                  With(32, "\x02"s),
                                  With(34, "\x08"s),
                                  With(40, "\xff\xff\xff\x7f"s),
                                  With(40, "\x05"s),
                                  kFile + "x",
                                  kFile + kFile.substr(36),
                                  kFile.substr(0, 36),
                                  Inserted("LIST\x03\0\0\0abcd"s),
                                  Inserted("LIST\xff\xff\xff\xff"s)}) {
    EXPECT_EQ(CodeOfFile(file), Code::kInvalidArgument) << testing::PrintToString(file);
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
