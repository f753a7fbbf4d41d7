#include "fastpath/device/rendezvous.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "fastpath/device/transfer.h"

namespace plumb::fast {
namespace {

// The finalizer of SplitMix64.
uint64_t Mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ hash >> 27) * 0x94d049bb133111eb;
  return hash ^ hash >> 31;
}

uint64_t Mix(uint64_t hash, std::string_view bytes) {
  hash = Mix(hash, bytes.size());
  for (uint64_t word = 0; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), sizeof word)), word = 0) {
    std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof word));
    hash = Mix(hash, word);
  }
  return hash;
}

// What the compiler counts does not get so far.
constexpr uint64_t kIsHash = uint64_t{1} << 63;

}  // namespace

Channel ChannelOf(const AttrMap& attrs) {
  char incarnation[20];
  std::snprintf(incarnation, sizeof(incarnation), "%llx",
                static_cast<unsigned long long>(GetAttr<int64_t>(attrs, "send_device_incarnation")));
  Channel channel;
  channel.receiver = GetAttr<std::string>(attrs, "recv_device");
  channel.name = Str(GetAttr<std::string>(attrs, "send_device"), ";", incarnation, ";", channel.receiver, ";",
                     GetAttr<std::string>(attrs, "tensor_name"));
  const auto counted = GetAttrOr<int64_t>(attrs, kChannelNumber, -1);
  channel.number = counted >= 0 ? static_cast<uint64_t>(counted) : Mix(0, channel.name) | kIsHash;
  return channel;
}

uint64_t FrameIdOf(const FrameIteration& place) {
  if (place.outer == nullptr) return 0;
  return Mix(Mix(FrameIdOf(*place.outer), static_cast<uint64_t>(place.outer->number)), place.frame);
}

RendezvousKey KeyOf(const Channel& channel, const FrameIteration& place) {
  return {channel.number, FrameIdOf(place), place.number};
}

std::string TextOf(const Channel& channel, const RendezvousKey& key) {
  return Str(channel.name, ";", key.frame, ":", key.iteration);
}

LocalRendezvous::~LocalRendezvous() PLUMB_NO_THREAD_SAFETY_ANALYSIS {
  Drop(messages_);
  Receivers dropped;
  receivers_.ForEach(
      [&](RendezvousTable::Entry& entry) { dropped.push_back(std::move(static_cast<Receiver&>(entry).itself_)); });
}

Status LocalRendezvous::Leave(const RendezvousKey& key, Message message) {
  std::shared_ptr<Receiver> first;
  {
    MutexLock lock(mutex_);
    if (!aborted_.ok()) return aborted_;
    RendezvousTable::Entry* const waiting = receivers_.Find(key);
    if (waiting == nullptr) {
      auto* const early = new Early;
      early->message = std::move(message);
      messages_.Add(key, *early);
      return OkStatus();
    }
    first = TakeOut(static_cast<Receiver&>(*waiting));
  }
  first->Take({OkStatus(), std::move(message)});
  return OkStatus();
}

void LocalRendezvous::Receive(const RendezvousKey& key, std::shared_ptr<Receiver> receiver, bool may_close) {
  Outcome outcome;
  std::unique_ptr<Early> early;
  bool waits = false;
  {
    MutexLock lock(mutex_);
    outcome.status = aborted_;
    if (aborted_.ok()) early.reset(static_cast<Early*>(messages_.Find(key)));
    waits = aborted_.ok() && early == nullptr;
    if (early != nullptr) messages_.Remove(*early);
    if (waits) {
      Receiver& waiting = *receiver;
      waiting.may_close_ = may_close;
      waiting.itself_ = std::move(receiver);
      receivers_.Add(key, waiting);
    }
  }
  if (waits) {
    if (may_close) EndWork(1);
    return;
  }
  if (early != nullptr) outcome.message = std::move(early->message);
  receiver->Take(std::move(outcome));
}

std::shared_ptr<Rendezvous::Receiver> LocalRendezvous::TakeOut(Receiver& receiver) {
  receivers_.Remove(receiver);
  if (receiver.may_close_) BeginWork(1);
  return std::move(receiver.itself_);
}

bool LocalRendezvous::Withdraw(Receiver& receiver) {
  std::shared_ptr<Receiver> withdrawn;  // let go after the lock is released
  MutexLock lock(mutex_);
  if (!receiver.is_in_table()) return false;
  withdrawn = TakeOut(receiver);
  return true;
}

LocalRendezvous::Receivers LocalRendezvous::TakeWaiting(bool only_closable) {
  Receivers waiting;
  receivers_.ForEach([&](RendezvousTable::Entry& entry) PLUMB_NO_THREAD_SAFETY_ANALYSIS {
    auto& receiver = static_cast<Receiver&>(entry);
    if (receiver.may_close_ || !only_closable) waiting.push_back(TakeOut(receiver));
  });
  return waiting;
}

void LocalRendezvous::Drop(RendezvousTable& messages) {
  messages.ForEach([](RendezvousTable::Entry& entry) { delete static_cast<Early*>(&entry); });
}

void LocalRendezvous::Abort(const Status& status) {
  RendezvousTable dropped;
  Receivers waiting;
  {
    MutexLock lock(mutex_);
    if (!aborted_.ok()) return;
    aborted_ = status;
    waiting = TakeWaiting(false);
    std::swap(dropped, messages_);
  }
  Drop(dropped);
  for (const auto& each : waiting) each->Take({status, {}});
}

void LocalRendezvous::EndWork(int64_t count) {
  if (work_.fetch_sub(count, std::memory_order_acq_rel) == count) WhenIdle();
}

void LocalRendezvous::CloseReceivers() {
  Receivers waiting;
  {
    MutexLock lock(mutex_);
    waiting = TakeWaiting(true);
  }
  for (const auto& each : waiting) each->Take({OkStatus(), {}, true});
}

}  // namespace plumb::fast
