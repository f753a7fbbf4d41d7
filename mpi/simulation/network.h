// Tasks that compute and send, in virtual time. All that happens is a callback at a time; of equal times the one that
// was asked for first comes first. Equal seeds give equal runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace plumb::dist {

struct NetworkOptions {
  double bytes_per_second = 1.25e9;  // of each task's link, in each direction
  double latency = 50e-6;            // seconds between two links, at least
  double jitter = 0.5;               // what is drawn on top, in mean latencies
  double loss = 0;  // the share of messages that have to be sent again, each time after `resend` seconds
  double resend = 0.2;
  int cores = 2;  // of each task
  uint64_t seed = 1;
};

class VirtualNetwork {
 public:
  using Then = std::function<void()>;

  VirtualNetwork(int tasks, const NetworkOptions& options);

  double now() const { return now_; }
  void After(double seconds, Then then);
  // On a core of the task, as soon as one is free; those that ask first come first.
  void Compute(int task, double seconds, Then then);
  // From link to link. Messages between two tasks leave and arrive one after the other; a task that sends to several
  // shares its link among them, piece by piece. What goes to a task that has crashed does not arrive. How often it is
  // lost before it does.
  int Send(int from, int to, double bytes, Then arrived);
  // Nothing that the task does, or is sent, happens any more.
  void Crash(int task) { tasks_[task].is_there = false; }

  // Until nothing is left to happen, or somebody calls Stop.
  void Run();
  void Stop() { is_stopped_ = true; }

  // For those who have a clock of their own: when something happens next, infinity where nothing does; lets it happen;
  // and what time it is, so that nothing is sent earlier.
  double next() const { return events_.empty() ? std::numeric_limits<double>::infinity() : events_.front().time; }
  void Step();
  void ReachTime(double time) { now_ = std::max(now_, time); }

  // Draws: evenly from [0, 1), and with mean 1 and a tail.
  double Uniform();
  double Exponential();

 private:
  struct Message {
    double bytes, piece;  // what is left of it, and what leaves at once
    double under_way;     // seconds that its beginning takes
    Then arrived;
  };
  // Messages from one task to another.
  struct Channel {
    int to = 0;
    std::deque<Message> messages = {};
    double last = 0;  // when the last piece reaches the receiver's link
  };
  struct Task {
    bool is_there = true;
    bool is_sending = false;
    double arrives = 0;         // when the link is free again
    std::vector<double> cores;  // when each is free again
    std::map<int, Channel> channels;
    std::deque<Channel*> waiting;  // in turn
  };
  struct Event {
    double time;
    int64_t number;
    Then then;
    bool operator<(const Event& other) const { return time != other.time ? time > other.time : number > other.number; }
  };
  void At(double time, Then then);
  // The next piece leaves.
  void Leave(int from);
  // What `task` does, unless it is gone by then.
  void At(double time, int task, Then then);

  const NetworkOptions options_;
  double now_ = 0;
  int64_t asked_ = 0;
  bool is_stopped_ = false;
  std::vector<Task> tasks_;
  std::vector<Event> events_;  // a heap, the earliest first
  std::mt19937_64 random_;
};

}  // namespace plumb::dist
