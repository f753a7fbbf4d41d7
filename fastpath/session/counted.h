// How many steps of a session are under way.
#pragma once

#include <atomic>
#include <cstdint>

namespace plumb::fast {

// Counts a step for as long as it lives.
class Counted {
 public:
  explicit Counted(std::atomic<int64_t>& steps) : steps_(steps) { steps_.fetch_add(1, std::memory_order_relaxed); }
  ~Counted() { steps_.fetch_sub(1, std::memory_order_relaxed); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<int64_t>& steps_;
};

}  // namespace plumb::fast
