// Bytes → digits, plain or compressed: a status that names the file, or a tensor of the rank asked for.
#include "spec/formats/idx.h"

#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const int rank : {1, 3}) {
    try {
      if (plumb::ParseIdx(bytes, rank, "digits").rank() != rank) std::abort();
    } catch (const plumb::Error& error) {
      if (std::string_view(error.what()).find("digits") == std::string_view::npos) std::abort();
    }
  }
  return 0;
}
