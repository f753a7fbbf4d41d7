// What the ends of a simulated run share.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "mpi/transport/shared_areas.h"
#include "mpi/transport/simulated.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {

// Thread-safe. What is said of ends in transport.h holds for its ranks.
class SimulatedWorld {
 public:
  using Asked = Transport::Asked;
  using Then = std::function<void()>;

  SimulatedWorld(int ranks, const SimulatedOptions& options);
  ~SimulatedWorld();
  SimulatedWorld(const SimulatedWorld&) = delete;
  SimulatedWorld& operator=(const SimulatedWorld&) = delete;

  int size() const { return size_; }
  const SharedAreas& areas() const { return areas_; }
  int HostOf(int rank) const { return options_.ranks_of_host > 0 ? rank / options_.ranks_of_host : 0; }
  bool is_moved_by_those_who_wait() const { return options_.hands == Hands::kOfThoseWhoWait; }

  void Start(int rank, Receiver* receiver);
  void Employ(int rank, Asked work);
  void Send(int from, int to, std::string head, Payload payload, Sent sent);
  void After(int rank, double seconds, Then then);
  void Stop(int rank);
  Traffic traffic(int rank) const;

  void Crash(int rank);
  struct Loss {
    int64_t arrivals = 0;
    int rank = 0;
    bool is_crash = false;
    Then then;
  };
  void PlanLoss(Loss loss);
  void Spare();
  void CutOff(int rank);

  // Returns when the question was answered with yes. The driver asks it.
  void Await(int rank, const Asked& is_over);
  void RunTogether(const std::vector<Then>& programs);
  // False where the calling thread is none of such programs.
  static bool KeepDeadline(double seconds, Then late);
  // There may be work for the rank.
  void Stir(int rank);

  double now() const;
  int64_t arrivals() const;
  uint64_t fingerprint() const;

 private:
  struct Letter {
    int from = 0, to = 0;
    bool is_goodbye = false;
    std::string head;
    Payload payload;
    Sent sent;
  };
  struct End {
    Receiver* receiver = nullptr;
    Asked work;
    std::deque<Letter> early;    // came before it was started
    std::map<int, Status> lost;  // what it has been told of others
    Status gone;                 // OK: still there
    bool is_leaving = false;     // it sends nothing more
    bool is_cut_off = false;
    int64_t unsettled = 0;  // of its letters
    Traffic traffic;
  };
  // A thread of RunTogether.
  struct Program {
    SimulatedWorld& world;
  };
  // A thread that waits.
  struct Waiter {
    const Asked* is_over = nullptr;
    const Program* program = nullptr;  // that it is, if it is one
    bool is_released = false;
  };
  // world.cc
  void Post(Letter letter) PLUMB_REQUIRES(mutex_);
  void Happens(double seconds, Then then) PLUMB_REQUIRES(mutex_);
  void PassTime() PLUMB_REQUIRES(mutex_);
  // Why nothing comes from `other` to this end.
  static Status Refusal(const End& end, int other);
  // By the driver, under no lock.
  void Arrive(int64_t number);
  void Hand(Letter& letter, Receiver& receiver);
  void Settle(int from, const Sent& sent, const Status& status);

  // losses.cc, the same
  void TellLost(int at, int rank, const Status& status);
  void CrashNow(int rank);
  void LoseWhoIsDue();
  void CutOffNow(int rank) PLUMB_REQUIRES(mutex_);

  // driver.cc
  struct Choice {
    std::optional<int> rank;
    Waiter* waiter = nullptr;
    bool ends_deadlines = false;  // of what happens next; neither a rank nor a waiter
  };
  void AwaitRelease(Waiter& self) PLUMB_REQUIRES(mutex_);
  // The driver lets one thing happen, or waits for news for a moment.
  void Drive();
  bool is_over();
  void Stop();
  bool Try(const Choice& choice);
  std::vector<Choice> Choices(int64_t& seen);
  std::optional<Then> NextDue(bool ends_deadlines);
  // Whether what happens next is that a deadline is over.
  bool IsDeadlineNext() const PLUMB_REQUIRES(mutex_);
  void Idle(int64_t seen);
  void StirAll() PLUMB_REQUIRES(mutex_);
  void DeclareStuck() PLUMB_REQUIRES(mutex_);
  double Elapsed() const;

  const int size_;
  const SimulatedOptions options_;
  const SharedAreas areas_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  mutable Mutex mutex_;
  CondVar changed_;
  VirtualNetwork network_ PLUMB_GUARDED_BY(mutex_);
  std::mt19937_64 random_ PLUMB_GUARDED_BY(mutex_);
  std::deque<Then> due_ PLUMB_GUARDED_BY(mutex_);                   // happens now, in this order
  std::multimap<double, Then> deadlines_ PLUMB_GUARDED_BY(mutex_);  // by the time at which they are over
  std::vector<End> ends_ PLUMB_GUARDED_BY(mutex_);
  std::map<int64_t, Letter> letters_ PLUMB_GUARDED_BY(mutex_);  // under way
  int64_t letters_made_ PLUMB_GUARDED_BY(mutex_) = 0;
  std::vector<Loss> planned_ PLUMB_GUARDED_BY(mutex_);
  int64_t arrivals_ PLUMB_GUARDED_BY(mutex_) = 0;
  uint64_t fingerprint_ PLUMB_GUARDED_BY(mutex_) = 0;
  int64_t news_ PLUMB_GUARDED_BY(mutex_) = 0;  // counts what a driver that found nothing should look at
  std::set<int> stirred_ PLUMB_GUARDED_BY(mutex_);
  std::vector<Waiter*> waiters_ PLUMB_GUARDED_BY(mutex_);
  size_t programs_ PLUMB_GUARDED_BY(mutex_) = 0;            // of RunTogether, which is under way
  const Program* turn_ PLUMB_GUARDED_BY(mutex_) = nullptr;  // the program that is at work, if one is
  int64_t driven_ PLUMB_GUARDED_BY(mutex_) = 0;             // how often a driver chose
  bool has_driver_ PLUMB_GUARDED_BY(mutex_) = false;
  bool is_over_ PLUMB_GUARDED_BY(mutex_) = false;
  std::optional<std::chrono::steady_clock::time_point> idle_since_ PLUMB_GUARDED_BY(mutex_);
  std::thread thread_;  // where the hands are its own
  static thread_local const Program* this_program_;
};

}  // namespace plumb::dist
