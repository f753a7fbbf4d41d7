#include "mpi/collective/meeting_keeper.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "fastpath/cpu/lib/collective/met.h"
#include "mpi/collective/direct_exchange.h"

namespace plumb::dist {
namespace {

constexpr size_t kMostFailed = 64;  // of a group and instance, that somebody may still come to

// CO6: what those are told who cannot meet a member because its step has failed.
Status WhyWithout(const CollectiveMember& member, int rank, const char* when, const Status& cause) {
  return Status(Code::kCancelled, Str(MeetingName(member), " cannot meet: the step of its member on ", member.device,
                                      " (rank ", rank, ") ", when, ": ", cause.ToString()));
}

}  // namespace

void MeetingKeeper::Take(int from, const Join& join, const Payload& payload, MergeLane& lane) {
  const CollectiveMember member = MemberFrom(join.member);
  Attempt attempt{from, join.ticket, join.execution, {}};
  if (member.BringsInput() && GoesToKeeper(member)) attempt.input = TensorOf(payload, member.dtype, member.shape);
  fast::cpu::MeetingBook::Over over;
  Attempts attempts;
  Status in_vain;
  {
    MutexLock lock(mutex_);
    if (const Status failed = WhyFailed(member, join.execution); !failed.ok()) {
      return Tell({attempt}, failed);
    }
    const int64_t ticket = next_++;
    attempts_.emplace(ticket, std::move(attempt));
    members_.emplace(ticket, member);
    over = book_.Join(ticket, member);
    if (over.seats.empty()) {
      in_vain = WhyInVain(member);
      if (!in_vain.ok()) {
        over = book_.Leave(ticket);
        over.status = in_vain;
        over.seats.push_back({ticket, member});
      }
    }
    if (over.status.ok()) {
      for (const fast::cpu::Seat& seat : over.seats) {
        ranks_of_groups_[member.group_key].insert(attempts_.at(seat.ticket).rank);
      }
    }
    attempts = TakeAll(over.seats);
  }
  if (attempts.empty()) return;
  if (!over.status.ok()) return Tell(attempts, over.status);
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < attempts.size(); ++i) {
    if (over.seats[i].member.BringsInput()) inputs.push_back(std::move(attempts[i].input));
  }
  Settle(over.seats[0].member, attempts, std::move(inputs), lane);
}

void MeetingKeeper::Settle(const CollectiveMember& member, const Attempts& attempts, std::vector<Tensor> inputs,
                           MergeLane& lane) {
  if (!GoesToKeeper(member)) {
    Met met;
    met.hint = static_cast<int32_t>(member.hint);
    for (const Attempt& attempt : attempts) met.seats.push_back({attempt.rank, attempt.ticket});
    for (const Attempt& attempt : attempts) {
      met.ticket = attempt.ticket;
      post_.Send(attempt.rank, met);
    }
    return;
  }
  lane.Schedule([self = shared_from_this(), member, attempts, inputs = std::move(inputs), &pool = lane.pool()] {
    Tensor result;
    const Status status = fast::cpu::WhatComesOf(pool, member, inputs, result);
    if (!status.ok()) return self->Tell(attempts, status);
    for (const Attempt& attempt : attempts) {
      self->post_.Send(attempt.rank, Met{attempt.ticket, OkStatus(), true, {}}, PayloadOf(result));
    }
  });
}

void MeetingKeeper::Take(int from, const Withdraw& withdraw) {
  Attempts attempts;
  Status status;
  {
    MutexLock lock(mutex_);
    const auto at = std::find_if(attempts_.begin(), attempts_.end(), [&](const auto& each) {
      return each.second.rank == from && each.second.ticket == withdraw.ticket;
    });
    if (at == attempts_.end()) return;
    const int64_t ticket = at->first, execution = at->second.execution;
    const CollectiveMember member = members_.at(ticket);
    fast::cpu::MeetingBook::Over over = book_.Leave(ticket);
    over.seats.push_back({ticket, member});
    status = withdraw.is_late ? WhyLate(member, over.seats) : over.status;
    if (!withdraw.cause.ok()) status = WhyWithout(member, from, "failed while that waited", withdraw.cause);
    if (withdraw.is_late || !withdraw.cause.ok()) {
      Failed failed{execution, {}, status};
      for (const fast::cpu::Seat& seat : over.seats) failed.devices.insert(seat.member.device);
      Remember(member, std::move(failed));
    }
    attempts = TakeAll(over.seats);
  }
  Tell(attempts, status);
}

void MeetingKeeper::Take(int from, const Absent& absent) {
  const CollectiveMember member = MemberFrom(absent.member);
  Attempts attempts;
  const Status status = WhyWithout(member, from, "failed before that came", absent.cause);
  {
    MutexLock lock(mutex_);
    if (!WhyFailed(member, absent.execution).ok()) return;  // another's step had failed before
    Failed failed{absent.execution, {member.device}, status};
    attempts = Dissolve(member, failed);
    Remember(member, std::move(failed));
  }
  Tell(attempts, status);
}

void MeetingKeeper::Remember(const CollectiveMember& member, Failed failed) {
  if (std::ssize(failed.devices) >= member.group_size) return;
  std::vector<Failed>& all = failed_[{member.group_key, member.instance_key}];
  all.push_back(std::move(failed));
  if (all.size() > kMostFailed) all.erase(all.begin());
}

MeetingKeeper::Attempts MeetingKeeper::Dissolve(const CollectiveMember& member, Failed& failed) {
  const int64_t ticket = next_++;
  fast::cpu::MeetingBook::Over over = book_.Join(ticket, member);  // as if it came
  if (over.seats.empty()) over = book_.Leave(ticket);
  std::erase_if(over.seats, [&](const fast::cpu::Seat& seat) { return seat.ticket == ticket; });
  for (const fast::cpu::Seat& seat : over.seats) failed.devices.insert(seat.member.device);
  return TakeAll(over.seats);
}

Status MeetingKeeper::WhyFailed(const CollectiveMember& member, int64_t execution) {
  const auto found = failed_.find({member.group_key, member.instance_key});
  if (found == failed_.end()) return OkStatus();
  std::vector<Failed>& all = found->second;
  const auto failed = std::find_if(all.begin(), all.end(), [&](const Failed& each) {
    return execution <= each.execution && !each.devices.contains(member.device);
  });
  if (failed == all.end()) return OkStatus();
  Status status = failed->status;
  failed->devices.insert(member.device);
  if (std::ssize(failed->devices) >= member.group_size) all.erase(failed);
  if (all.empty()) failed_.erase(found);
  return status;
}

Status MeetingKeeper::WhyLate(const CollectiveMember& late, const std::vector<fast::cpu::Seat>& seats) {
  std::set<int> missing;
  const auto known = ranks_of_groups_.find(late.group_key);
  if (known != ranks_of_groups_.end()) missing = known->second;
  for (int rank = 0; late.group_size >= int64_t{post_.size()} * devices_ && rank < post_.size(); ++rank) {
    missing.insert(rank);
  }
  for (const fast::cpu::Seat& seat : seats) missing.erase(attempts_.at(seat.ticket).rank);
  std::string text = WhoIsThereInTime(late, fast::cpu::MembersOf(seats));
  for (const int rank : missing)
    text += Str(rank == *missing.begin() ? "; nobody has come from rank " : ", rank ", rank);
  return Status(Code::kDeadlineExceeded, text);
}

void MeetingKeeper::Lose(int rank, const Status& status) {
  std::vector<std::pair<Attempts, Status>> over;
  {
    MutexLock lock(mutex_);
    lost_.emplace(rank, status);
    // Each round ends a meeting, so that what is left is looked at anew.
    for (auto at = attempts_.begin(); at != attempts_.end();) {
      const CollectiveMember member = members_.at(at->first);
      const Status why = at->second.rank == rank ? status : WhyInVain(member);
      if (why.ok()) {
        ++at;
        continue;
      }
      std::vector<fast::cpu::Seat> seats = book_.Leave(at->first).seats;
      seats.push_back({at->first, member});
      over.emplace_back(TakeAll(seats), why);
      at = attempts_.begin();
    }
  }
  for (const auto& [attempts, why] : over) Tell(attempts, why);
}

Status MeetingKeeper::WhyInVain(const CollectiveMember& member) const {
  if (lost_.empty()) return OkStatus();
  const auto known = ranks_of_groups_.find(member.group_key);
  for (const auto& [rank, status] : lost_) {
    if (known != ranks_of_groups_.end() && known->second.contains(rank)) return status;
  }
  const int64_t devices = (post_.size() - static_cast<int64_t>(lost_.size())) * devices_;
  return member.group_size <= devices ? OkStatus() : lost_.begin()->second;
}

MeetingKeeper::Attempts MeetingKeeper::TakeAll(const std::vector<fast::cpu::Seat>& seats) {
  Attempts taken;
  for (const fast::cpu::Seat& seat : seats) {
    taken.push_back(std::move(attempts_.extract(seat.ticket).mapped()));
    members_.erase(seat.ticket);
  }
  return taken;
}

void MeetingKeeper::Tell(const Attempts& attempts, const Status& status) {
  for (const Attempt& attempt : attempts) post_.Send(attempt.rank, Met{attempt.ticket, status, false, {}});
}

}  // namespace plumb::dist
