// What all messages have: their kinds, and how one is written and read.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "mpi/protocol/wire.h"

namespace plumb::dist {

// Ranks that talk to each other have equal numbers.
inline constexpr int64_t kProtocolVersion = 12;

enum class MessageKind : unsigned char {
  kHello = 1,
  kRegister,
  kAnswer,
  kForget,
  kStart,
  kValue,
  kDone,
  kStop,
  kProbe,
  kProbed,
  kClose,
  kReset,
  kLeave,
  kJoin,
  kWithdraw,
  kMet,
  kPiece,
  kRoom,
  kAbsent,
  kTerms,
  kNote,
  kTime,
  kSave,
  kSaved,
  kRestore,
  kFailed,
};

template <class T>
std::string Encode(const T& message) {
  Writer writer(static_cast<char>(T::kKind));
  T::Travel(message, writer);
  return writer.Take();
}

// Throw kInvalidArgument for bytes that are not such a message.
MessageKind KindOf(std::string_view bytes);
template <class T>
T Decode(std::string_view bytes) {
  Require(KindOf(bytes) == T::kKind, "a message from another rank is not of the kind that it says");
  Reader reader(bytes.substr(1));
  T message;
  T::Travel(message, reader);
  reader.End();
  return message;
}

}  // namespace plumb::dist
