#include "tools/train/train_state.h"

#include <chrono>
#include <thread>

#include "client/training/saver.h"
#include "mpi/session/mpi_session.h"
#include "mpi/session/saved_rank.h"
#include "spec/checkpoint/checkpoint_state.h"
#include "spec/checkpoint/reserved.h"
#include "spec/session/state_paths.h"
#include "tools/check.h"

namespace plumb::tools {
namespace {

constexpr char kTopic[] = "state";  // on which ranks tell the chief that they have written theirs
constexpr std::string_view kSession = "session/", kData = "data/";

bool AllTakeTheSameSteps(const Strategy& strategy, size_t workers) {
  if (strategy.sync) return strategy.sync->aggregate == static_cast<int>(workers);
  return strategy.all_reduce || strategy.one_client ? strategy.under_way == 1 : workers == 1;
}

bool HoldsVariable(std::string_view path) {
  return path.find("/Variable/") != path.npos || path.find("/ResourceVariable/") != path.npos;
}

// Replicas that are another's in number or kind, or that read other data, would not know what to do with it.
std::string LayoutOf(const Training& training, const TrainedModel& trained) {
  const std::string rest = Str("--shards ", training.shards, ", with ", trained.kind_of_data);
  if (training.cluster.empty()) return Str("one process, ", rest);
  return Str("--cluster ", training.cluster, " --strategy ", training.strategy, " ", rest);
}

// Of one rank where each has a client; or else of all.
SavedState StateOf(Session& session, bool of_rank) {
  SavedState all, beside;
  if (of_rank) {
    Check(dynamic_cast<dist::SavedRank&>(session).SaveRank(&all));
  } else {
    Check(dynamic_cast<SavedSession&>(session).Save(&all));
  }
  for (auto& [path, value] : all) {
    if (!HoldsVariable(path)) beside.emplace(path, std::move(value));
  }
  return beside;
}

}  // namespace

TrainState::TrainState(const Training& training, const Replica& replica, bool fills_queues)
    : training_(training),
      replica_(replica),
      is_one_of_many_(!training.cluster.empty() && !replica.strategy.one_client),
      travels_(!training.checkpoint.empty() && !fills_queues &&
               AllTakeTheSameSteps(replica.strategy, replica.clients.size())) {}

std::string TrainState::Prefix(int64_t step) const { return Str(training_.checkpoint, "/model.ckpt-", step); }

std::string TrainState::PartOf(int rank, int64_t step) const {
  return PartOfCheckpoint(Prefix(step), Str("state-", rank));
}

int TrainState::OwnRank() const { return is_one_of_many_ ? dist::FellowsOfThisProcess().rank : 0; }

void TrainState::Write(Session& session, const TrainedModel& trained, int64_t step) {
  {
    MutexLock lock(mutex_);
    if (last_written_ == step) return;
  }
  const int rank = OwnRank();
  Files().MakeFolders(training_.checkpoint);
  BundleWriter part(Files(), PartOf(rank, step));
  SavedState data;
  trained.save(StateWriter(data));
  AddReserved(part, Str("rank/", rank, "/", kSession), StateOf(session, is_one_of_many_));
  AddReserved(part, Str("rank/", rank, "/", kData), data);
  if (replica_.is_chief) {
    AddReserved(part, "", {{"step", MakeScalar<int64_t>(step)}, {"layout", MakeScalar(LayoutOf(training_, trained))}});
  }
  part.Finish();
  {
    MutexLock lock(mutex_);
    last_written_ = step;
  }
  written_.NotifyAll();
  if (!replica_.is_chief) dist::TellRank(replica_.chief_rank, kTopic, Str(step));
}

std::vector<std::string> TrainState::Gather(int64_t step) {
  std::vector<std::string> parts;
  {
    MutexLock lock(mutex_);
    while (last_written_ != step && given_up_.ok()) written_.Wait(mutex_);
    if (!given_up_.ok()) throw Error(given_up_);
  }
  for (const int rank : replica_.clients) {
    parts.push_back(PartOf(is_one_of_many_ ? rank : 0, step));
    if (!is_one_of_many_ || rank == replica_.chief_rank) continue;
    while (dist::ToldByRanks(kTopic)[rank] != Str(step)) {
      dist::ClockOfRank(rank);  // whether it is there
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  return parts;
}

void TrainState::GiveUp(const Status& reason) {
  {
    MutexLock lock(mutex_);
    if (given_up_.ok()) given_up_ = reason;
  }
  written_.NotifyAll();
}

bool TrainState::Restore(Session& session, const TrainedModel& trained, int64_t step) {
  const auto latest = travels_ ? LatestCheckpoint(Files(), training_.checkpoint) : std::nullopt;
  if (!latest) return false;
  const int rank = OwnRank();
  const SavedState all = ReadReserved(Files(), *latest, "");
  if (!all.contains("step")) return false;
  const StateReader reader(all);
  if (reader.GetScalar<int64_t>("step") != step) return false;
  if (const auto layout = reader.GetScalar<std::string>("layout"); layout != LayoutOf(training_, trained)) {
    if (replica_.is_chief) {
      std::printf("Random numbers begin anew: the checkpoint is of %s, and this run of %s\n", layout.c_str(),
                  LayoutOf(training_, trained).c_str());
    }
    return false;
  }
  const SavedState own = StateBelow(all, Str("rank/", rank, "/", kSession));
  if (is_one_of_many_) {
    Check(dynamic_cast<dist::SavedRank&>(session).RestoreRank(own));
  } else {
    Check(dynamic_cast<SavedSession&>(session).Restore(own));
  }
  trained.restore(StateReader(all, Str("rank/", rank, "/", kData)));
  MutexLock lock(mutex_);
  last_written_ = step;
  return true;
}

}  // namespace plumb::tools
