// What the writer and the reader of tables agree on (rules Z20–Z23).
#pragma once

#include <cstddef>
#include <cstdint>

namespace plumb::checkpoint {

inline constexpr size_t kBlockSize = 262144;  // a block ends when it has so many bytes
inline constexpr char kUncompressed = 0;      // the byte behind a block
inline constexpr size_t kTrailerSize = 5;     // that byte and the checksum
inline constexpr size_t kFooterSize = 48;     // two places and the magic number
inline constexpr uint64_t kTableMagic = 0xdb4775248b80fb57;

}  // namespace plumb::checkpoint
