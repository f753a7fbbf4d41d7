// Pixels to JPEG files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumb {

struct JpegEncoding {
  int quality = 95;  // 0 to 100
  bool progressive = false;
  bool optimize_size = false;
  bool chroma_downsampling = true;
  bool per_centimetre = false;  // what the densities count pixels by; else per inch
  int64_t x_density = 300, y_density = 300;
  std::string_view xmp_metadata = {};
};

// `pixels`: height × width × channels bytes, of 1 or 3 channels. Byte for byte what TensorFlow writes with the same
// libjpeg. kInternal for what the format has no room for: no pixels, too many, or too much metadata.
std::string JpegFile(const uint8_t* pixels, int64_t height, int64_t width, int channels, const JpegEncoding& how);

}  // namespace plumb
