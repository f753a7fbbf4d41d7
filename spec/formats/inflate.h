// Compressed bytes in memory.
#pragma once

#include <string>
#include <string_view>

#include "spec/formats/compression.h"

namespace plumb {

// What can be decoded of `compressed`, at most INT32_MAX bytes. A stream may end early: what came before counts. What
// follows a zlib stream is not looked at; gzip streams may follow one another. kDataLoss for bytes that are none.
std::string InflatePrefix(std::string_view compressed, Compression compression);

}  // namespace plumb
