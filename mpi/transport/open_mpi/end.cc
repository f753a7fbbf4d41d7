#include "mpi/transport/open_mpi/end.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "mpi/transport/loopback.h"

namespace plumb::dist {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// How many bytes that are under way add a microsecond to kBusyLook: slower ways are not worth a core.
constexpr int64_t kBytesPerLook = 100;
// Between two looks of the own thread after the one that attends.
constexpr microseconds kGuardPause{2000};
// How long Stop waits for others to take what was sent.
constexpr milliseconds kFarewell{5000};

// For which end the thread holds back what it sends, and how often it was told to.
thread_local const MpiEnd* holds_for = nullptr;
thread_local int times_held = 0;

}  // namespace

void MpiEnd::Send(int to, std::string head, Payload payload, Sent sent) {
  Require(to >= 0 && to < size(), "there is no rank ", to, ": the run has ranks 0 to ", size() - 1);
  Outgoing message{to, std::move(head), std::move(payload), std::move(sent)};
  if (!engine_.Queue(message)) {
    if (message.sent) message.sent(Status(Code::kCancelled, "the transport was stopped"));
    return;
  }
  if (holds_for != this) SendQueued();
}

void MpiEnd::HoldBack() {
  if (holds_for == nullptr) holds_for = this;
  if (holds_for == this) ++times_held;
}

// What another thread has sent since went along.
void MpiEnd::LetGo() {
  if (holds_for != this || --times_held > 0) return;
  holds_for = nullptr;
  SendQueued();
}

// Whoever has the role does so when it gives that back, so nothing is left behind.
void MpiEnd::SendQueued() {
  while (is_open() && engine_.has_queued()) {
    if (!engine_.TryTakeRole()) return;
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

MpiEnd::Outlook MpiEnd::Look(bool thorough) {
  Outlook outlook;
  if (!engine_.TryTakeRole()) return outlook;
  const auto give_back = absl::MakeCleanup([this] {
    engine_.GiveRoleBack();
    SendQueued();
  });
  try {
    outlook.has_looked = true;
    outlook.has_news = engine_.Turn(thorough);
    outlook.is_busy = engine_.is_busy();
    outlook.hears_far = engine_.hears_far();
    outlook.bytes = engine_.bytes();
    if (outlook.is_busy && !outlook.has_news) engine_.RingOthers();
  } catch (const Error& error) {
    Break(error);
  }
  return outlook;
}

// The bell stays set when the sleep is over, for the other thread may sleep by then: whoever rings next, or attends,
// takes it back.
MpiEnd::Outlook MpiEnd::SleepUnlessNeeded(microseconds longest, const Asked& is_needed) {
  bell_.is_asleep = 1;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const Outlook outlook = Look(/*thorough=*/true);
  if (!outlook.has_looked) {
    sched_yield();  // to whoever is at it
  } else if (!outlook.has_news && !is_needed() && is_open()) {
    SleepOn(bell_, 1, std::min(longest, outlook.LongestPause()));
  }
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
  if (attendant_ == Attendant::kSleeps && is_open()) {
    guard_wanted_.WaitUntil(guard_mutex_, Clock::now() + milliseconds(Watch::kPeriod));
  }
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
  if (now - last_news_ < (outlook.is_busy && !outlook.IsOnAWire() ? kBusyLook + slow : kIdleLook)) {
    sched_yield();
    return;
  }
  // Beside another thread, which may come back from its task, it sleeps as a guard does.
  const bool is_guard = attendant_ != Attendant::kNobody;
  microseconds longest = outlook.LongestPause();
  if (is_guard) longest = std::min(longest, kGuardPause);
  if (outlook.IsOnAWire()) longest = std::min(longest, kWirePause);
  pause_ = outlook.hears_far || outlook.is_busy ? std::min(longest, pause_ * 2 + microseconds(20)) : longest;
  guard_is_asleep_ = !is_guard;
  const auto is_needed = [&] { return !is_guard && attendant_ != Attendant::kNobody; };
  if (SleepUnlessNeeded(pause_, is_needed).has_news) last_news_ = Clock::now();
  guard_is_asleep_ = false;
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
      if (!engine_.Turn(/*thorough=*/true)) {
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

std::unique_ptr<Transport> OpenMpi(const MpiOptions& options) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (getenv(name) != nullptr) return std::make_unique<MpiEnd>(MpiProcess::Get(), options);
  }
  return std::move(NewLoopback(1)[0]);  // mpirun did not start this process
}

}  // namespace plumb::dist
