#include "mpi/collective/meeting_keeper.h"

#include <utility>

#include "fastpath/cpu/lib/collective/met.h"
#include "mpi/collective/direct_exchange.h"

namespace plumb::dist {

void MeetingKeeper::Take(int from, const Join& join, const Payload& payload, fast::ThreadPool& pool) {
  const CollectiveMember member = MemberFrom(join.member);
  Attempt attempt{from, join.ticket, {}};
  if (member.BringsInput() && GoesToKeeper(member)) attempt.input = TensorOf(payload, member.dtype, member.shape);
  fast::cpu::MeetingBook::Over over;
  Attempts attempts;
  Status in_vain;
  {
    MutexLock lock(mutex_);
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
  Settle(member, attempts, std::move(inputs), pool);
}

void MeetingKeeper::Settle(const CollectiveMember& member, const Attempts& attempts, std::vector<Tensor> inputs,
                           fast::ThreadPool& pool) {
  if (!GoesToKeeper(member)) {
    Met met;
    for (const Attempt& attempt : attempts) met.seats.push_back({attempt.rank, attempt.ticket});
    for (const Attempt& attempt : attempts) {
      met.ticket = attempt.ticket;
      post_.Send(attempt.rank, met);
    }
    return;
  }
  pool.Schedule([self = shared_from_this(), member, attempts, inputs = std::move(inputs), &pool] {
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
    for (const auto& [ticket, attempt] : attempts_) {
      if (attempt.rank != from || attempt.ticket != withdraw.ticket) continue;
      fast::cpu::MeetingBook::Over over = book_.Leave(ticket);
      over.seats.push_back({ticket, members_.at(ticket)});
      status = over.status;
      attempts = TakeAll(over.seats);
      break;
    }
  }
  Tell(attempts, status);
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
