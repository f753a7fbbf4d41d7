// Images as PNG files in memory.
#pragma once

#include <cstdint>
#include <string>

namespace plumb {

// `pixels`: height × width × channels samples, of 1 to 4 channels: grey, grey and alpha, colours, colours and alpha.
// A sample has 8 bits, or 16 in the order of this machine's bytes. `compression`: zlib's level, from 0 to 9, or -1 for
// its default. Byte for byte what TensorFlow writes with the same libpng and zlib. kInternal for an image without
// pixels.
std::string PngFile(const uint8_t* pixels, int64_t height, int64_t width, int channels, int bits = 8,
                    int compression = -1);

}  // namespace plumb
