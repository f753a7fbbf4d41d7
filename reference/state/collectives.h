// The meetings of collective ops (rules CO1–CO7).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/numbers/value.h"
#include "reference/state/resources.h"
#include "reference/state/timed.h"
#include "reference/state/waiting_line.h"
#include "spec/ops/collective_member.h"

namespace plumb::reference {

class Collectives : public ClonedByCopy<Collectives, Waitable>, public Timed {
 public:
  // `input` is not set for a member that brings none.
  void Join(int64_t ticket, const CollectiveMember& member, Value input);
  LineAnswer Fetch(int64_t ticket) { return answers_.extract(ticket).mapped(); }
  // Whether it knows of this attempt, answered or not.
  bool Has(int64_t ticket) const;

  bool IsServed(int64_t ticket) const override { return answers_.contains(ticket); }
  std::string WaitsFor(int64_t ticket) const override;
  // CO6.
  void Drop(int64_t ticket) override;
  // CO7.
  bool HasLimit(int64_t ticket) const override;
  void Expire(int64_t ticket) override;

  // Nobody waits while a session is saved.
  void Save(const StateWriter&) const override {}
  void Restore(const StateReader&) override {}

 private:
  struct Attempt {
    int64_t ticket;
    CollectiveMember member;
    Value input;
  };
  using Keys = std::pair<int64_t, int64_t>;  // group_key and instance_key
  using Meeting = std::vector<Attempt>;      // in the order of CO3
  using Meetings = std::vector<Meeting>;     // the earliest first

  // The meeting that waits with this attempt: under which keys, and which one there. The end where none does.
  std::pair<std::map<Keys, Meetings>::const_iterator, size_t> Find(int64_t ticket) const;
  // The meeting that waits with this attempt is no more; empty where none does.
  Meeting Dissolve(int64_t ticket);
  void End(const Meeting& meeting, const LineAnswer& answer);

  std::map<Keys, Meetings> meetings_;
  std::map<int64_t, LineAnswer> answers_;
};

}  // namespace plumb::reference
