#include "mpi/worker/step_rendezvous.h"

#include <utility>

#include "fastpath/device/variable.h"

namespace plumb::dist {

int Routes::ReceiverOf(const std::string& key) const {
  const size_t incarnation = key.find(';') + 1;
  const size_t receiver = key.find(';', incarnation) + 1;
  const size_t end = key.find(';', receiver);
  if (incarnation == 0 || receiver == 0 || end == std::string::npos) return own_;
  const auto found = ranks_.find(key.substr(receiver, end - receiver));
  return found == ranks_.end() ? own_ : found->second;
}

StepRendezvous::StepRendezvous(const Routes& routes, Transport& transport, Outlet outlet)
    : LocalRendezvous(1), routes_(routes), transport_(transport), outlet_(std::move(outlet)) {
  standing_.sent.resize(transport.size());
  standing_.received.resize(transport.size());
}

Status StepRendezvous::Send(const std::string& key, fast::Message message) {
  const int rank = routes_.ReceiverOf(key);
  if (rank == routes_.own()) return LocalRendezvous::Send(key, std::move(message));
  if (!message.is_dead && message.value.is_alias()) {
    MutexLock lock(mutex_);
    aliases_.push_back({rank, key, std::move(message)});
    return OkStatus();
  }
  return SendAway(rank, key, std::move(message));
}

Status StepRendezvous::SendAway(int rank, const std::string& key, fast::Message message) {
  {
    MutexLock lock(mutex_);
    ++standing_.sent[rank];
  }
  return outlet_.send(rank, key, std::move(message));
}

void StepRendezvous::SendAliases() {
  std::vector<KeptAlias> aliases;
  {
    // Whoever asks how this rank stands sees them kept here or on their way, at every moment.
    MutexLock lock(mutex_);
    aliases.swap(aliases_);
    for (const KeptAlias& alias : aliases) ++standing_.sent[alias.rank];
  }
  for (KeptAlias& alias : aliases) {
    alias.message.value = fast::CopyOf(alias.message.value);
    const Status status = outlet_.send(alias.rank, alias.key, std::move(alias.message));
    if (!status.ok()) Abort(status);
  }
}

void StepRendezvous::Abort(const Status& status) {
  LocalRendezvous::Abort(status);
  if (!is_known_.exchange(true, std::memory_order_acq_rel)) outlet_.failed(status);
}

void StepRendezvous::Deliver(int from, const std::string& key, fast::Message message) {
  {
    MutexLock lock(mutex_);
    BeginWork(1);
    ++standing_.received[from];
    ++standing_.stirred;
  }
  const Status status = LocalRendezvous::Send(key, std::move(message));  // fails where the step has failed
  static_cast<void>(status);
  EndWork(1);
}

Standing StepRendezvous::Stand() {
  MutexLock lock(mutex_);
  standing_.is_idle = is_idle();
  standing_.keeps_aliases = !aliases_.empty();
  return standing_;
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
