// The first bytes of each message between processes: what it is, and how much of it there is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace plumb::dist {

enum class Kind : uint32_t { kMessage, kPulse, kGoodbye };

struct Envelope {
  Kind kind = Kind::kMessage;
  uint32_t unused = 0;
  uint64_t head_bytes = 0;
  uint64_t payload_bytes = 0;
};

// What Open MPI's shared memory takes in one go, less its own header.
inline constexpr size_t kSlotBytes = 4000;
// Whoever announces more than this has sent something else than an envelope; no memory is asked for.
inline constexpr uint64_t kLongestHead = uint64_t{1} << 28;
inline constexpr uint64_t kLargestPayload = uint64_t{1} << 40;

inline bool HoldsHead(const Envelope& e) { return e.head_bytes <= kSlotBytes - sizeof(Envelope); }
inline bool HoldsAll(const Envelope& e) {
  return HoldsHead(e) && e.payload_bytes <= kSlotBytes - sizeof(Envelope) - e.head_bytes;
}

// What an envelope holds, as parts of the bytes that came.
struct Opened {
  Envelope envelope;
  std::string_view head, payload;  // where it holds them
  std::string_view rest;           // further envelopes
};
// The first envelope of what came from a rank. Throws kInternal, naming the rank, for bytes that no rank sends.
Opened OpenEnvelope(int from, std::string_view bytes);

}  // namespace plumb::dist
