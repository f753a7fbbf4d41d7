// Where the Sends and Recvs of a step meet (rules W30–W32).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "fastpath/device/kernel.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

class Device;

// What travels: a value, or the news that there is none (rule X4). The value may lie in the memory of `device`.
struct Message {
  Tensor value;
  bool is_dead = false;
  Device* device = nullptr;  // null: the host
};

// W30: the instance of a frame as 64 bits of the names and iterations that lead to it, so that both sides agree without
// a word. 0: the root frame.
uint64_t FrameIdOf(const FrameIteration& place);
// W30: `channel` is what names sender, receiver and tensor; the rest says which iteration of which frame.
std::string RendezvousKey(const std::string& channel, const FrameIteration& place);

// Thread-safe. No receiver is called under a lock.
class Rendezvous {
 public:
  // How a receive ended: with a message, with an error, or, where the receiver said that it may be, not at all: nobody
  // was left who could have sent anything.
  struct Outcome {
    Status status;
    Message message;
    bool is_closed = false;
  };
  using Receiver = std::function<void(Outcome)>;

  virtual ~Rendezvous() = default;
  // W31: messages of one key queue, first in first out, and so do receivers. Fails once the rendezvous was aborted.
  virtual Status Send(const std::string& key, Message message) = 0;
  // Calls `receiver` once, here or later on any thread. `who` names it for Withdraw. `may_close`: see Outcome.
  virtual void Receive(const std::string& key, const void* who, bool may_close, Receiver receiver) = 0;
  // True: it had not been called, and will not be.
  virtual bool Withdraw(const std::string& key, const void* who) = 0;
  // W32: who waits gets `status`, so does who comes later, and what was sent is dropped. The first status stands.
  virtual void Abort(const Status& status) = 0;

  // The partitions of a step count what they have in hand, so that the rendezvous notices when nothing is left but
  // receivers that may be closed, and closes them: a step ends when nothing more can happen (rule X8).
  virtual void BeginWork(int64_t /*count*/) {}
  virtual void EndWork(int64_t /*count*/) {}

  // What the calling thread sends in between may leave together, where it goes far.
  virtual void HoldBack() {}
  virtual void LetGo() {}
};

// For partitions in one process.
class LocalRendezvous : public Rendezvous {
 public:
  // Each of the partitions counts as one piece of work from the start.
  explicit LocalRendezvous(int64_t partitions) : work_(partitions) {}

  Status Send(const std::string& key, Message message) override;
  void Receive(const std::string& key, const void* who, bool may_close, Receiver receiver) override;
  bool Withdraw(const std::string& key, const void* who) override;
  void Abort(const Status& status) override;
  void BeginWork(int64_t count) override { work_.fetch_add(count, std::memory_order_relaxed); }
  void EndWork(int64_t count) override;

 protected:
  // No work is left here. Whoever else may send decides when those that may be closed are.
  virtual void WhenIdle() { CloseReceivers(); }
  bool is_idle() const { return work_.load(std::memory_order_acquire) == 0; }
  void CloseReceivers();

 private:
  struct Waiting {
    const void* who;
    bool may_close;
    Receiver receiver;
  };
  struct Queue {
    std::list<Message> messages;  // most keys have one of either, once
    std::list<Waiting> waiting;
  };
  // Takes those who wait, all or those that may be closed. A receiver that may be closed is no work while it waits.
  std::vector<Waiting> TakeWaiting(bool only_closable) PLUMB_REQUIRES(mutex_);

  std::atomic<int64_t> work_;
  Mutex mutex_;
  Status aborted_ PLUMB_GUARDED_BY(mutex_);
  std::map<std::string, Queue> queues_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
