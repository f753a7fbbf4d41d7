#include "spec/formats/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "spec/core/status.h"

namespace plumb {
namespace {

constexpr size_t kBlock = 256 << 10, kMost = INT32_MAX;

struct Stream : z_stream {
  explicit Stream(int window_bits) : z_stream() {
    if (inflateInit2(this, window_bits) != Z_OK) throw ResourceExhausted("no memory for zlib");
  }
  ~Stream() { inflateEnd(this); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

}  // namespace

Inflated Inflate(std::string_view compressed, Compression compression) {
  if (compression == Compression::kNone) return {.bytes = std::string(compressed)};
  const bool gzip = compression == Compression::kGzip;
  Stream stream(gzip ? 15 + 16 : 15);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  // Adds to the block of input; whether there was anything, and room for it.
  const auto read = [&] {
    const size_t more = std::min(compressed.size(), kBlock - stream.avail_in);
    compressed.remove_prefix(more);
    stream.avail_in += static_cast<uInt>(more);
    return more > 0;
  };
  Inflated inflated;
  const auto block = std::make_unique_for_overwrite<char[]>(kBlock);
  while (inflated.bytes.size() < kMost) {
    const size_t room = std::min(kBlock, kMost - inflated.bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(block.get());
    stream.avail_out = static_cast<uInt>(room);
    const int result = inflate(&stream, Z_NO_FLUSH);
    inflated.is_damaged = result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
    if (inflated.is_damaged) break;
    if (result == Z_STREAM_END && gzip) inflateReset(&stream);
    const size_t written = room - stream.avail_out;
    inflated.bytes.append(block.get(), written);
    if (written == 0 && !read()) break;
  }
  return inflated;
}

std::string InflatePrefix(std::string_view compressed, Compression compression) {
  Inflated inflated = Inflate(compressed, compression);
  if (!inflated.is_damaged) return std::move(inflated.bytes);
  throw DataLoss("the bytes are no ", compression == Compression::kGzip ? "gzip" : "zlib", " stream");
}

}  // namespace plumb
