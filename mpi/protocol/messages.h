// What ranks say to each other. A master is the rank whose client runs a step; any rank that has a part of it is a
// worker of it. What members of groups say is in collective_messages.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fastpath/device/rendezvous_table.h"
#include "mpi/protocol/message.h"
#include "mpi/protocol/statement.h"
#include "mpi/transport/transport.h"
#include "spec/core/tensor.h"

namespace plumb::dist {

// Each master counts its steps.
struct StepName {
  int32_t master = 0;
  int64_t number = 0;
  auto operator<=>(const StepName&) const = default;
  std::string ToString() const { return Str("step ", number, " of rank ", master); }
  static void Travel(auto& self, auto& io) { io(self.master, self.number); }
};

// The first word of every rank to every other. Of another version only the version is read.
struct Hello {
  static constexpr MessageKind kKind = MessageKind::kHello;
  int64_t version = kProtocolVersion;
  std::string cluster;
  int64_t fingerprint = 0;  // of what the rank says of its program
  static void Travel(auto& self, auto& io) { io(self.version, self.cluster, self.fingerprint); }
};

// All that the sender says of its program: to a rank whose fingerprint is another.
struct Terms {
  static constexpr MessageKind kKind = MessageKind::kTerms;
  std::vector<Term> terms;
  static void Travel(auto& self, auto& io) { io(self.terms); }
};

// A part of the steps of a session of the sender. The graph follows, as graph/serialize.h writes it. Answered with its
// number.
struct Register {
  static constexpr MessageKind kKind = MessageKind::kRegister;
  int64_t request = 0;
  int64_t session = 0;
  bool optimize = true, soft = false;
  bool in_pieces = false;  // fed and fetched piece by piece (rule P1)
  static void Travel(auto& self, auto& io) { io(self.request, self.session, self.optimize, self.soft, self.in_pieces); }
};

// To a request of the receiver, which counts its own.
struct Answer {
  static constexpr MessageKind kKind = MessageKind::kAnswer;
  int64_t request = 0;
  Status status;
  int64_t number = 0;
  static void Travel(auto& self, auto& io) { io(self.request, self.status, self.number); }
};

// A part of the sender's session is not run again; part 0: the session is closed, and none of them is.
struct Forget {
  static constexpr MessageKind kKind = MessageKind::kForget;
  int64_t session = 0;
  int64_t part = 0;
  static void Travel(auto& self, auto& io) { io(self.session, self.part); }
};

// Runs a registered part as a step of the sender.
struct Start {
  static constexpr MessageKind kKind = MessageKind::kStart;
  int64_t part = 0;
  int64_t step = 0;
  int64_t oldest = 0;  // of the sender's steps that may still be going on
  bool traces = false;
  std::vector<int64_t> over = {};  // later ones that are over, as far as the receiver was not told
  static void Travel(auto& self, auto& io) { io(self.part, self.step, self.oldest, self.traces, self.over); }
};

// From a Send to its Recv (rule W30). The elements follow, unless they are few numbers.
struct Value {
  static constexpr MessageKind kKind = MessageKind::kValue;
  StepName step;
  fast::RendezvousKey key;
  bool is_dead = false;
  int32_t dtype = 0;
  std::vector<int64_t> dims;
  std::string_view elements = {};  // where they do not follow: of memory that somebody else keeps
  static void Travel(auto& self, auto& io) {
    io(self.step, self.key.channel, self.key.frame, self.key.iteration, self.is_dead, self.dtype, self.dims);
    io(self.elements);
  }
};

// A part of a step of the receiver has ended. Where it is traced, what ran follows as a PartTrace.
struct Done {
  static constexpr MessageKind kKind = MessageKind::kDone;
  int64_t step = 0;
  Status status;
  std::vector<std::string> waits = {};  // where the step's time was up: who waited for what in the part then (S4)
  static void Travel(auto& self, auto& io) { io(self.step, self.status, self.waits); }
};

// A step has failed (rule W32): to its master from where it did, and from there to all others.
struct Stop {
  static constexpr MessageKind kKind = MessageKind::kStop;
  StepName step;
  Status status;
  static void Travel(auto& self, auto& io) { io(self.step, self.status); }
};

// Asks whether anything can happen in a part of a step of the sender before a value arrives.
struct Probe {
  static constexpr MessageKind kKind = MessageKind::kProbe;
  int64_t step = 0;
  int64_t round = 0;
  static void Travel(auto& self, auto& io) { io(self.step, self.round); }
};

// How a part of a step stands: whether it is idle, how often it has been stirred from outside, and how many values it
// has sent to each rank and received from it.
struct Standing {
  bool is_idle = false;
  bool keeps_aliases = false;  // that a fetch elsewhere reads when this part is over (F28)
  int64_t stirred = 0;
  std::vector<int64_t> sent, received;
  static void Travel(auto& self, auto& io) {
    io(self.is_idle, self.keeps_aliases, self.stirred, self.sent, self.received);
  }
};
struct Probed {
  static constexpr MessageKind kKind = MessageKind::kProbed;
  int64_t step = 0;
  int64_t round = 0;
  Standing standing;
  static void Travel(auto& self, auto& io) { io(self.step, self.round, self.standing); }
};

// Nobody is left who could send anything but aliases that are kept: sends these, or, where none are kept anywhere,
// closes the receivers that may be closed, if the part stands as it did.
struct Close {
  static constexpr MessageKind kKind = MessageKind::kClose;
  int64_t step = 0;
  int64_t stirred = 0;
  bool sends_aliases = false;
  static void Travel(auto& self, auto& io) { io(self.step, self.stirred, self.sends_aliases); }
};

// Drops the resources of these containers (rule R5). Answered.
struct Reset {
  static constexpr MessageKind kKind = MessageKind::kReset;
  int64_t request = 0;
  std::vector<std::string> containers;
  static void Travel(auto& self, auto& io) { io(self.request, self.containers); }
};

// Asks what the receiver keeps: its resources, and the stateful kernels of a session of the sender. Answered by Saved.
struct Save {
  static constexpr MessageKind kKind = MessageKind::kSave;
  int64_t request = 0;
  int64_t session = 0;
  static void Travel(auto& self, auto& io) { io(self.request, self.session); }
};

// To a request of the receiver. Where the status is OK, what EncodeState wrote follows.
struct Saved {
  static constexpr MessageKind kKind = MessageKind::kSaved;
  int64_t request = 0;
  Status status;
  static void Travel(auto& self, auto& io) { io(self.request, self.status); }
};

// Takes up what was saved; it follows. Answered.
struct Restore {
  static constexpr MessageKind kKind = MessageKind::kRestore;
  Register session;  // of the sender
  static void Travel(auto& self, auto& io) { io(self.session); }
};

// Asks what the receiver's clock says. Answered with nanoseconds since the epoch.
struct Time {
  static constexpr MessageKind kKind = MessageKind::kTime;
  int64_t request = 0;
  static void Travel(auto& self, auto& io) { io(self.request); }
};

// Something beside the steps, for whoever reads this topic. The text follows.
struct Note {
  static constexpr MessageKind kKind = MessageKind::kNote;
  std::string topic;
  static void Travel(auto& self, auto& io) { io(self.topic); }
};

// The sender asks for nothing any more.
struct Leave {
  static constexpr MessageKind kKind = MessageKind::kLeave;
  static void Travel(auto&, auto&) {}
};

// The run has failed: a rank is lost, or gives up.
struct Failed {
  static constexpr MessageKind kKind = MessageKind::kFailed;
  Status status;
  static void Travel(auto& self, auto& io) { io(self.status); }
};

// Decode<Hello>, of any version.
Hello DecodeHello(std::string_view bytes);

// The elements of a value travel behind it: of numbers as they lie in memory, of others as their TensorProto.
// Sets type and shape of the value.
Payload PayloadOf(Value& value, const Tensor& tensor);
// The same, but where they are so few numbers that the value holds them itself: then nothing follows, and the tensor
// outlives the value.
inline constexpr size_t kHeldBytes = 64;
Payload ElementsOf(Value& value, const Tensor& tensor);
Payload PayloadOf(std::string bytes);
// Where the elements of a value that is under way shall lie; for numbers in the memory of a tensor. Throws
// kInvalidArgument where its type and shape need another number of bytes.
Place PlaceFor(const Value& value, size_t bytes);
// The value that has arrived; throws as PlaceFor, and for bytes that are no such tensor.
Tensor TensorOf(const Value& value, const Payload& payload);

}  // namespace plumb::dist
