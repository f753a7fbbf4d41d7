// CRC-32C, the checksum of record files, events and checkpoints (rule Z1).
#pragma once

#include <cstdint>
#include <string_view>

namespace plumb {

// Of `bytes`; or of everything so far followed by `bytes`, when `crc` is that of everything so far.
uint32_t Crc32c(std::string_view bytes, uint32_t crc = 0);

namespace internal {
// As Crc32c does it where the processor has no instruction for it.
uint32_t Crc32cByTable(std::string_view bytes, uint32_t crc = 0);
}  // namespace internal

// A checksum stored beside data that it covers is masked, so that the whole has a checksum of its own.
constexpr uint32_t MaskCrc(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

}  // namespace plumb
