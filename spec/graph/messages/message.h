// Messages of any kind as bytes. For the .cc files that convert messages: they alone see the generated classes.
#pragma once

#include <google/protobuf/message_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <climits>
#include <string>
#include <string_view>

#include "spec/core/status.h"

namespace plumb {

// Throws kInvalidArgument for bytes that are not such a message.
template <class Message>
Message ParseMessage(std::string_view bytes, std::string_view what) {
  Require(bytes.size() <= INT_MAX, "a ", what, " of ", bytes.size(), " bytes is above the limit of 2 GiB");
  const google::protobuf::LogSilencer silence;  // the status says it
  Message message;
  Require(message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())), "these ", bytes.size(),
          " bytes are not a ", what, ": truncated, malformed or nested too deeply");
  return message;
}

// The same bytes for equal messages: map keys are sorted.
std::string Serialize(const google::protobuf::MessageLite& message);

}  // namespace plumb
