// What WAV files have room for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/core/status_testing.h"
#include "spec/formats/wav_reader.h"
#include "spec/formats/wav_writer.h"

namespace plumb {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

TEST(Wav, HeadersHoldWhatTheirFieldsDo) {
  const auto code_of = [](int64_t sample_rate, int64_t channels, int64_t samples) {
    return StatusOf([&] { WavHeader(sample_rate, channels, samples); }).code();
  };
  constexpr int64_t kMostSamples = (UINT32_MAX - 44) / 2;  // behind the header, of two bytes each
  EXPECT_EQ(code_of(UINT32_MAX, 1, kMostSamples), Code::kOk);
  EXPECT_EQ(code_of(1, UINT16_MAX, 0), Code::kOk);
  EXPECT_EQ(code_of(1, 1, kMostSamples + 1), Code::kInvalidArgument);
  EXPECT_EQ(code_of(int64_t{UINT32_MAX} + 1, 1, 1), Code::kInvalidArgument);
  EXPECT_EQ(code_of(0, 1, 1), Code::kInvalidArgument);
  EXPECT_EQ(code_of(1, UINT16_MAX + 1, 1), Code::kInvalidArgument);
  EXPECT_EQ(code_of(1, 0, 1), Code::kInvalidArgument);
}

// What lies behind the end of a file need not be there to be left out.
TEST(Wav, ChunksHaveSizesOf31Bits) {
  const auto status_of = [](const std::string& chunk) {
    return StatusOf([&] { ReadWav(WavHeader(8000, 1, 0) + chunk); });
  };
  EXPECT_TRUE(status_of("more\xff\xff\xff\x7f"s).ok());
  const Status status = status_of("more\0\0\0\x80"s);
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("'more' of the WAV file has 2147483648 bytes"));
}

}  // namespace
}  // namespace plumb
