#include "spec/formats/wav_writer.h"

#include "spec/core/status.h"

namespace plumb {
namespace {

constexpr int64_t kHeaderBytes = 44, kSampleBytes = 2;

void Append(int64_t number, int bytes, std::string& to) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(number >> 8 * i & 0xff);
}

}  // namespace

std::string WavHeader(int64_t sample_rate, int64_t channels, int64_t samples) {
  Require(sample_rate > 0 && sample_rate <= UINT32_MAX, "a sample rate must be from 1 to 2^32 - 1, not ", sample_rate);
  Require(channels > 0 && channels <= UINT16_MAX, "sound must have from 1 to 65535 channels, not ", channels);
  Require(samples <= (UINT32_MAX - kHeaderBytes) / kSampleBytes, samples, " samples are too many for a WAV file");
  const int64_t size = samples * kSampleBytes;
  std::string header = "RIFF";
  Append(kHeaderBytes - 8 + size, 4, header);
  header += "WAVEfmt ";
  Append(16, 4, header);
  Append(1, 2, header);  // whole numbers, not compressed
  Append(channels, 2, header);
  Append(sample_rate, 4, header);
  Append(sample_rate * kSampleBytes * channels, 4, header);
  Append(kSampleBytes * channels, 2, header);
  Append(8 * kSampleBytes, 2, header);
  header += "data";
  Append(size, 4, header);
  return header;
}

}  // namespace plumb
