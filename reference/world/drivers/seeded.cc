#include "reference/world/drivers/seeded.h"

namespace plumb::reference {

// Every `kStretch`th event or so the habit changes; one event in `kSlip` is any.
constexpr uint64_t kStretch = 64, kSlip = 16, kHabits = 3;

SeededDriver::SeededDriver(uint64_t seed) : random_(seed), habit_(static_cast<Habit>(random_() % kHabits)) {}

// n is so far below 2⁶⁴ that the remainder is as good as uniform; and it is the same with every standard library.
size_t SeededDriver::Choose(Choice, size_t n, std::string_view) {
  if (random_() % kStretch == 0) habit_ = static_cast<Habit>(random_() % kHabits);
  const auto any = static_cast<size_t>(random_() % n);
  if (habit_ == Habit::kAny || random_() % kSlip == 0) return any;
  return habit_ == Habit::kNewest ? n - 1 : 0;
}

}  // namespace plumb::reference
