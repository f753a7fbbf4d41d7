// Progress of a training run on one line: step, loss, steps and examples per second, time left.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

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
// What one step takes, of the middle of those of a run.
class MedianStep {
 public:
  // So many steps have come in this time, each in an equal share of it.
  void Add(int64_t steps, double seconds);
  // "Median step: 8.13 ms"; "" where there was none.
  std::string Text() const;

 private:
  static constexpr size_t kKept = 100'000;        // the last ones count
  std::vector<std::pair<double, int64_t>> took_;  // seconds of one step, and of how many
  size_t next_ = 0;                               // to be replaced, where so many are kept
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
  // The last state, and a line end; then the median step.
  void Finish();

  double seconds() const;

 private:
  void Print();

  using Clock = std::chrono::steady_clock;
  std::FILE* out_;
  bool terminal_;
  TrainingState state_;
  std::string note_;
  MedianStep median_;
  Clock::time_point start_, printed_, updated_;
};

}  // namespace plumb::tools
