#include "mpi/worker/step_rendezvous.h"

#include <utility>

#include "fastpath/device/variable.h"
#include "fastpath/session/guard.h"

namespace plumb::dist {

int Routes::RankOf(const std::string& device) const {
  const auto found = ranks_.find(device);
  return found == ranks_.end() ? own_ : found->second;
}

Status SendValue(Post& post, StepName step, int rank, const fast::RendezvousKey& key, const fast::Message& message) {
  return fast::Guard([&] {
    Value value;
    value.step = step;
    value.key = key;
    value.is_dead = message.is_dead;
    Payload payload;
    if (!message.is_dead) payload = ElementsOf(value, message.value);
    post.Send(rank, value, std::move(payload));
    return OkStatus();
  });
}

Status StepRendezvous::Send(const fast::Channel& channel, const fast::RendezvousKey& key, fast::Message message) {
  const int rank = routes_.RankOf(channel.receiver);
  if (rank == routes_.own()) return Leave(key, std::move(message));
  {
    MutexLock lock(mutex_);
    if (!message.is_dead && message.value.is_alias()) {
      aliases_.push_back({rank, key, std::move(message)});
      return OkStatus();
    }
    Count(standing_.sent, rank);
  }
  return outlet_.SendAway(name_, rank, key, message);
}

void StepRendezvous::Count(std::vector<int64_t>& by_rank, int rank) {
  const auto place = static_cast<size_t>(rank);
  if (by_rank.size() <= place) by_rank.resize(place + 1);
  ++by_rank[place];
}

void StepRendezvous::SendAliases() {
  std::vector<KeptAlias> aliases;
  {
    // Whoever asks how this rank stands sees them kept here or on their way, at every moment.
    MutexLock lock(mutex_);
    aliases.swap(aliases_);
    for (const KeptAlias& alias : aliases) Count(standing_.sent, alias.rank);
  }
  for (KeptAlias& alias : aliases) {
    alias.message.value = fast::CopyOf(alias.message.value);
    const Status status = outlet_.SendAway(name_, alias.rank, alias.key, alias.message);
    if (!status.ok()) Abort(status);
  }
}

void StepRendezvous::Abort(const Status& status) {
  LocalRendezvous::Abort(status);
  if (!is_known_.exchange(true, std::memory_order_acq_rel)) outlet_.StepFailed(name_, status);
}

void StepRendezvous::Deliver(int from, const fast::RendezvousKey& key, fast::Message message) {
  {
    MutexLock lock(mutex_);
    BeginWork(1);
    Count(standing_.received, from);
    ++standing_.stirred;
  }
  const Status status = Leave(key, std::move(message));  // fails where the step has failed
  static_cast<void>(status);
  EndWork(1);
}

Standing StepRendezvous::Stand() {
  MutexLock lock(mutex_);
  standing_.is_idle = is_idle();
  standing_.keeps_aliases = !aliases_.empty();
  Standing standing = standing_;
  for (auto* by_rank : {&standing.sent, &standing.received}) by_rank->resize(static_cast<size_t>(transport_.size()));
  return standing;
}

void StepRendezvous::CloseIfUnstirred(int64_t stirred) {
  {
    MutexLock lock(mutex_);
    if (standing_.stirred != stirred || !is_idle()) return;
    ++standing_.stirred;
    BeginWork(1);
  }
  CloseReceivers();
  EndWork(1);
}

}  // namespace plumb::dist
