// The header of a .npy file (npy.h): a Python dict of three entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace plumb {

// Records of strings that end in zero bytes: a length, then the longest's number of bytes (npy.h).
constexpr std::string_view kRecordsBegin = "[('length', '<i8'), ('bytes', '|V", kRecordsEnd = "')]";
constexpr char kRecord = 'R';
constexpr size_t kLengthBytes = sizeof(int64_t);

// '<f4' taken apart.
struct NpyElement {
  bool is_big_endian = false;
  char kind = 0;     // NumPy's letter, or kRecord
  size_t bytes = 0;  // of an element in the file
};

struct NpyHeader {
  NpyElement element;
  bool is_fortran = false;
  std::vector<int64_t> dims;
};

// Throws as ParseNpy does; `name` stands for the file in messages.
NpyHeader ReadNpyHeader(std::string_view text, std::string_view name);

}  // namespace plumb
