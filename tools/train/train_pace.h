// How fast each rank of a training run is, and how much of its time it spends waiting for others: by the traces of some
// of its steps.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "spec/session/session.h"

namespace plumb::tools {

// What one rank's steps took, those that were looked at.
struct Pace {
  double steps = 0, seconds = 0;
  double waiting = 0;                         // of the seconds
  std::map<std::string, double> waited = {};  // by the op that it waited for

  void Add(const Pace& other);
  void Halve();  // what is long ago counts less
  double share() const { return seconds > 0 ? waiting / seconds : 0; }
  // What it does for a step while it does not wait.
  double busy_seconds() const { return steps > 0 ? (seconds - waiting) / steps : 0; }
  // The op that most of the waiting was for; "" where there was none.
  std::string waited_for() const;

  std::string ToText() const;
  // Throws kInvalidArgument for a text that ToText did not write.
  static Pace FromText(std::string_view text);
};

// How one task spent a step that took from `begin_ns` to `end_ns` and was traced meanwhile (mpi/worker/tracing.h says
// how traces show that a node waits). Of the task whose client runs the step, `is_client`, time counts as waiting where
// something waits and nothing computes; of others all time in which nothing computes.
Pace PaceOf(const RunMetadata& metadata, std::string_view task, bool is_client, int64_t begin_ns, int64_t end_ns);

// The slowest rank: whose work for a step takes longest. -1 where there are less than two.
int SlowestOf(const std::map<int, Pace>& paces);
// "waiting: rank 1 62 %, rank 2 4 % (slowest)"; of many ranks the slowest and what the others range over. "" for none.
std::string PaceLine(const std::map<int, Pace>& paces);
// The same for all ranks, with what they wait for.
std::string PaceSummary(const std::map<int, Pace>& paces);

// Which steps are traced: enough to know, and few enough to cost nothing.
class PaceSampling {
 public:
  // Whether the step that begins now is to be traced. The first one, which makes plans, is not.
  bool IsDue();

 private:
  using Clock = std::chrono::steady_clock;
  int64_t steps_ = 0;
  Clock::time_point last_ = {};
};

}  // namespace plumb::tools
