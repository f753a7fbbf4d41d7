#include "mpi/transport/testing/waiting.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <deque>
#include <string>
#include <thread>

#include "spec/core/thread_annotations.h"

namespace plumb::dist {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A transport's thread looks up every 100 ms. The task ends shortly before one does that has stepped in for it, and the
// next question comes shortly after: whoever is not woken then answers when his own 100 ms are over.
constexpr milliseconds kAway{90};
constexpr milliseconds kPause{25};
constexpr milliseconds kLate{40};
constexpr int kRounds = 5;

// What a rank does that attends: it answers, and is away before some of its answers.
class Clerk {
 public:
  explicit Clerk(Seat& seat) : end_(seat.end) {}

  bool Take(int from, std::string_view head) {
    if (head != "away" && head != "here?" && head != "enough") return false;
    if (head == "enough") {
      is_over_ = true;
    } else {
      MutexLock lock(mutex_);
      questions_.push_back({from, head == "away"});
    }
    end_.Nudge();
    return true;
  }
  bool Work() {
    Question question;
    {
      MutexLock lock(mutex_);
      if (questions_.empty()) return false;
      question = questions_.front();
      questions_.pop_front();
    }
    if (question.is_long) std::this_thread::sleep_for(kAway);
    end_.Send(question.from, "answer");
    return true;
  }
  bool is_over() const { return is_over_; }

 private:
  struct Question {
    int from = 0;
    bool is_long = false;
  };
  Transport& end_;
  std::atomic<bool> is_over_{false};
  Mutex mutex_;
  std::deque<Question> questions_ PLUMB_GUARDED_BY(mutex_);
};

Clock::duration TimeToAnswer(Seat& seat, int rank, const std::string& question) {
  const auto asked = Clock::now();
  seat.end.Send(rank, question);
  seat.box.Next(rank);
  return Clock::now() - asked;
}

// Of all that this process computes.
milliseconds ProcessorTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return milliseconds(time.tv_sec * 1000 + time.tv_nsec / 1'000'000);
}

}  // namespace

void WakesWhoWasAway(Seat& seat) {
  Clerk clerk(seat);
  if (seat.end.rank() == 1) {
    seat.box.Hook([&](int from, std::string_view head, const Payload&) { return clerk.Take(from, head); });
  }
  Meet(seat);
  if (seat.end.rank() == 0) {
    Clock::duration quickest = Clock::duration::max();
    for (int round = 0; round < kRounds; ++round) {
      TimeToAnswer(seat, 1, "away");
      std::this_thread::sleep_for(kPause);
      quickest = std::min(quickest, TimeToAnswer(seat, 1, "here?"));
    }
    seat.end.Send(1, "enough");
    if (quickest > kLate) throw Internal("a thread that had been away was not woken by what came");
  }
  const auto is_over = [&] { return clerk.is_over(); };
  while (seat.end.rank() == 1 && !is_over()) {
    const bool has_attended = seat.end.Attend(
        is_over, [&] { return clerk.Work(); }, true);
    if (!has_attended && !clerk.Work()) std::this_thread::yield();  // a transport that needs no hands
  }
  Meet(seat);
  if (seat.end.rank() == 1) seat.box.Hook(nullptr);
}

void RestsWhenNudged(Seat& seat) {
  constexpr milliseconds kRest{200};
  Meet(seat);
  seat.end.Nudge();
  const milliseconds before = ProcessorTime();
  std::this_thread::sleep_for(kRest);
  const milliseconds spent = ProcessorTime() - before;
  Meet(seat);
  if (spent > kRest / 2) throw Internal("after a nudge a transport computed for ", spent.count(), " ms");
}

}  // namespace plumb::dist
