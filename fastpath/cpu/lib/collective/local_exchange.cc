#include "fastpath/cpu/lib/collective/local_exchange.h"

#include <chrono>
#include <utility>

#include "fastpath/cpu/lib/collective/met.h"

namespace plumb::fast::cpu {

int64_t LocalExchange::Join(const void* /*step*/, const CollectiveMember& member, Tensor input, ThreadPool& pool,
                            Answer answer) {
  int64_t ticket;
  MeetingBook::Over over;
  std::vector<Waiting> there;
  {
    MutexLock lock(mutex_);
    ticket = next_++;
    Waiting& waiting = waiting_.emplace(ticket, Waiting{std::move(input), std::move(answer)}).first->second;
    over = book_.Join(ticket, member);
    if (over.seats.empty() && IsLimited(member)) {
      const std::chrono::duration<double> time(member.timeout_seconds);
      waiting.limit =
          Alarm(std::chrono::duration_cast<std::chrono::microseconds>(time), [weak = weak_from_this(), ticket] {
            if (const auto self = weak.lock()) self->Expire(ticket);
          });
    }
    there = Take(over.seats);
  }
  if (there.empty()) return ticket;
  Tensor result;
  if (over.status.ok()) {
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < there.size(); ++i) {
      if (over.seats[i].member.BringsInput()) inputs.push_back(std::move(there[i].input));
    }
    over.status = WhatComesOf(pool, member, std::move(inputs), result);
  }
  for (const Waiting& each : there) each.answer(over.status, result);
  return ticket;
}

void LocalExchange::Leave(int64_t ticket) {
  MeetingBook::Over over;
  std::vector<Waiting> others;
  {
    MutexLock lock(mutex_);
    waiting_.erase(ticket);
    over = book_.Leave(ticket);
    others = Take(over.seats);
  }
  for (const Waiting& each : others) each.answer(over.status, {});
}

void LocalExchange::Expire(int64_t ticket) {
  MeetingBook::Over over;
  std::vector<Waiting> there;
  {
    MutexLock lock(mutex_);
    over = book_.Expire(ticket);
    there = Take(over.seats);
  }
  for (const Waiting& each : there) each.answer(over.status, {});
}

std::string LocalExchange::Describe(int64_t ticket) {
  MutexLock lock(mutex_);
  return book_.Describe(ticket);
}

std::vector<LocalExchange::Waiting> LocalExchange::Take(const std::vector<Seat>& seats) {
  std::vector<Waiting> taken;
  for (const Seat& seat : seats) taken.push_back(std::move(waiting_.extract(seat.ticket).mapped()));
  return taken;
}

}  // namespace plumb::fast::cpu
