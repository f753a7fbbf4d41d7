#include "tools/train/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace plumb::tools {

namespace {

// Three digits at least: slow trainings take less than a step per second.
std::string Rate(double per_second) {
  char text[32];
  std::snprintf(text, sizeof(text), per_second < 100 ? "%.3g" : "%.0f", per_second);
  return text;
}

}  // namespace

std::string ProgressLine(const TrainingState& state) {
  constexpr int kWidth = 30;
  const double share = state.steps > 0 ? static_cast<double>(state.step) / static_cast<double>(state.steps) : 1;
  const int filled = std::clamp(static_cast<int>(share * kWidth), 0, kWidth);
  const double rate = static_cast<double>(state.step - state.first) / std::max(state.seconds, 1e-9);
  const double left = rate > 0 ? static_cast<double>(state.steps - state.step) / rate : 0;
  char text[200];
  std::snprintf(text, sizeof(text), "[%s%s] step %lld/%lld  loss %.4f  %s steps/s  %s examples/s  ETA %.0f s",
                std::string(filled, '=').c_str(), std::string(kWidth - filled, ' ').c_str(),
                static_cast<long long>(state.step), static_cast<long long>(state.steps), state.loss, Rate(rate).c_str(),
                Rate(rate * static_cast<double>(state.examples_per_step)).c_str(), left);
  return text;
}

void MedianStep::Add(int64_t steps, double seconds) {
  if (steps <= 0) return;
  if (took_.size() < kKept) took_.emplace_back();
  took_[next_++ % kKept] = {seconds / static_cast<double>(steps), steps};
}

std::string MedianStep::Text() const {
  std::vector<std::pair<double, int64_t>> sorted = took_;
  std::sort(sorted.begin(), sorted.end());
  int64_t all = 0, passed = 0;
  for (const auto& [seconds, steps] : sorted) all += steps;
  for (const auto& [seconds, steps] : sorted) {
    passed += steps;
    if (2 * passed < all) continue;
    char text[64];
    std::snprintf(text, sizeof(text), "Median step: %.4g ms", 1e3 * seconds);
    return text;
  }
  return "";
}

Progress::Progress(std::FILE* out, int64_t steps, int64_t examples_per_step, int64_t first)
    : out_(out),
      terminal_(isatty(fileno(out)) != 0),
      state_{.steps = steps, .first = first, .step = first, .examples_per_step = examples_per_step},
      start_(Clock::now()),
      printed_(start_),
      updated_(start_) {}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Progress::Update(int64_t step, double loss) {
  const auto now = Clock::now();
  median_.Add(step - state_.step, std::chrono::duration<double>(now - std::exchange(updated_, now)).count());
  state_.step = step;
  state_.loss = loss;
  if (IsDue()) Print();
}

bool Progress::IsDue() const {
  const std::chrono::milliseconds pause(terminal_ ? 200 : 5000);
  return Clock::now() - printed_ >= pause;
}

void Progress::Finish() {
  Print();
  if (terminal_) std::fputc('\n', out_);
  if (const std::string median = median_.Text(); !median.empty()) std::fprintf(out_, "%s\n", median.c_str());
  std::fflush(out_);
}

void Progress::Print() {
  printed_ = Clock::now();
  state_.seconds = seconds();
  const std::string line = ProgressLine(state_) + (note_.empty() ? "" : "  " + note_);
  std::fprintf(out_, terminal_ ? "\r%s  " : "%s\n", line.c_str());
  std::fflush(out_);
}

}  // namespace plumb::tools
