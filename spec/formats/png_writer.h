// Images as PNG files in memory.
#pragma once

#include <cstdint>
#include <string>

namespace plumb {

// `pixels`: height × width × channels bytes, of 1 to 4 channels: grey, grey and alpha, colours, colours and alpha. Byte
// for byte what TensorFlow writes with the same libpng and zlib. kInternal for an image without pixels.
std::string PngFile(const uint8_t* pixels, int64_t height, int64_t width, int channels);

}  // namespace plumb
