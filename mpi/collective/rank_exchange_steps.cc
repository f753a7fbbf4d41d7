// What a rank's exchange knows of steps and of time: members that do not come, and those that wait too long.
#include <algorithm>
#include <chrono>

#include "mpi/collective/rank_exchange.h"

namespace plumb::dist {

void RankExchange::Came(const void* step, const CollectiveMember& member) {
  MutexLock lock(mutex_);
  roll_.Came(step, member);
}

void RankExchange::BeginStep(const void* step) {
  MutexLock lock(mutex_);
  roll_.Begin(step);
}

void RankExchange::EndStep(const void* step, const std::vector<CollectiveMember>& members, const Status& status) {
  std::vector<Absent> absent;
  std::vector<int> keepers;
  {
    MutexLock lock(mutex_);
    const std::vector<CollectiveMember> missing = roll_.End(step, members);
    if (status.ok()) return;
    for (const CollectiveMember& member : missing) {
      absent.push_back({roll_.NextExecution(member), Described(member), status});
      keepers.push_back(KeeperOf(member));
    }
  }
  for (size_t i = 0; i < absent.size(); ++i) post_.Send(keepers[i], absent[i]);
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
