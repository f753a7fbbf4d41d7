// Messages of any kind as text. For the .cc files that convert messages: they alone see the generated classes.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

#include "spec/core/status.h"

namespace plumb {

// Fills `message`, which is empty. Throws kInvalidArgument, with line and column, for a text that is not of its kind.
void ParseText(std::string_view text, std::string_view what, google::protobuf::Message* message);

template <class Message>
Message ParseTextMessage(std::string_view text, std::string_view what) {
  Message message;
  ParseText(text, what, &message);
  return message;
}

}  // namespace plumb
