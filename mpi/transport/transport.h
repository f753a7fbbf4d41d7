// The wires between the ranks of a run: one rank's end of them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "spec/core/status.h"
#include "spec/core/tensor.h"

namespace plumb::dist {

// Bytes in the host's memory, which stay there for as long as `owner` is held.
struct Payload {
  const void* data = nullptr;
  size_t bytes = 0;
  std::shared_ptr<const void> owner;
  // On arrival: whether it lies where Receiver::Place said; `owner` is then that of the place. Otherwise the memory is
  // the sender's own, to be read only.
  bool is_placed = false;
};

// The elements of a tensor of numbers in the host's memory, without a copy.
Payload PayloadOf(const Tensor& tensor);
// A tensor of numbers on the payload's memory; nobody may write it in place unless it was placed. Copied if not
// aligned. Throws kDataLoss when the payload has not as many bytes as the tensor.
Tensor TensorOf(const Payload& payload, DType dtype, const Shape& shape);

// Memory for a payload that is under way.
struct Place {
  void* data = nullptr;
  std::shared_ptr<void> owner;
};
// From where values of steps come, which has it again when the last owner lets go; aligned as tensors are. Throws
// kResourceExhausted.
Place NewPlace(size_t bytes);

// What a rank does with what comes. Calls come one at a time and under no lock, from the transport's own thread or from
// one that attends, so they are short; they may call Send, but neither Stop nor Attend.
class Receiver {
 public:
  virtual ~Receiver() = default;
  // Where a payload of `bytes` (at least one) shall lie. Comes before its Arrive, or not at all: payloads between
  // threads go by reference. An empty place refuses the message: it is dropped.
  virtual Place PlaceFor(int /*from*/, std::string_view /*head*/, size_t bytes) { return NewPlace(bytes); }
  // A message is here, whole. `head` is valid during the call. Those of one sender arrive in the order they were sent.
  virtual void Arrive(int from, std::string_view head, Payload payload) = 0;
  // Nothing will arrive from this rank any more, and nothing reaches it. The status names rank and host; its code is
  // kCancelled when the rank stopped of its own accord, kUnavailable when it died or fell silent. Once per rank.
  virtual void Lost(int rank, const Status& status) = 0;
};

// Memory of one rank that the ranks of its host read and write too.
struct SharedArea {
  std::byte* data = nullptr;
  size_t bytes = 0;
};

// How a Send ended: OK once the transport has let go of the payload, else the reason why it will not arrive.
using Sent = std::function<void(const Status&)>;

// What went through this end since it was made.
struct Traffic {
  int64_t messages_sent = 0;
  int64_t messages_arrived = 0;
  int64_t payload_bytes_sent = 0;
  int64_t payloads_copied = 0;  // by the transport, on their way out or in
  int64_t largest_copy = 0;     // in bytes
};

// No payload above this is copied on its way between a tensor and the wire.
inline constexpr size_t kLargestCopy = 64 * 1024;

// Thread-safe.
class Transport {
 public:
  virtual ~Transport() = default;  // stops

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual std::string HostOf(int rank) const = 0;
  // How many processor cores this rank has, where ranks of one host share its cores evenly; at least one.
  virtual int Cores() const;

  // From now on `receiver` gets what comes, also what came before. Once; the receiver outlives Stop.
  virtual void Start(Receiver* receiver) = 0;
  // Sends to a rank, which may be this one. From here on nobody changes the payload's bytes. `sent`, where there is
  // one, is called exactly once: as the receiver is, or after Stop by Send itself. Throws kInvalidArgument when there
  // is no such rank; everything else is told to `sent`.
  virtual void Send(int to, std::string head, Payload payload, Sent sent) = 0;
  void Send(int to, std::string head) { Send(to, std::move(head), {}, nullptr); }

  // What the calling thread sends from here to LetGo may wait until then, so that small messages to one rank leave as
  // one. For a moment in which the thread waits for nothing. They nest.
  virtual void HoldBack() {}
  virtual void LetGo() {}

  // For a thread that has nothing to do but to wait for something that arrives: it does the transport's work itself, so
  // that nobody has to be woken. After each look that had news, and after a Nudge, it calls `work` until that returns
  // false; that may take long, and the transport's own thread steps in then. True once `is_over` holds. False where
  // another thread attends, where the transport has stopped or needs no hands, and, unless it `rests`, when nothing has
  // come for a while. One that rests sleeps instead.
  using Asked = std::function<bool()>;
  virtual bool Attend(const Asked& /*is_over*/, const Asked& /*work*/, bool /*rests*/) { return false; }
  // For a thread that will attend in a moment: until it leaves, nobody is woken for what comes, unless it stays away
  // for longer than that. False where another thread attends or the transport needs no hands, and then it need not
  // leave. Who attended in vain has left already; to leave once more does nothing.
  virtual bool Come() { return false; }
  virtual void Leave() {}
  // What is_over() says may have changed, or there is work that the one who attends has not fetched itself.
  virtual void Nudge() {}

  // Whether this transport has a time of its own, which the threads that attend move. Then each thread that waits for
  // another rank attends (AwaitInOwnTime) and Attend returns when `is_over` holds and no earlier; the pools of ranks
  // have no threads, for what is to do for a rank is done by `work`, which it names once, one piece at a time; and
  // clocks are After, whose callbacks come as the receiver's do, unless the transport has stopped.
  virtual bool HasOwnTime() const { return false; }
  virtual void Employ(Asked /*work*/) {}
  virtual void After(std::chrono::nanoseconds /*time*/, std::function<void()> /*then*/) {}
  // Returns when that holds; where the time is everybody's, at once.
  void AwaitInOwnTime(const Asked& holds) {
    if (HasOwnTime())
      Attend(
          holds, [] { return false; }, true);
  }

  // Hands over what was sent before, as far as the others take it, says goodbye and ends. When it returns nothing more
  // is called. Idempotent.
  virtual void Stop() = 0;

  virtual Traffic traffic() const = 0;

  // That of a rank, all zero at first; empty where none of its memory is this rank's too. Ranks that share some share
  // it all with each other. It stays until the process ends, and nothing of it outlives the last of its ranks.
  virtual SharedArea AreaOf(int /*rank*/) const { return {}; }
  // Before the first use of the own area: whether the host has memory for so many bytes from its beginning.
  virtual bool Reserve(size_t /*bytes*/) { return false; }
};

// Holds back what its thread sends, for as long as it lives.
class HeldBack {
 public:
  explicit HeldBack(Transport& transport) : transport_(transport) { transport_.HoldBack(); }
  ~HeldBack() { transport_.LetGo(); }
  HeldBack(const HeldBack&) = delete;
  HeldBack& operator=(const HeldBack&) = delete;

 private:
  Transport& transport_;
};

}  // namespace plumb::dist
