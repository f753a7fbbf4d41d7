// Handwritten-looking digits drawn from strokes of our own: a stand-in for MNIST where nothing can be downloaded.
#pragma once

#include <cstdint>
#include <vector>

namespace plumb::tools {

constexpr int kDigitSide = 28;

struct DigitImages {
  std::vector<uint8_t> pixels;  // images × 28 × 28, row-major, 0 background … 255 ink
  std::vector<uint8_t> labels;  // 0 … 9
};

// `count` images; equal counts and seeds give equal bytes on every machine with the same mathematical library.
DigitImages RenderDigits(int64_t count, uint64_t seed);

}  // namespace plumb::tools
