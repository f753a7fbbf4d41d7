// JPEG files to pixels.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "spec/formats/image/picture.h"

namespace plumb {

struct JpegWindow {
  int64_t y = 0, x = 0, height = 0, width = 0;
};

struct JpegDecoding {
  int channels = 0;  // 1 or 3; 0: as many as the file has, but 3 where it has 4
  int ratio = 1;     // every side is 1, 2, 4 or 8 times as long in the file
  bool fancy_upscaling = true;
  bool accurate_dct = false;              // the slow transform of integers, in place of the fast one
  bool recovers = false;                  // a file that ends too soon is taken for one that ends there
  float acceptable_fraction = 1;          // so many of the rows must be there; others are black
  std::optional<JpegWindow> window = {};  // what is to be decoded, of the image after `ratio`
  int64_t most_samples = kMostSamples;
};

// kInvalidArgument for bytes that are no JPEG file or are damaged, for a window outside of the image, and for an image
// that is too large.
Picture DecodeJpeg(std::string_view contents, const JpegDecoding& how);

// What a file says of its size, without pixels: no bytes. kInvalidArgument as above.
Picture JpegSize(std::string_view contents, int64_t most_samples = kMostSamples);

}  // namespace plumb
