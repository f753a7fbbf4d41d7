// GIF files: the frames of an animation, drawn one over the other.
#pragma once

#include <string_view>

#include "spec/formats/image/picture.h"

namespace plumb {

// All frames, or the first one, in three channels, as large as the largest frame that the file has. What a frame does
// not cover, or leaves transparent, shows the frame before, and black in the first. A file that is cut off within the
// pixels of a frame ends there, and what is missing has the first colour. kInvalidArgument for a file that is none.
Picture DecodeGif(std::string_view contents, bool all_frames, int64_t most_samples = kMostSamples);

}  // namespace plumb
