// Who has come to which meeting of collective ops (rules CO1, CO2, CO6, CO7). Tensors and threads are the owner's
// business.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "spec/core/status.h"
#include "spec/ops/collective_member.h"

namespace plumb::fast::cpu {

struct Seat {
  int64_t ticket;  // the owner's name for the attempt
  CollectiveMember member;
};

class MeetingBook {
 public:
  // A meeting that is over: all who were there, in the order of CO3. The status is that of all. Without seats nothing
  // is over.
  struct Over {
    Status status;
    std::vector<Seat> seats;
  };

  // Who comes may be the last, or the one that does not fit.
  Over Join(int64_t ticket, const CollectiveMember& member);
  // CO6. The seats are those of the others; nothing where the attempt is not there any more.
  Over Leave(int64_t ticket);
  // CO7. The attempt has waited as long as it may; nothing where it is not there any more.
  Over Expire(int64_t ticket);
  // Who is there, of those with this attempt.
  std::string Describe(int64_t ticket) const;

 private:
  using Meeting = std::vector<Seat>;
  using Keys = std::pair<int64_t, int64_t>;  // group_key and instance_key
  // Where an attempt waits; null where it does not.
  const Meeting* Find(int64_t ticket, Keys& keys) const;
  void Erase(const Keys& keys, const Meeting* meeting);

  std::map<Keys, std::vector<Meeting>> meetings_;  // those that wait, the earliest first
};

// The members of seats.
std::vector<CollectiveMember> MembersOf(const std::vector<Seat>& seats);

}  // namespace plumb::fast::cpu
