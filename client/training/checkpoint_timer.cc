#include "client/training/checkpoint_timer.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include "spec/core/status.h"

namespace plumb {
namespace {

double SteadyTime() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Of "s", "m", "h"; 0 for what is no unit.
double SecondsOf(std::string_view unit) {
  constexpr double kMinute = 60, kHour = 3600;
  if (unit == "s") return 1;
  if (unit == "m") return kMinute;
  return unit == "h" ? kHour : 0;
}

}  // namespace

SaveInterval SaveInterval::Parse(std::string_view text) {
  const char* const end = text.data() + text.size();
  SaveInterval interval;
  const auto [after_steps, no_steps] = std::from_chars(text.data(), end, interval.steps);
  if (no_steps == std::errc() && after_steps == end && interval.steps > 0) return interval;
  double number = 0;
  const auto [unit, no_number] = std::from_chars(text.data(), end, number);
  const double seconds = no_number == std::errc() ? number * SecondsOf({unit, static_cast<size_t>(end - unit)}) : 0;
  Require(std::isfinite(seconds) && seconds > 0, "'", text,
          "' does not say how often to save: write steps, as in 100, ",
          "or time, as in 30s, 5m or 1.5h, above nothing");
  return {.steps = 0, .seconds = seconds};
}

CheckpointTimer::CheckpointTimer(SaveInterval interval, std::function<double()> now)
    : interval_(interval), now_(now ? std::move(now) : SteadyTime), last_(now_()) {
  Require((interval.steps > 0) != (interval.seconds > 0), "a program saves by steps or by seconds, and ",
          interval.steps, " steps and ", interval.seconds, " seconds are given: name one of both");
}

bool CheckpointTimer::IsDue(int64_t before, int64_t step) const {
  if (interval_.IsOfTime()) return step > before && now_() - last_ >= interval_.seconds;
  return step / interval_.steps > before / interval_.steps;
}

}  // namespace plumb
