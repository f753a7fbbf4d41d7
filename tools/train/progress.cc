#include "tools/train/progress.h"

#include <unistd.h>

#include <algorithm>

namespace plumb::tools {

Progress::Progress(std::FILE* out, int64_t steps, int64_t examples_per_step)
    : out_(out),
      terminal_(isatty(fileno(out)) != 0),
      steps_(steps),
      examples_per_step_(examples_per_step),
      start_(Clock::now()),
      printed_(start_) {}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Progress::Update(int64_t step, double loss) {
  step_ = step;
  loss_ = loss;
  if (IsDue()) Print();
}

bool Progress::IsDue() const {
  const std::chrono::milliseconds pause(terminal_ ? 200 : 5000);
  return Clock::now() - printed_ >= pause;
}

void Progress::Finish() {
  Print();
  if (terminal_) std::fputc('\n', out_);
  std::fflush(out_);
}

std::string Progress::Line() const {
  constexpr int kWidth = 30;
  const double share = steps_ > 0 ? static_cast<double>(step_) / static_cast<double>(steps_) : 1;
  const int filled = static_cast<int>(share * kWidth);
  const double elapsed = std::max(seconds(), 1e-9);
  const double rate = static_cast<double>(step_ * examples_per_step_) / elapsed;
  const double left = step_ > 0 ? elapsed / static_cast<double>(step_) * static_cast<double>(steps_ - step_) : 0;
  char text[200];
  snprintf(text, sizeof(text), "[%s%s] step %lld/%lld  loss %.4f  %.0f examples/s  ETA %.0f s",
           std::string(filled, '=').c_str(), std::string(kWidth - filled, ' ').c_str(), static_cast<long long>(step_),
           static_cast<long long>(steps_), loss_, rate, left);
  return note_.empty() ? text : text + ("  " + note_);
}

void Progress::Print() {
  printed_ = Clock::now();
  std::fprintf(out_, terminal_ ? "\r%s  " : "%s\n", Line().c_str());
  std::fflush(out_);
}

}  // namespace plumb::tools
