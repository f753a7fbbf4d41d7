// What a rank's exchange knows of steps and of time: members that do not come, and those that wait too long.
#include <algorithm>
#include <chrono>
#include <utility>

#include "mpi/collective/rank_exchange.h"

namespace plumb::dist {

void RankExchange::BeginStep(const void* step) {
  MutexLock lock(mutex_);
  roll_.Begin(step);
}

void RankExchange::EndStep(const void* step, const std::vector<CollectiveMember>& members, const Status& status) {
  std::vector<std::pair<int, Absent>> absent;  // to the keepers
  std::vector<std::pair<int, Withdraw>> left;
  {
    MutexLock lock(mutex_);
    const Roll::Ended ended = roll_.End(step, members);
    for (const int64_t ticket : ended.left) {
      const auto at = attempts_.find(ticket);
      const bool waits = at != attempts_.end() && at->second.seats.empty();
      if (waits) left.emplace_back(KeeperOf(at->second.member), Withdraw{ticket, false, status});
    }
    if (!status.ok()) {
      for (const CollectiveMember& member : ended.absent) {
        absent.emplace_back(KeeperOf(member), Absent{roll_.NextExecution(member), Described(member), status});
      }
    }
  }
  for (const auto& [keeper, message] : left) post_.Send(keeper, message);
  for (const auto& [keeper, message] : absent) post_.Send(keeper, message);
}

Deadlines::Clock::time_point RankExchange::EndLate() {
  const auto now = Deadlines::Clock::now();
  auto next = Deadlines::kNever;
  std::vector<std::pair<int, int64_t>> late;  // keeper and ticket
  {
    MutexLock lock(mutex_);
    for (auto& [ticket, attempt] : attempts_) {
      if (!attempt.seats.empty()) continue;
      if (attempt.deadline <= now) {
        attempt.deadline = Deadlines::kNever;
        late.emplace_back(KeeperOf(attempt.member), ticket);
      }
      next = std::min(next, attempt.deadline);
    }
  }
  for (const auto& [keeper, ticket] : late) post_.Send(keeper, Withdraw{ticket, true});
  return next;
}

}  // namespace plumb::dist
