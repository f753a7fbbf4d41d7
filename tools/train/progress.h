// Progress of a training run on one line: step, loss, examples per second, time left.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace plumb::tools {

class Progress {
 public:
  // On a terminal the line is redrawn a few times a second; elsewhere a line is printed every few seconds.
  Progress(std::FILE* out, int64_t steps, int64_t examples_per_step);

  void Update(int64_t step, double loss);
  // Whether the next Update prints a line.
  bool IsDue() const;
  // Stands behind the rest from now on.
  void set_note(std::string note) { note_ = std::move(note); }
  // The last state, and a line end.
  void Finish();

  double seconds() const;

 private:
  std::string Line() const;
  void Print();

  using Clock = std::chrono::steady_clock;
  std::FILE* out_;
  bool terminal_;
  int64_t steps_, examples_per_step_;
  int64_t step_ = 0;
  double loss_ = 0;
  std::string note_;
  Clock::time_point start_, printed_;
};

}  // namespace plumb::tools
