// Progress of a training run on one line: step, loss, steps and examples per second, time left.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace plumb::tools {

// How far a training is. Steps are those of all replicas together.
struct TrainingState {
  int64_t steps = 0;  // wanted
  int64_t first = 0;  // that had been taken when this run began, as its checkpoint says
  int64_t step = 0;   // taken by now
  int64_t examples_per_step = 1;
  double loss = 0;
  double seconds = 0;  // since this run began
};
// The line. What is said per second, and the time left, come of the steps of this run alone.
std::string ProgressLine(const TrainingState& state);

class Progress {
 public:
  // Of a run that begins now, at step `first`. On a terminal the line is redrawn a few times a second; elsewhere a line
  // is printed every few seconds.
  Progress(std::FILE* out, int64_t steps, int64_t examples_per_step, int64_t first = 0);

  void Update(int64_t step, double loss);
  // Whether the next Update prints a line.
  bool IsDue() const;
  // Stands behind the rest from now on.
  void set_note(std::string note) { note_ = std::move(note); }
  // The last state, and a line end.
  void Finish();

  double seconds() const;

 private:
  void Print();

  using Clock = std::chrono::steady_clock;
  std::FILE* out_;
  bool terminal_;
  TrainingState state_;
  std::string note_;
  Clock::time_point start_, printed_;
};

}  // namespace plumb::tools
