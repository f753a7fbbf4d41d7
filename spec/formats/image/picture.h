// A decoded image, or the frames of an animation.
#pragma once

#include <cstdint>
#include <vector>

namespace plumb {

// No decoder makes more samples than this of one picture: as many as TensorFlow takes of a JPEG file.
inline constexpr int64_t kMostSamples = int64_t{1} << 29;

struct Picture {
  int64_t frames = 1, height = 0, width = 0;
  int channels = 0;
  int bits = 8;                     // of a sample: 8, or 16 in the order of this machine's bytes
  std::vector<uint8_t> bytes = {};  // frames × height × width × channels samples
};

}  // namespace plumb
