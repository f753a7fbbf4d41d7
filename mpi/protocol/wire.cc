#include "mpi/protocol/wire.h"

#include <limits>

namespace plumb::dist {

void Writer::Put(uint64_t value) {
  char bytes[10];
  size_t size = 0;
  for (; value >= 0x80; value >>= 7) bytes[size++] = static_cast<char>(value | 0x80);
  bytes[size++] = static_cast<char>(value);
  Add({bytes, size});
}

void Writer::Put(const Status& status) {
  Put(static_cast<int32_t>(status.code()));
  if (!status.ok()) (*this)(static_cast<int32_t>(status.reason()), status.message());
}

std::string_view Reader::Bytes(uint64_t count) {
  Require(count <= rest_.size(), "a message from another rank ends early: ", count, " bytes are missing of ",
          rest_.size());
  const std::string_view bytes = rest_.substr(0, static_cast<size_t>(count));
  rest_.remove_prefix(bytes.size());
  return bytes;
}

void Reader::Get(bool& value) {
  const char byte = Bytes(1)[0];
  Require(byte == 0 || byte == 1, "a message from another rank says neither yes nor no");
  value = byte == 1;
}

void Reader::Get(uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(Bytes(1)[0]);
    Require(shift < 63 || byte <= 1, "a message from another rank has a number of more than 64 bits");
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return;
  }
}

void Reader::Get(int64_t& value) {
  uint64_t bits = 0;
  Get(bits);
  value = static_cast<int64_t>(bits >> 1 ^ (~(bits & 1) + 1));
}

void Reader::Get(int32_t& value) {
  int64_t wide = 0;
  Get(wide);
  const bool fits = wide >= std::numeric_limits<int32_t>::min() && wide <= std::numeric_limits<int32_t>::max();
  Require(fits, "a message from another rank has the number ", wide, " where 32 bits are wanted");
  value = static_cast<int32_t>(wide);
}

void Reader::Get(std::string& value) {
  std::string_view bytes;
  Get(bytes);
  value = bytes;
}

void Reader::Get(std::string_view& value) {
  uint64_t size = 0;
  Get(size);
  value = Bytes(size);
}

void Reader::Get(Status& status) {
  int32_t code = 0, reason = 0;
  Get(code);
  Require(code >= 0 && code <= static_cast<int32_t>(Code::kUnauthenticated),
          "a message from another rank has the code ", code, ", which is not known here");
  status = OkStatus();
  if (code == 0) return;
  std::string message;
  (*this)(reason, message);
  const bool has_no_kernel = reason == static_cast<int32_t>(Reason::kNoKernel);
  status = Status(Code(code), std::move(message), has_no_kernel ? Reason::kNoKernel : Reason::kOther);
}

}  // namespace plumb::dist
