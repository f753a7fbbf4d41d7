// Messages out of the bytes of checkpoints.
#pragma once

#include <google/protobuf/message_lite.h>

#include <climits>
#include <string_view>

namespace plumb::checkpoint {

// False where the bytes are no such message, or more than a message may have.
inline bool Parse(std::string_view bytes, google::protobuf::MessageLite* to) {
  return bytes.size() <= INT_MAX && to->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace plumb::checkpoint
