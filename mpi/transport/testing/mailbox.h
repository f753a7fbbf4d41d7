// A receiver for tests: keeps what arrives until somebody asks for it.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mpi/transport/transport.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {

struct Letter {
  std::string head;
  Payload payload;
};

// Thread-safe. Whoever waits longer than kPatience is told so by kDeadlineExceeded.
class Mailbox : public Receiver {
 public:
  static constexpr std::chrono::seconds kPatience{30};

  Place PlaceFor(int from, std::string_view head, size_t bytes) override;
  void Arrive(int from, std::string_view head, Payload payload) override;
  void Lost(int rank, const Status& status) override;

  // The next message of that rank.
  Letter Next(int from);
  // Why that rank is gone, once it is.
  Status WaitUntilLost(int rank);
  // How many calls there were.
  int64_t calls();
  // From now on each message is shown to `hook`, on the transport's thread; those that it takes are not kept.
  using Taker = std::function<bool(int from, std::string_view head, const Payload& payload)>;
  void Hook(Taker hook);

 private:
  Mutex mutex_;
  CondVar changed_;
  std::map<int, std::deque<Letter>> letters_ PLUMB_GUARDED_BY(mutex_);
  std::map<int, Status> lost_ PLUMB_GUARDED_BY(mutex_);
  std::map<const void*, size_t> places_ PLUMB_GUARDED_BY(mutex_);  // that were given, and their bytes
  std::string wrong_ PLUMB_GUARDED_BY(mutex_);                     // what broke the contract
  Taker hook_ PLUMB_GUARDED_BY(mutex_);
  int64_t calls_ PLUMB_GUARDED_BY(mutex_) = 0;
};

// Counts how often `sent` was called, and how.
class SentCount {
 public:
  Sent Counted();
  // Returns when all that were handed out have been called.
  void WaitForAll();
  int64_t called();
  int64_t failed();
  int64_t handed_out();

 private:
  Mutex mutex_;
  CondVar changed_;
  int64_t handed_out_ PLUMB_GUARDED_BY(mutex_) = 0;
  int64_t called_ PLUMB_GUARDED_BY(mutex_) = 0;
  int64_t failed_ PLUMB_GUARDED_BY(mutex_) = 0;
};

}  // namespace plumb::dist
