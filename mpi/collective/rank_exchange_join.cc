// How a rank's own members come to their meetings, and leave them.
#include <chrono>

#include "fastpath/session/guard.h"
#include "mpi/collective/rank_exchange.h"
#include "mpi/transport/deadline.h"

namespace plumb::dist {

int RankExchange::KeeperOf(const CollectiveMember& member) const {
  const auto keys =
      static_cast<uint64_t>(member.group_key) * 0x9e3779b97f4a7c15 + static_cast<uint64_t>(member.instance_key);
  return static_cast<int>((keys ^ keys >> 32) % static_cast<uint64_t>(post_.size()));
}

int64_t RankExchange::Join(const void* step, const CollectiveMember& member, Tensor input, fast::ThreadPool& pool,
                           Answer answer) {
  if (post_.size() == 1 || !TravelsAsBfloat16(member, wire_)) {
    return JoinAsItIs(step, member, std::move(input), std::move(answer));
  }
  CollectiveMember halves = member;
  halves.dtype = DType::kBfloat16;
  const auto answer_whole = [&server = pool_, answer = std::move(answer)](const Status& status, Tensor value) {
    if (!status.ok()) return answer(status, {});
    // Who has fetched it has other things to do.
    server.Schedule([&server, answer, value = std::move(value)] {
      Tensor whole;
      const Status ended = fast::Guard([&] {
        whole = FromTheWire(server, value);
        return OkStatus();
      });
      answer(ended, std::move(whole));
    });
  };
  return JoinAsItIs(step, halves, ForTheWire(pool, input, wire_), answer_whole);
}

int64_t RankExchange::JoinAsItIs(const void* step, const CollectiveMember& member, Tensor input, Answer answer) {
  dist::Join join;
  join.member = Described(member);
  Payload payload;
  const bool goes_to_keeper = GoesToKeeper(member);
  if (goes_to_keeper && member.BringsInput()) payload = PayloadOf(input);
  Attempt attempt;
  attempt.step = step;
  attempt.member = member;
  attempt.answer = std::move(answer);
  if (!goes_to_keeper) attempt.brought = std::make_shared<Brought>(member, std::move(input));
  const int keeper = KeeperOf(member);
  Status lost;
  {
    MutexLock lock(mutex_);
    join.ticket = next_++;
    join.execution = roll_.NextExecution(member);
    roll_.Came(step, member);
    const auto found = lost_.find(keeper);
    if (found != lost_.end()) lost = found->second;
    if (lost.ok()) attempts_.emplace(join.ticket, std::move(attempt));
  }
  if (!lost.ok()) {
    attempt.answer(lost, {});
    return join.ticket;
  }
  post_.Send(keeper, join, std::move(payload));
  if (!IsLimited(member)) return join.ticket;
  // CO7, in the time that the calling thread lives in.
  const auto is_late_at = [weak = weak_from_this(), ticket = join.ticket](Deadlines::Clock::time_point time) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    MutexLock lock(self->mutex_);
    const auto at = self->attempts_.find(ticket);
    if (at != self->attempts_.end()) at->second.deadline = time;
  };
  const auto wait = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(static_cast<double>(member.timeout_seconds)));
  const bool is_kept = KeepDeadline(wait, [weak = weak_from_this(), is_late_at] {
    is_late_at(Deadlines::Clock::time_point::min());
    if (const auto self = weak.lock()) self->EndLate();
  });
  if (is_kept) return join.ticket;
  const Deadlines::Clock::time_point deadline = Deadlines::Clock::now() + wait;
  is_late_at(deadline);
  deadlines_.Expect(deadline);
  return join.ticket;
}

// Why its step is over is said when it has ended.
void RankExchange::Leave(int64_t ticket) {
  int keeper = -1;
  Answer dropped;  // destroyed after the lock is released
  {
    MutexLock lock(mutex_);
    const auto at = attempts_.find(ticket);
    if (at == attempts_.end()) return;
    dropped = std::exchange(at->second.answer, nullptr);
    const bool waits = at->second.seats.empty();
    if (waits && !roll_.Left(at->second.step, ticket)) keeper = KeeperOf(at->second.member);
  }
  if (keeper >= 0) post_.Send(keeper, Withdraw{ticket});
}

std::string RankExchange::Describe(int64_t ticket) {
  MutexLock lock(mutex_);
  const auto at = attempts_.find(ticket);
  if (at == attempts_.end()) return "the others";
  return Str("the other ", at->second.member.group_size - 1, " members of ", MeetingName(at->second.member));
}

}  // namespace plumb::dist
