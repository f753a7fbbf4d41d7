// PNG files to pixels.
#pragma once

#include <string_view>

#include "spec/formats/image/picture.h"

namespace plumb {

// With `channels` channels: grey, grey and alpha, colours, colours and alpha; or those that the file has where it is 0.
// Samples of 16 bits stay such where `keep_16_bits`; all others become 8 bits. kInvalidArgument for bytes that are no
// PNG file or are damaged, and for an image that is too large.
Picture DecodePng(std::string_view contents, int channels, bool keep_16_bits, int64_t most_pixels = kMostSamples);

}  // namespace plumb
