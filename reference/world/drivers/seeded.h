// Seeded: a random walk, the same for the same seed.
//
// It has habits and changes them now and then: it takes any event, mostly the newest one, or mostly the oldest. Where
// all events were alike, one that may happen at once would never be left for last, behind a long chain of others.
#pragma once

#include <random>

#include "reference/world/drivers/driver.h"

namespace plumb::reference {

class SeededDriver : public Driver {
 public:
  explicit SeededDriver(uint64_t seed);
  size_t Choose(Choice kind, size_t n, std::string_view site) override;

 private:
  enum class Habit { kAny, kNewest, kOldest };

  std::mt19937_64 random_;
  Habit habit_;
};

}  // namespace plumb::reference
