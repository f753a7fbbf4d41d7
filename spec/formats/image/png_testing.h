// Pieces of PNG files for tests.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>

namespace plumb {

inline std::string BigEndian(int64_t number, int bytes) {
  std::string text;
  while (bytes-- > 0) text.push_back(static_cast<char>(number >> 8 * bytes));
  return text;
}

// `content`: the chunk's type, and what is in it.
inline std::string PngChunk(const std::string& content) {
  const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  return BigEndian(static_cast<int64_t>(content.size()) - 4, 4) + content + BigEndian(static_cast<int64_t>(sum), 4);
}

}  // namespace plumb
