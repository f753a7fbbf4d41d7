// What ranks say to each other about members of groups of collective ops (mpi/collective/).
#pragma once

#include <string>
#include <vector>

#include "mpi/protocol/message.h"
#include "spec/ops/collective_member.h"

namespace plumb::dist {

// What a member of a group of collective ops says of itself.
struct Member {
  std::string device;
  int32_t kind = 0;
  bool sends = false;
  int64_t group_size = 0, group_key = 0, instance_key = 0;
  int32_t merge = 0;
  bool divides = false;
  int32_t dtype = 0;
  std::vector<int64_t> dims;
  int64_t timeout_ms = 0;  // CO7; 0: none
  int32_t hint = 0;        // the same
  static void Travel(auto& self, auto& io) {
    io(self.device, self.kind, self.sends, self.group_size, self.group_key, self.instance_key, self.merge, self.divides,
       self.dtype, self.dims, self.timeout_ms, self.hint);
  }
};
Member Described(const CollectiveMember& member);
// Throws kInvalidArgument for one that cannot be.
CollectiveMember MemberFrom(const Member& member);

// The same for its hint.
CollectiveHint HintOf(int32_t hint);

// A member has come (rule CO1): to the rank that keeps the meetings of its group. A small input follows. Attempts have
// tickets of their rank.
struct Join {
  static constexpr MessageKind kKind = MessageKind::kJoin;
  int64_t ticket = 0;
  int64_t execution = 0;  // the member's own count
  Member member;
  static void Travel(auto& self, auto& io) { io(self.ticket, self.execution, self.member); }
};

// The member's step is over (rule CO6), or its own time to wait (CO7). Answered by Met, unless that is on its way.
struct Withdraw {
  static constexpr MessageKind kKind = MessageKind::kWithdraw;
  int64_t ticket = 0;
  bool is_late = false;
  Status cause = {};  // where its step has failed: why
  static void Travel(auto& self, auto& io) { io(self.ticket, self.is_late, self.cause); }
};

// The member's step has failed before it came (rule CO6): to the keeper.
struct Absent {
  static constexpr MessageKind kKind = MessageKind::kAbsent;
  int64_t execution = 0;
  Member member;
  Status cause;
  static void Travel(auto& self, auto& io) { io(self.execution, self.member, self.cause); }
};

// How an attempt's meeting ended. If it did so well: the result follows; or else these are the members, in the order of
// CO3, who send each other pieces.
struct Met {
  static constexpr MessageKind kKind = MessageKind::kMet;
  struct Seat {
    int32_t rank = 0;
    int64_t ticket = 0;
    static void Travel(auto& self, auto& io) { io(self.rank, self.ticket); }
  };
  int64_t ticket = 0;
  Status status;
  bool has_result = false;
  std::vector<Seat> seats;
  int32_t hint = 0;  // of the first member (CO7)
  static void Travel(auto& self, auto& io) { io(self.ticket, self.status, self.has_result, self.seats, self.hint); }
};

// Of a large tensor, from the member at a position among the seats to the attempt with this ticket: of inputs, or of
// what comes of them. Which elements those are, which follow, depends on the way that the tensor takes.
struct Piece {
  static constexpr MessageKind kKind = MessageKind::kPiece;
  int64_t ticket = 0;
  int32_t from = 0;
  bool is_result = false;
  int32_t chunk = 0;
  static void Travel(auto& self, auto& io) { io(self.ticket, self.from, self.is_result, self.chunk); }
};

// From the first member of a meeting in shared memory: in which of its rooms that is; negative: the members send each
// other pieces.
struct Room {
  static constexpr MessageKind kKind = MessageKind::kRoom;
  int64_t ticket = 0;
  int32_t room = 0;
  static void Travel(auto& self, auto& io) { io(self.ticket, self.room); }
};

}  // namespace plumb::dist
