// The thread that attends: it does the work of the end itself while it waits.
#include <sched.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "mpi/transport/open_mpi/end.h"

namespace plumb::dist {
namespace {

// It expects news as soon as they came last, give or take, if that was soon. Where others want its core a look may take
// long, and says nothing of what it waits for: so many looks it takes at least.
constexpr std::chrono::microseconds kShortestGap{200};
constexpr std::chrono::microseconds kLongestGap{2000};
constexpr int kGaps = 4;
constexpr int kLeastLooks = 16;

}  // namespace

bool MpiEnd::Come() {
  if (!is_open() || is_attended_.exchange(true)) return false;
  BeginWork();
  bell_.is_asleep = 0;
  present_ = std::this_thread::get_id();
  return true;
}

void MpiEnd::Leave() {
  if (present_ != std::this_thread::get_id()) return;
  present_ = std::thread::id();
  LeaveWork();
}

bool MpiEnd::Attend(const Asked& is_over, const Asked& work, bool rests) {
  const bool is_present = present_ == std::this_thread::get_id();
  if (is_present) {
    present_ = std::thread::id();
  } else if (is_attended_.exchange(true)) {
    return false;
  }
  auto leave = absl::MakeCleanup([this] { LeaveWork(); });
  const bool has_held = AttendUntil(is_over, work, rests);
  if (has_held && is_present) {
    std::move(leave).Cancel();
    BeginWork();
    present_ = std::this_thread::get_id();
  }
  return has_held;
}

bool MpiEnd::AttendUntil(const Asked& is_over, const Asked& work, bool rests) {
  auto news = Clock::now();
  microseconds window = kLongestGap;
  int looks = 0;  // since then
  while (is_open()) {
    attendant_ = Attendant::kLooks;
    if (bell_.is_asleep.load(std::memory_order_relaxed) != 0) bell_.is_asleep = 0;
    const Outlook outlook = Look();
    const bool is_nudged = is_nudged_.load() && is_nudged_.exchange(false);
    if (is_nudged || outlook.has_news) Work(work);
    if (is_over()) return true;
    const auto now = Clock::now();
    const auto gap = std::chrono::duration_cast<microseconds>(now - news);
    const microseconds patience = outlook.IsOnAWire() ? kIdleLook : outlook.is_busy ? kBusyLook : window;
    if (outlook.has_news) {
      window = gap > kLongestGap ? kShortestGap : std::clamp(kGaps * gap, kShortestGap, kLongestGap);
      news = now;
      looks = 0;
    } else if (++looks < kLeastLooks || gap < patience) {
      sched_yield();
    } else if (!rests) {
      return false;
    } else {
      attendant_ = Attendant::kSleeps;
      const auto is_needed = [this] { return is_nudged_.load(); };
      const microseconds longest = outlook.IsOnAWire() ? kWirePause : milliseconds(Watch::kPeriod);
      if (!SleepUnlessNeeded(longest, is_needed).has_news) continue;
      Work(work);
      news = Clock::now();
      looks = 0;
    }
  }
  return false;
}

void MpiEnd::Work(const Asked& work) {
  BeginWork();
  while (work()) {
  }
}

void MpiEnd::BeginWork() {
  tasks_begun_.fetch_add(1, std::memory_order_relaxed);
  attendant_ = Attendant::kWorks;
  WakeGuard();
}

// Called after the attendant has changed, which the guard looks at before it sleeps. The bell is this thread's here.
void MpiEnd::WakeGuard() {
  if (!guard_is_asleep_.load() || !guard_is_asleep_.exchange(false)) return;
  MutexLock lock(guard_mutex_);
  guard_wanted_.NotifyOne();
  bell_.is_asleep = 0;
  WakeBeside(bell_);
}

// From here on whoever sends wakes the own thread.
void MpiEnd::LeaveWork() {
  attendant_ = Attendant::kNobody;
  WakeGuard();
  bell_.is_asleep = 1;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  Outlook outlook = Look();
  while (is_open() && (outlook.has_news || !outlook.has_looked)) {
    if (!outlook.has_looked) sched_yield();  // to whoever is at it
    outlook = Look();
  }
  is_attended_ = false;
  if (outlook.is_busy) Ring(bell_);
}

}  // namespace plumb::dist
