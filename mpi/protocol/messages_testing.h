// For tests and fuzzers: messages of every kind, and what a rank reads of the bytes that come from another one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "mpi/protocol/collective_messages.h"
#include "mpi/protocol/messages.h"
#include "mpi/protocol/state.h"
#include "mpi/protocol/trace.h"

namespace plumb::dist {

using JoinMessage = struct Join;  // trace.h has a function of that name

// Calls `body` with the type of each message that there is, as a std::type_identity.
template <class Body>
void ForEachMessage(const Body& body) {
  const auto each = [&]<class... T>(std::type_identity<T>... types) {
    static_assert(sizeof...(T) == static_cast<size_t>(MessageKind::kFailed), "a kind is missing");
    (body(types), ...);
  };
  each(std::type_identity<Hello>(), std::type_identity<Register>(), std::type_identity<Answer>(),
       std::type_identity<Forget>(), std::type_identity<Start>(), std::type_identity<Value>(),
       std::type_identity<Done>(), std::type_identity<Stop>(), std::type_identity<Probe>(),
       std::type_identity<Probed>(), std::type_identity<Close>(), std::type_identity<Reset>(),
       std::type_identity<Leave>(), std::type_identity<JoinMessage>(), std::type_identity<Withdraw>(),
       std::type_identity<Met>(), std::type_identity<Piece>(), std::type_identity<Room>(), std::type_identity<Absent>(),
       std::type_identity<Terms>(), std::type_identity<Note>(), std::type_identity<Time>(), std::type_identity<Save>(),
       std::type_identity<Saved>(), std::type_identity<Restore>(), std::type_identity<Failed>());
}

// Gives every field of a message a value that no other has, as far as its type has so many.
class Filler {
 public:
  template <class... Fields>
  void operator()(Fields&... fields) {
    (Fill(fields), ...);
  }

 private:
  void Fill(bool& value) { value = ++count_ % 2 == 0; }
  void Fill(int32_t& value) { value = static_cast<int32_t>(++count_ * -1000); }
  void Fill(int64_t& value) { value = int64_t{++count_} << 40; }
  void Fill(uint64_t& value) { value = uint64_t{1} << 63 | static_cast<uint64_t>(++count_); }
  void Fill(std::string_view& value) { value = "some elements"; }
  void Fill(std::string& value) { value = Str("text ", ++count_, std::string_view("\0", 1)); }
  void Fill(Status& value) { value = Status(Code::kAborted, Str("why ", ++count_), Reason::kNoKernel); }
  template <class T>
  void Fill(std::vector<T>& values) {
    values.resize(2);
    for (T& value : values) Fill(value);
  }
  template <class T>
  requires requires(T& value, Filler& filler) { T::Travel(value, filler); }
  void Fill(T& value) { T::Travel(value, *this); }

  int count_ = 0;
};

template <class T>
T Filled() {
  T message;
  Filler filler;
  T::Travel(message, filler);
  return message;
}

namespace internal {

// What is read of a message beside its fields, and of what follows it.
template <class T>
void ReadBeside(const T&, const Payload&) {}
inline void ReadBeside(const Value& value, const Payload& payload) {
  if (value.is_dead) return;
  if (payload.bytes > 0) PlaceFor(value, payload.bytes);
  TensorOf(value, payload);
}
inline void ReadBeside(const Done&, const Payload& payload) {
  if (payload.bytes > 0) DecodeTrace({static_cast<const char*>(payload.data), payload.bytes});
}
inline void ReadBeside(const Saved& saved, const Payload& payload) {
  if (saved.status.ok()) DecodeState({static_cast<const char*>(payload.data), payload.bytes});
}
inline void ReadBeside(const Restore&, const Payload& payload) {
  DecodeState({static_cast<const char*>(payload.data), payload.bytes});
}
inline void ReadBeside(const JoinMessage& join, const Payload&) { MemberFrom(join.member); }
inline void ReadBeside(const Absent& absent, const Payload&) { MemberFrom(absent.member); }

}  // namespace internal

// Reads a message of any kind, and what follows it; what is written of its fields again. Throws Error for what is none.
inline std::string Reread(std::string_view head, const Payload& payload) {
  const MessageKind kind = KindOf(head);
  std::string written;
  ForEachMessage([&]<class T>(std::type_identity<T>) {
    if (T::kKind != kind) return;
    const T message = Decode<T>(head);
    written = Encode(message);
    internal::ReadBeside(message, payload);
  });
  return written;
}

}  // namespace plumb::dist
