// Seeded: a random walk, the same for the same seed.
#pragma once

#include <random>

#include "reference/world/drivers/driver.h"

namespace plumb::reference {

class SeededDriver : public Driver {
 public:
  explicit SeededDriver(uint64_t seed) : random_(seed) {}
  size_t Choose(Choice kind, size_t n, std::string_view site) override;

 private:
  std::mt19937_64 random_;
};

}  // namespace plumb::reference
