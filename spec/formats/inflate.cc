#include "spec/formats/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>

#include "spec/core/status.h"

namespace plumb {
namespace {

constexpr size_t kBlock = 1 << 16, kMost = INT32_MAX;

struct Stream : z_stream {
  explicit Stream(int window_bits) : z_stream() {
    if (inflateInit2(this, window_bits) != Z_OK) throw ResourceExhausted("no memory for zlib");
  }
  ~Stream() { inflateEnd(this); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

}  // namespace

std::string InflatePrefix(std::string_view compressed, Compression compression) {
  if (compression == Compression::kNone) return std::string(compressed);
  const bool gzip = compression == Compression::kGzip;
  Stream stream(gzip ? 15 + 16 : 15);
  std::string inflated;
  char block[kBlock];
  while (inflated.size() < kMost) {
    if (stream.avail_in == 0) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
      stream.avail_in = static_cast<uInt>(std::min(compressed.size(), kMost));
      compressed.remove_prefix(stream.avail_in);
    }
    const size_t room = std::min(kBlock, kMost - inflated.size());
    stream.next_out = reinterpret_cast<Bytef*>(block);
    stream.avail_out = static_cast<uInt>(room);
    const int result = inflate(&stream, Z_NO_FLUSH);
    const size_t written = room - stream.avail_out;
    inflated.append(block, written);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      throw DataLoss("the bytes are no ", gzip ? "gzip" : "zlib", " stream");
    }
    if (result == Z_STREAM_END) {
      if (!gzip || (stream.avail_in == 0 && compressed.empty())) break;
      inflateReset(&stream);
    } else if (written == 0 && stream.avail_in == 0 && compressed.empty()) {
      break;
    }
  }
  return inflated;
}

}  // namespace plumb
