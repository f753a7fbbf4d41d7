// Sound as WAV files in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace plumb {

// The header in front of `samples` whole numbers of 16 bits. kInvalidArgument for what the format has no room for.
std::string WavHeader(int64_t sample_rate, int64_t channels, int64_t samples);

}  // namespace plumb
