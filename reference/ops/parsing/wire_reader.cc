#include "reference/ops/parsing/wire_reader.h"

#include <algorithm>
#include <climits>

#include "spec/core/status.h"

namespace plumb::reference {

bool WireReader::Try(char tag) {
  if (AtEnd() || bytes_[at_] != tag) return false;
  ++at_;
  return true;
}

void WireReader::Expect(char tag) { Require(Try(tag), "the message has no field ", int{tag} >> 3, " at byte ", at_); }

uint64_t WireReader::Number() {
  uint64_t number = 0;
  for (int i = 0; i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(Take(1)[0]);
    number |= uint64_t{byte & 0x7fu} << 7 * i;
    if (byte < 0x80) return number;
  }
  throw InvalidArgument("a number at byte ", at_, " of the message has no end");
}

std::string_view WireReader::Take(uint64_t count) {
  Require(count <= end_ - at_, "the message ends at byte ", end_, ", before ", count, " bytes from ", at_, " on");
  at_ += count;
  return bytes_.substr(at_ - count, count);
}

void WireReader::SkipField() {
  switch (Number() & 7) {
    case 0:
      Number();
      break;
    case 1:
      Take(8);
      break;
    case 2:
      if (const uint32_t length = Length(); length <= INT_MAX) at_ += std::min<size_t>(length, end_ - at_);
      break;
    case 5:
      Take(4);
      break;
    default:
      throw InvalidArgument("the message has a field of an unknown kind before byte ", at_);
  }
}

size_t WireReader::Narrow(uint32_t length) {
  const size_t before = end_;
  if (length <= INT_MAX) end_ = std::min(end_, at_ + length);
  return before;
}

}  // namespace plumb::reference
