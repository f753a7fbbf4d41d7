// BMP files: pixels of 8, 24 or 32 bits, without a palette and uncompressed.
#pragma once

#include <string_view>

#include "spec/formats/image/picture.h"

namespace plumb {

// With `channels` channels, 3 or 4, or those that the file has where it is 0. kInvalidArgument for a file that is none,
// or whose size does not follow from its header.
Picture DecodeBmp(std::string_view contents, int channels);

}  // namespace plumb
