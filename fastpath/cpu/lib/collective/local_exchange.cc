#include "fastpath/cpu/lib/collective/local_exchange.h"

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
    waiting_.emplace(ticket, Waiting{std::move(input), std::move(answer)});
    over = book_.Join(ticket, member);
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
