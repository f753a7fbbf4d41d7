// Who is lost in a simulated world: killed, or cut off from all others.
#include <algorithm>
#include <iterator>
#include <utility>

#include "mpi/transport/simulated/world.h"

namespace plumb::dist {
namespace {

std::string Named(int rank) { return Str("rank ", rank, " on this process"); }

}  // namespace

// What was under way to it will not arrive any more; what is under way from it is dropped when it comes.
void SimulatedWorld::TellLost(int at, int rank, const Status& status) {
  Receiver* receiver = nullptr;
  std::vector<Sent> unsent;
  {
    MutexLock lock(mutex_);
    End& end = ends_[at];
    if (!end.gone.ok() || !end.lost.emplace(rank, status).second) return;
    receiver = end.receiver;
    for (auto each = letters_.begin(); each != letters_.end();) {
      const bool is_between = each->second.from == at && each->second.to == rank;
      if (is_between) unsent.push_back(std::move(each->second.sent));
      each = is_between ? letters_.erase(each) : std::next(each);
    }
  }
  if (receiver != nullptr) receiver->Lost(rank, status);
  for (const Sent& sent : unsent) Settle(at, sent, status);
  Stir(at);
}

void SimulatedWorld::Crash(int rank) {
  Await(rank, [this, rank] {
    CrashNow(rank);
    return true;
  });
}

void SimulatedWorld::CrashNow(int rank) {
  const Status killed(Code::kUnavailable, Named(rank) + " was killed");
  std::vector<Sent> unsent;
  {
    MutexLock lock(mutex_);
    End& end = ends_[rank];
    if (!end.gone.ok()) return;
    end.gone = killed;
    for (auto& [number, letter] : letters_) {
      if (letter.from == rank) unsent.push_back(std::exchange(letter.sent, nullptr));
    }
    for (int other = 0; other < size_; ++other) {
      if (other == rank) continue;
      Happens(options_.noticing * network_.Exponential(),
              [this, other, rank, killed] { TellLost(other, rank, killed); });
    }
  }
  for (const Sent& sent : unsent) {
    if (sent) sent(killed);
  }
}

// Counted from now.
void SimulatedWorld::PlanLoss(Loss loss) {
  MutexLock lock(mutex_);
  loss.arrivals += arrivals_;
  planned_.push_back(std::move(loss));
}

void SimulatedWorld::Spare() {
  MutexLock lock(mutex_);
  planned_.clear();
}

void SimulatedWorld::LoseWhoIsDue() {
  std::vector<Loss> due;
  {
    MutexLock lock(mutex_);
    const int64_t arrived = arrivals_;
    const auto later =
        std::partition(planned_.begin(), planned_.end(), [&](const Loss& loss) { return loss.arrivals > arrived; });
    due.assign(std::make_move_iterator(later), std::make_move_iterator(planned_.end()));
    planned_.erase(later, planned_.end());
  }
  for (const Loss& loss : due) {
    if (loss.is_crash) {
      CrashNow(loss.rank);
    } else {
      CutOff(loss.rank);
    }
    if (loss.then) loss.then();
  }
}

void SimulatedWorld::CutOff(int rank) {
  MutexLock lock(mutex_);
  CutOffNow(rank);
}

void SimulatedWorld::CutOffNow(int rank) {
  End& end = ends_[rank];
  if (end.is_cut_off) return;
  end.is_cut_off = true;
  const auto silent = [&](int other) {
    return Status(Code::kUnavailable, Str(Named(other), " has said nothing for ", options_.silence, " s"));
  };
  for (int other = 0; other < size_; ++other) {
    if (other == rank) continue;
    Happens(options_.silence, [this, other, rank, here = silent(rank), there = silent(other)] {
      TellLost(other, rank, here);
      TellLost(rank, other, there);
    });
  }
}

}  // namespace plumb::dist
