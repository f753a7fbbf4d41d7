// Answers to what comes: from within Arrive, and by a thread of each rank that attends. In the second, chains of
// messages hop from rank to rank by what the thread does between two looks, and some of that takes so long that
// somebody else has to fetch what comes meanwhile.
#include "mpi/transport/testing/answers.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace plumb::dist {
namespace {

constexpr int kHops = 300;
constexpr int kLongEvery = 50;
constexpr std::chrono::milliseconds kLong{5};

// What one rank does for the chains.
class Hopper {
 public:
  explicit Hopper(Seat& seat) : end_(seat.end) {}

  // On any thread: what has arrived is work, or the end of a chain.
  bool Take(std::string_view head) {
    const bool is_end = head == "chain over";
    if (!is_end && !head.starts_with("hop ")) return false;
    if (is_end) {
      ends_.fetch_add(1);
    } else {
      MutexLock lock(mutex_);
      hops_.push_back(std::stoi(std::string(head.substr(4))));
    }
    end_.Nudge();
    return true;
  }
  bool Work() {
    int left = 0;
    {
      MutexLock lock(mutex_);
      if (hops_.empty()) return false;
      left = hops_.front();
      hops_.pop_front();
    }
    if (left % kLongEvery == 0) std::this_thread::sleep_for(kLong);
    if (left > 0) {
      end_.Send((end_.rank() + 1) % end_.size(), Str("hop ", left - 1));
    } else {
      for (int to = 0; to < end_.size(); ++to) end_.Send(to, "chain over");
    }
    return true;
  }
  // Every rank has begun one chain.
  bool IsOver() const { return ends_.load() == end_.size(); }

 private:
  Transport& end_;
  std::atomic<int> ends_{0};
  Mutex mutex_;
  std::deque<int> hops_ PLUMB_GUARDED_BY(mutex_);
};

void Hop(Seat& seat, bool rests) {
  Hopper hopper(seat);
  seat.box.Hook([&](int /*from*/, std::string_view head, const Payload&) { return hopper.Take(head); });
  Meet(seat);
  if (!rests) seat.end.Come();
  seat.end.Send(seat.end.rank(), Str("hop ", kHops));
  const auto latest = std::chrono::steady_clock::now() + Mailbox::kPatience;
  const auto is_over = [&] { return hopper.IsOver() || std::chrono::steady_clock::now() > latest; };
  while (!is_over()) {
    if (seat.end.Attend(
            is_over, [&] { return hopper.Work(); }, rests))
      break;
    if (!hopper.Work()) std::this_thread::yield();  // a transport that needs no hands
  }
  seat.end.Leave();
  if (!hopper.IsOver()) throw Internal("messages between ranks that attend stopped coming");
  Meet(seat);
  seat.box.Hook(nullptr);
}

}  // namespace

void AnswersWithinArrive(Seat& seat) {
  constexpr int kAnswers = 1001;
  const auto owner = std::make_shared<std::vector<char>>(5000);
  const Payload given{owner->data(), owner->size(), owner};
  Mutex mutex;
  CondVar changed;
  int finished = 0;
  seat.box.Hook([&](int from, std::string_view head, const Payload& payload) {
    if (!head.starts_with("left ")) return false;
    const int left = std::stoi(std::string(head.substr(5)));
    if (left > 0) {
      seat.end.Send(from, Str("left ", left - 1), payload, nullptr);
      return true;
    }
    MutexLock lock(mutex);
    ++finished;
    changed.NotifyAll();
    return true;
  });
  Meet(seat);
  for (int to = 0; to < seat.end.size(); ++to) seat.end.Send(to, Str("left ", kAnswers), given, nullptr);
  {
    const auto end = std::chrono::steady_clock::now() + Mailbox::kPatience;
    MutexLock lock(mutex);
    while (finished < seat.end.size()) {
      if (std::chrono::steady_clock::now() >= end) throw Internal("answers stopped coming");
      changed.WaitUntil(mutex, end);
    }
  }
  Meet(seat);
  seat.box.Hook(nullptr);
}

void Attending(Seat& seat) {
  for (const bool rests : {false, true}) Hop(seat, rests);
}

}  // namespace plumb::dist
