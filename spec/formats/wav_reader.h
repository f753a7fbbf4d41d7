// WAV files in memory to sound.
#pragma once

#include <cstdint>
#include <string_view>

namespace plumb {

// Whole numbers of 16 bits, low byte first: one for each channel of a frame, frame after frame. They lie in the file.
struct WavSound {
  std::string_view samples;
  int64_t frames = 0;
  int64_t channels = 0;
  uint32_t sample_rate = 0;

  // Sample number `channel` of frame number `frame`.
  int16_t At(int64_t frame, int64_t channel) const;
};

// kInvalidArgument for what is no such file, or ends too soon.
WavSound ReadWav(std::string_view file);

}  // namespace plumb
