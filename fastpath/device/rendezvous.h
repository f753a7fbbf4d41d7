// Where the Sends and Recvs of a step meet (rules W30–W32).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fastpath/device/kernel.h"
#include "fastpath/device/rendezvous_table.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

class Device;

// What travels: a value, or the news that there is none (rule X4). The value may lie in the memory of `device`.
struct Message {
  Tensor value;
  bool is_dead = false;
  Device* device = nullptr;  // null: the host
};

// W30: what names sender, receiver and tensor.
struct Channel {
  std::string name;      // "sender;incarnation;receiver;tensor"
  std::string receiver;  // a device
  // Says the same within a step: the compiler counts the channels that it makes, and those that a graph has of its own
  // are known by 63 bits of their names (TensorFlow hashes the whole key into 64).
  uint64_t number = 0;
};
// Of the attributes of a Send or a Recv.
Channel ChannelOf(const AttrMap& attrs);

// W30: the instance of a frame as 64 bits of the names and iterations that lead to it, so that both sides agree without
// a word. 0: the root frame.
uint64_t FrameIdOf(const FrameIteration& place);
RendezvousKey KeyOf(const Channel& channel, const FrameIteration& place);
// The key in words, as TensorFlow has it.
std::string TextOf(const Channel& channel, const RendezvousKey& key);

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
  // Who waits for a message.
  class Receiver : public RendezvousTable::Entry {
   public:
    virtual ~Receiver() = default;
    virtual void Take(Outcome outcome) = 0;

   private:
    friend class LocalRendezvous;
    bool may_close_ = false;
    std::shared_ptr<Receiver> itself_;  // while it waits
  };

  virtual ~Rendezvous() = default;
  // W31: messages of one key queue, first in first out, and so do receivers. Fails once the rendezvous was aborted.
  virtual Status Send(const Channel& channel, const RendezvousKey& key, Message message) = 0;
  // Lets `receiver` take what comes of it, once, here or later on any thread. `may_close`: see Outcome.
  virtual void Receive(const RendezvousKey& key, std::shared_ptr<Receiver> receiver, bool may_close) = 0;
  // True: it had not taken anything, and will not.
  virtual bool Withdraw(Receiver& receiver) = 0;
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
  ~LocalRendezvous() override;

  Status Send(const Channel&, const RendezvousKey& key, Message message) override {
    return Leave(key, std::move(message));
  }
  void Receive(const RendezvousKey& key, std::shared_ptr<Receiver> receiver, bool may_close) override;
  bool Withdraw(Receiver& receiver) override;
  void Abort(const Status& status) override;
  void BeginWork(int64_t count) override { work_.fetch_add(count, std::memory_order_relaxed); }
  void EndWork(int64_t count) override;

 protected:
  // For whoever receives it here.
  Status Leave(const RendezvousKey& key, Message message);
  // No work is left here. Whoever else may send decides when those that may be closed are.
  virtual void WhenIdle() { CloseReceivers(); }
  bool is_idle() const { return work_.load(std::memory_order_acquire) == 0; }
  void CloseReceivers();

 private:
  // A message that nobody waits for yet.
  struct Early : RendezvousTable::Entry {
    Message message;
  };
  using Receivers = std::vector<std::shared_ptr<Receiver>>;
  std::shared_ptr<Receiver> TakeOut(Receiver& receiver) PLUMB_REQUIRES(mutex_);
  // Takes those who wait, all or those that may be closed. A receiver that may be closed is no work while it waits.
  Receivers TakeWaiting(bool only_closable) PLUMB_REQUIRES(mutex_);
  static void Drop(RendezvousTable& messages);

  std::atomic<int64_t> work_;
  Mutex mutex_;
  Status aborted_ PLUMB_GUARDED_BY(mutex_);
  // Of one key only messages wait, or only receivers.
  RendezvousTable messages_ PLUMB_GUARDED_BY(mutex_), receivers_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
