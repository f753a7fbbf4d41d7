#include "spec/formats/wav_reader.h"

#include <algorithm>
#include <array>

#include "spec/core/status.h"

namespace plumb {
namespace {

constexpr int64_t kSampleBytes = 2;

// Chunks that may stand before the format.
constexpr std::array<std::string_view, 8> kForewords = {"JUNK", "bext", "iXML", "qlty", "mext", "levl", "link", "axml"};

class Cursor {
 public:
  explicit Cursor(std::string_view file) : file_(file) {}
  bool AtEnd() const { return at_ >= file_.size(); }

  std::string_view Take(uint64_t bytes, std::string_view what) {
    Require(at_ <= file_.size() && bytes <= file_.size() - at_, "the WAV file ends at offset ", file_.size(),
            ", within ", what, ", which begins at ", at_, " and has ", bytes, " bytes");
    const std::string_view taken = file_.substr(at_, bytes);
    at_ += bytes;
    return taken;
  }
  uint32_t Number(int bytes, std::string_view what) {
    const std::string_view taken = Take(static_cast<uint64_t>(bytes), what);
    uint32_t number = 0;
    for (int i = bytes - 1; i >= 0; --i) number = number << 8 | static_cast<uint8_t>(taken[static_cast<size_t>(i)]);
    return number;
  }
  void Expect(std::string_view text) {
    const std::string_view found = Take(text.size(), text);
    Require(found == text, "a WAV file has '", text, "' at offset ", at_ - text.size(), ", not '", found, "'");
  }
  // Also beyond the end.
  void Skip(uint64_t bytes) { at_ += bytes; }

 private:
  std::string_view file_;
  uint64_t at_ = 0;
};

void SkipForewords(Cursor& cursor) {
  for (auto name = cursor.Take(4, "a chunk's name"); name != "fmt "; name = cursor.Take(4, "a chunk's name")) {
    Require(std::find(kForewords.begin(), kForewords.end(), name) != kForewords.end(),
            "no chunk of a WAV file before its format is called '", name, "'");
    cursor.Take(cursor.Number(4, "a chunk's size"), name);
  }
}

WavSound ReadFormat(Cursor& cursor) {
  const uint32_t size = cursor.Number(4, "the format's size");
  Require(size == 16 || size == 18, "the format of a WAV file has 16 or 18 bytes, not ", size);
  const uint32_t encoding = cursor.Number(2, "the encoding");
  Require(encoding == 1, "the WAV file must have whole numbers, encoding 1, not ", encoding);
  WavSound sound;
  sound.channels = cursor.Number(2, "the number of channels");
  Require(sound.channels > 0, "a WAV file has one channel at least, and this one has none");
  sound.sample_rate = cursor.Number(4, "the sample rate");
  const uint64_t bytes_per_second = cursor.Number(4, "the bytes per second");
  const uint64_t bytes_per_frame = cursor.Number(2, "the bytes of a frame"), bits = cursor.Number(2, "the bits");
  Require(bits == 8 * kSampleBytes, "the samples of the WAV file must have 16 bits, not ", bits);
  Require(bytes_per_frame == static_cast<uint64_t>(sound.channels * kSampleBytes), "a frame of ", sound.channels,
          " channels has ", sound.channels * kSampleBytes, " bytes, not ", bytes_per_frame);
  Require(bytes_per_second == bytes_per_frame * sound.sample_rate, "a second of the WAV file has ",
          bytes_per_frame * sound.sample_rate, " bytes, not ", bytes_per_second);
  cursor.Skip(size - 16);
  return sound;
}

}  // namespace

int16_t WavSound::At(int64_t frame, int64_t channel) const {
  const auto at = static_cast<size_t>((frame * channels + channel) * kSampleBytes);
  return static_cast<int16_t>(static_cast<uint8_t>(samples[at]) | static_cast<uint8_t>(samples[at + 1]) << 8);
}

WavSound ReadWav(std::string_view file) {
  Cursor cursor(file);
  cursor.Expect("RIFF");
  cursor.Number(4, "the file's size");  // which nobody looks at
  cursor.Expect("WAVE");
  SkipForewords(cursor);
  WavSound sound = ReadFormat(cursor);
  bool has_data = false;
  while (!cursor.AtEnd()) {
    const std::string_view name = cursor.Take(4, "a chunk's name");
    const uint32_t size = cursor.Number(4, "a chunk's size");
    Require(size <= INT32_MAX, "the chunk '", name, "' of the WAV file has ", size, " bytes, more than 2^31 - 1");
    if (name != "data") {
      cursor.Skip(size);
      continue;
    }
    Require(!has_data, "the WAV file has more than one chunk of data");
    has_data = true;
    sound.frames = size / (sound.channels * kSampleBytes);
    sound.samples = cursor.Take(static_cast<uint64_t>(sound.frames * sound.channels * kSampleBytes), "its data");
  }
  Require(has_data, "the WAV file has no data");
  return sound;
}

}  // namespace plumb
