// Compressed bytes in memory.
#pragma once

#include <string>
#include <string_view>

#include "spec/formats/compression.h"

namespace plumb {

// What can be decoded, at most INT32_MAX bytes.
struct Inflated {
  std::string bytes;
  bool is_damaged = false;  // what follows them is no stream
};

// Block by block of 256 KiB, as TensorFlow does: where one is damaged, those before it count. A stream may end early.
// What follows a zlib stream is not looked at; gzip streams may follow one another, of which an empty one ends the file
// where the rest of it is in the same block.
Inflated Inflate(std::string_view compressed, Compression compression);

// All of it, or kDataLoss where there is any damage.
std::string InflatePrefix(std::string_view compressed, Compression compression);

}  // namespace plumb
