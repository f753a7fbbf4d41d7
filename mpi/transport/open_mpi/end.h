// One rank's end over Open MPI: which thread does its work, when that looks for news, and when it sleeps.
//
// The end has a thread of its own (end.cc). While another thread attends (attend.cc), that one does the work, and the
// own thread is its guard: it steps in when the other has been away at a task for a whole look, and takes over when it
// leaves.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "mpi/transport/mpi.h"
#include "mpi/transport/open_mpi/engine.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {

class MpiEnd : public Transport {
 public:
  using Clock = std::chrono::steady_clock;
  using microseconds = std::chrono::microseconds;
  using milliseconds = std::chrono::milliseconds;

  MpiEnd(MpiProcess& process, const MpiOptions& options)
      : process_(process), bell_(*process.BellOf(process.rank())), engine_(process, options) {
    thread_ = std::thread([this] { Run(); });
  }
  ~MpiEnd() override { MpiEnd::Stop(); }

  int rank() const override { return process_.rank(); }
  int size() const override { return process_.size(); }
  std::string HostOf(int rank) const override { return process_.HostOf(rank); }
  int Cores() const override { return process_.cores(); }
  void Start(Receiver* receiver) override {
    engine_.UseReceiver(receiver);
    Ring(bell_);
  }
  void Send(int to, std::string head, Payload payload, Sent sent) override;
  void HoldBack() override;
  void LetGo() override;
  bool Attend(const Asked& is_over, const Asked& work, bool rests) override;
  bool Come() override;
  void Leave() override;
  void Nudge() override {
    is_nudged_ = true;
    Ring(bell_);
  }
  void Stop() override;
  Traffic traffic() const override { return engine_.traffic(); }
  SharedArea AreaOf(int rank) const override { return process_.AreaOf(rank); }
  bool Reserve(size_t bytes) override { return process_.Reserve(bytes); }

 private:
  // How long a thread looks for news before it sleeps, while something is under way, and the own one while nothing is.
  static constexpr milliseconds kBusyLook{20};
  static constexpr microseconds kIdleLook{50};
  // What is under way, or comes from another host, wakes nobody: the longest sleep then.
  static constexpr microseconds kBusyPause{200};
  static constexpr microseconds kFarPause{1000};

  // So many bytes that are under way where there are other hosts go over a wire. Sockets take and hold what passes in
  // kWirePause, also at 10 Gbit/s, and looking all the while would take the cores from the kernels beside which it
  // passes.
  static constexpr size_t kOnAWire = size_t{1} << 18;
  static constexpr microseconds kWirePause{100};

  enum class Attendant { kNobody, kLooks, kWorks, kSleeps };
  // What there is to wait for.
  struct Outlook {
    bool has_looked = false;  // no: somebody else was at it
    bool has_news = false;
    bool is_busy = false;
    bool hears_far = false;
    size_t bytes = 0;
    bool IsOnAWire() const { return hears_far && bytes >= kOnAWire; }
    microseconds LongestPause() const {
      return is_busy ? kBusyPause : hears_far ? kFarPause : milliseconds(Watch::kPeriod);
    }
  };
  bool is_open() const { return !is_stopping_.load() && !is_broken_.load(); }
  // One turn, where nobody else is at it. `thorough`: before a sleep.
  Outlook Look(bool thorough = false);
  void Break(const Error& error);
  // Of the own thread.
  void Run();
  bool Guards();
  void WorkAlone();
  void Farewell();
  // Of the one that attends.
  bool AttendUntil(const Asked& is_over, const Asked& work, bool rests);
  void Work(const Asked& work);
  void BeginWork();
  void LeaveWork();
  void WakeGuard();
  void SendQueued();
  // Sleeps on the bell unless there is something to do after all.
  Outlook SleepUnlessNeeded(microseconds longest, const Asked& is_needed);

  MpiProcess& process_;
  Bell& bell_;
  Engine engine_;
  std::atomic<bool> is_stopping_{false}, is_broken_{false};
  Status broken_;  // fixed once is_broken_
  std::atomic<bool> is_attended_{false}, is_nudged_{false};
  std::atomic<Attendant> attendant_{Attendant::kNobody};
  std::atomic<std::thread::id> present_{};   // who has come and does not attend just now
  std::atomic<int64_t> tasks_begun_{0};      // by those who attended
  std::atomic<bool> guard_is_asleep_{true};  // for long
  Mutex guard_mutex_;
  CondVar guard_wanted_;

  // Of the own thread.
  Clock::time_point last_news_ = Clock::now();
  microseconds pause_{0};
  int64_t tasks_seen_ = -1;

  std::once_flag joined_;
  std::thread thread_;
};

}  // namespace plumb::dist
