// The work of one rank's end, of one thread at a time: all calls of MPI and of the receiver are made in here.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "mpi/transport/mpi.h"
#include "mpi/transport/open_mpi/inbox.h"
#include "mpi/transport/open_mpi/outbox.h"
#include "mpi/transport/open_mpi/watch.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {

class Engine {
 public:
  Engine(MpiProcess& process, const MpiOptions& options);

  // Thread-safe.
  // False, and the message as it was, when the end is closed.
  bool Queue(Outgoing& message);
  bool has_queued() const { return queued_.load(std::memory_order_seq_cst) != 0; }
  void UseReceiver(Receiver* receiver) { receiver_ = receiver; }
  Traffic traffic() const;

  // One thread at a time, which has taken the role, does all that follows.
  bool TryTakeRole() { return !is_taken_.exchange(true, std::memory_order_seq_cst); }
  void GiveRoleBack() { is_taken_.store(false, std::memory_order_seq_cst); }

  // One look at everything; returns whether there was news. `thorough`: before a sleep (Inbox::Poll).
  bool Turn(bool thorough);
  // Only sends what is queued. Returns whether somebody has to look after it.
  bool SendQueued();
  // What is under way, or comes from another host, wakes nobody.
  bool is_busy() const { return !outbox_.empty() || inbox_.is_waiting(); }
  bool hears_far() const { return !watch_.far().empty(); }
  // Of payloads on their way.
  size_t bytes() const { return outbox_.bytes() + inbox_.bytes(); }
  // Wakes those who are to take something.
  void RingOthers() { outbox_.RingAll(); }

  // Launches a goodbye to each rank that is there.
  void SayGoodbye();
  bool has_sent_all() const { return outbox_.empty(); }
  // MPI itself has failed: nobody can be reached any more.
  void LoseAll(const Status& status);
  // After that nothing is called.
  void Close();

 private:
  bool TakeQueue();
  void Launch(Outgoing message);
  void Tell();
  void LookAround();
  void Lose(int rank, const Status& status);

  MpiProcess& process_;
  const int rank_;
  const MPI_Comm comm_;
  std::atomic<Receiver*> receiver_{nullptr};
  std::atomic<bool> is_taken_{false};

  Mutex mutex_;
  std::vector<Outgoing> queue_ PLUMB_GUARDED_BY(mutex_);
  bool is_closed_ PLUMB_GUARDED_BY(mutex_) = false;
  std::atomic<size_t> queued_{0};  // the length of the queue

  static constexpr int kTurnsPerClock = 8;  // what costs most of a turn without news is to read the clock

  // What Traffic counts.
  std::atomic<int64_t> messages_sent_{0}, messages_arrived_{0}, payload_bytes_sent_{0}, payloads_copied_{0},
      largest_copy_{0};

  // Of whoever has the role.
  Inbox inbox_;
  Outbox outbox_;
  Watch watch_;
  std::vector<Outgoing> taken_;  // from the queue
  int turns_ = 0;                // since the clock was read
  std::vector<Status> gone_;     // by rank; OK: still there
  std::vector<int> untold_;      // ranks that were lost before there was a receiver
  std::deque<Outgoing> to_itself_;
  std::vector<Ended> ended_;
};

}  // namespace plumb::dist
