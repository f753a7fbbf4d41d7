// One rank's end over Open MPI: which thread does its work, when that looks for news, and when it sleeps.
//
// The end has a thread of its own. While another thread attends, that one does the work, and the own thread is its
// guard: it steps in when the other has been away at a task for a whole look, and takes over when it leaves.
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "mpi/transport/loopback.h"
#include "mpi/transport/mpi.h"
#include "mpi/transport/open_mpi/engine.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// How long a thread looks for news before it sleeps: while something is under way, and while nothing is.
constexpr milliseconds kBusyLook{20};
constexpr int64_t kBytesPerLook = 100;  // and a microsecond more for as many bytes: slower wires are not worth a core
constexpr microseconds kIdleLook{50};
// One that attends expects news as soon as they came last, give or take, if that was soon.
constexpr microseconds kLongestGap{2000};
constexpr int kGaps = 4;
// What is under way, or comes from another host, wakes nobody: the longest sleep then.
constexpr microseconds kBusyPause{200};
constexpr microseconds kFarPause{1000};
// Between two looks of the own thread after the one that attends.
constexpr microseconds kGuardPause{2000};
// How long Stop waits for others to take what was sent.
constexpr milliseconds kFarewell{5000};

class MpiEnd : public Transport {
 public:
  MpiEnd(MpiProcess& process, const MpiOptions& options)
      : process_(process), bell_(*process.BellOf(process.rank())), engine_(process, options) {
    thread_ = std::thread([this] { Run(); });
  }
  ~MpiEnd() override { MpiEnd::Stop(); }

  int rank() const override { return process_.rank(); }
  int size() const override { return process_.size(); }
  std::string HostOf(int rank) const override { return process_.HostOf(rank); }
  void Start(Receiver* receiver) override {
    engine_.UseReceiver(receiver);
    Ring(bell_);
  }
  void Send(int to, std::string head, Payload payload, Sent sent) override;
  bool Attend(const Asked& is_over, const Asked& work, bool rests) override;
  void Nudge() override {
    is_nudged_ = true;
    Ring(bell_);
  }
  void Stop() override;
  Traffic traffic() const override { return engine_.traffic(); }
  SharedArea AreaOf(int rank) const override { return process_.AreaOf(rank); }
  bool Reserve(size_t bytes) override { return process_.Reserve(bytes); }

 private:
  enum class Attendant { kNobody, kLooks, kWorks, kSleeps };
  // What there is to wait for.
  struct Outlook {
    bool has_looked = false;  // no: somebody else was at it
    bool has_news = false;
    bool is_busy = false;
    bool hears_far = false;
    size_t bytes = 0;
    microseconds LongestPause() const {
      return is_busy ? kBusyPause : hears_far ? kFarPause : milliseconds(Watch::kPeriod);
    }
  };
  bool is_open() const { return !is_stopping_.load() && !is_broken_.load(); }
  // One turn, where nobody else is at it.
  Outlook Look();
  void Break(const Error& error);
  // Of the own thread.
  void Run();
  bool Guards();
  void WorkAlone();
  void Farewell();
  // Of the one that attends.
  void Work(const Asked& work);
  void LeaveWork();
  // Sleeps on the bell unless there is something to do after all.
  Outlook SleepUnlessNeeded(microseconds longest);

  MpiProcess& process_;
  Bell& bell_;
  Engine engine_;
  std::atomic<bool> is_stopping_{false}, is_broken_{false};
  Status broken_;  // fixed once is_broken_
  std::atomic<bool> is_attended_{false}, is_nudged_{false};
  std::atomic<Attendant> attendant_{Attendant::kNobody};
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

void MpiEnd::Send(int to, std::string head, Payload payload, Sent sent) {
  Require(to >= 0 && to < size(), "there is no rank ", to, ": the run has ranks 0 to ", size() - 1);
  Outgoing message{to, std::move(head), std::move(payload), std::move(sent)};
  if (!engine_.Queue(message)) {
    if (message.sent) message.sent(Status(Code::kCancelled, "the transport was stopped"));
    return;
  }
  // Whoever has the role looks into the queue before it sleeps. Where nobody has, this thread sends.
  while (is_open() && engine_.has_queued()) {
    if (!engine_.TryTakeRole()) return Ring(bell_);
    bool is_to_be_watched = true;
    try {
      is_to_be_watched = engine_.SendQueued();
    } catch (const Error& error) {
      Break(error);
    }
    engine_.GiveRoleBack();
    if (is_to_be_watched) Ring(bell_);
  }
}

void MpiEnd::Break(const Error& error) {
  if (is_broken_) return;
  broken_ = Status(Code::kUnavailable, Str("MPI failed on rank ", rank(), ": ", error.what()));
  is_broken_ = true;
  WakeBeside(bell_);
}

MpiEnd::Outlook MpiEnd::Look() {
  Outlook outlook;
  if (!engine_.TryTakeRole()) return outlook;
  const auto give_back = absl::MakeCleanup([this] { engine_.GiveRoleBack(); });
  try {
    outlook.has_looked = true;
    outlook.has_news = engine_.Turn();
    outlook.is_busy = engine_.is_busy();
    outlook.hears_far = engine_.hears_far();
    outlook.bytes = engine_.bytes();
    if (outlook.is_busy && !outlook.has_news) engine_.RingOthers();
  } catch (const Error& error) {
    Break(error);
  }
  return outlook;
}

MpiEnd::Outlook MpiEnd::SleepUnlessNeeded(microseconds longest) {
  bell_.is_asleep = 1;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const Outlook outlook = Look();
  if (outlook.has_looked && !outlook.has_news && !is_nudged_ && is_open())
    SleepOn(bell_, 1, std::min(longest, outlook.LongestPause()));
  bell_.is_asleep = 0;
  return outlook;
}

void MpiEnd::Run() {
  while (is_open()) {
    if (!Guards()) WorkAlone();
  }
  while (!engine_.TryTakeRole()) sched_yield();
  if (!is_broken_) {
    try {
      Farewell();
    } catch (const Error& error) {
      Break(error);
    }
  }
  if (is_broken_) engine_.LoseAll(broken_);
  engine_.Close();
  engine_.GiveRoleBack();
}

// Sleeps while another thread does the work. False where this one is needed.
bool MpiEnd::Guards() {
  const Attendant attendant = attendant_;
  if (attendant == Attendant::kNobody) return false;
  const int64_t begun = tasks_begun_;
  if (attendant == Attendant::kWorks && std::exchange(tasks_seen_, begun) == begun) return false;
  if (attendant != Attendant::kSleeps) {
    SleepOn(bell_, bell_.is_asleep, kGuardPause);  // woken by the bell when the other leaves
    return true;
  }
  MutexLock lock(guard_mutex_);  // the bell is the other's
  guard_is_asleep_ = true;
  guard_wanted_.WaitUntil(guard_mutex_, Clock::now() + milliseconds(Watch::kPeriod));
  guard_is_asleep_ = false;
  return true;
}

void MpiEnd::WorkAlone() {
  const Outlook outlook = Look();
  const auto now = Clock::now();
  if (outlook.has_news) {
    last_news_ = now;
    pause_ = microseconds(0);
    return;
  }
  const microseconds slow(static_cast<int64_t>(outlook.bytes) / kBytesPerLook);
  if (now - last_news_ < (outlook.is_busy ? kBusyLook + slow : kIdleLook)) {
    sched_yield();
    return;
  }
  const microseconds longest = outlook.LongestPause();
  pause_ = outlook.hears_far || outlook.is_busy ? std::min(longest, pause_ * 2 + microseconds(20)) : longest;
  guard_is_asleep_ = true;
  if (SleepUnlessNeeded(pause_).has_news) last_news_ = Clock::now();
  guard_is_asleep_ = false;
}

bool MpiEnd::Attend(const Asked& is_over, const Asked& work, bool rests) {
  if (is_attended_.exchange(true)) return false;
  const auto leave = absl::MakeCleanup([this] { LeaveWork(); });
  auto news = Clock::now();
  microseconds window = kLongestGap;
  while (is_open()) {
    attendant_ = Attendant::kLooks;
    if (bell_.is_asleep.load(std::memory_order_relaxed) != 0) bell_.is_asleep = 0;
    const Outlook outlook = Look();
    const bool is_nudged = is_nudged_.load() && is_nudged_.exchange(false);
    if (is_nudged || outlook.has_news) Work(work);
    if (is_over()) return true;
    const auto now = Clock::now();
    const auto gap = std::chrono::duration_cast<microseconds>(now - news);
    if (outlook.has_news) {
      window = gap > kLongestGap ? kIdleLook : std::clamp(kGaps * gap, kIdleLook, kLongestGap);
      news = now;
    } else if (gap < (outlook.is_busy ? kBusyLook : window)) {
      sched_yield();
    } else if (!rests) {
      return false;
    } else {
      attendant_ = Attendant::kSleeps;
      if (!SleepUnlessNeeded(milliseconds(Watch::kPeriod)).has_news) continue;
      Work(work);
      news = Clock::now();
    }
  }
  return false;
}

void MpiEnd::Work(const Asked& work) {
  tasks_begun_.fetch_add(1, std::memory_order_relaxed);
  attendant_ = Attendant::kWorks;
  if (guard_is_asleep_.exchange(false)) {
    MutexLock lock(guard_mutex_);
    guard_wanted_.NotifyOne();
    WakeBeside(bell_);
  }
  while (work()) {
  }
}

// From here on whoever sends wakes the own thread.
void MpiEnd::LeaveWork() {
  attendant_ = Attendant::kNobody;
  bell_.is_asleep = 1;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  Outlook outlook = Look();
  while (is_open() && (outlook.has_news || !outlook.has_looked)) outlook = Look();
  is_attended_ = false;
  if (outlook.is_busy) Ring(bell_);
}

void MpiEnd::Stop() {
  is_stopping_ = true;
  Ring(bell_);
  WakeBeside(bell_);
  {
    MutexLock lock(guard_mutex_);
    guard_wanted_.NotifyOne();
  }
  std::call_once(joined_, [this] { thread_.join(); });
}

// Has the role.
void MpiEnd::Farewell() {
  const auto end = Clock::now() + kFarewell;
  const auto turn_until_sent = [&] {
    do {
      if (!engine_.Turn()) {
        engine_.RingOthers();
        sched_yield();
      }
    } while (!engine_.has_sent_all() && Clock::now() < end);
  };
  turn_until_sent();
  engine_.SayGoodbye();
  turn_until_sent();
  if (!engine_.has_sent_all()) process_.LeaveUnfinished();
}

}  // namespace

std::unique_ptr<Transport> OpenMpi(const MpiOptions& options) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (getenv(name) != nullptr) return std::make_unique<MpiEnd>(MpiProcess::Get(), options);
  }
  return std::move(NewLoopback(1)[0]);  // mpirun did not start this process
}

}  // namespace plumb::dist
