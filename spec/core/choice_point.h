// Where a size selects how something is computed: which sides of each limit this process has taken. The conformance
// suites draw sizes on both sides, and say which they did not reach.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace plumb {

// Two ways to compute the same, one for small sizes and one for large ones. It stands where the choice is made,
//   constinit ChoicePoint in_pieces("matrix product in pieces");
//   if (in_pieces.Chosen(work >= kLimit)) …
// costs one relaxed load, and is known from the first time that it is asked. Points of one name are one.
class ChoicePoint {
 public:
  explicit constexpr ChoicePoint(const char* name) : name_(name) {}
  ChoicePoint(const ChoicePoint&) = delete;
  ChoicePoint& operator=(const ChoicePoint&) = delete;

  // Returns `large`.
  bool Chosen(bool large) {
    const uint8_t side = large ? kLarge : kSmall;
    if ((seen_.load(std::memory_order_relaxed) & side) == 0) [[unlikely]]
      Note(side);
    return large;
  }

 private:
  friend struct Choices;
  static constexpr uint8_t kSmall = 1, kLarge = 2, kListed = 4;
  void Note(uint8_t side);

  const char* const name_;
  std::atomic<uint8_t> seen_{0};
  ChoicePoint* next_ = nullptr;  // of those that have been asked
};

struct Choices {
  struct Choice {
    std::string name;
    bool small = false, large = false;
  };
  // All points that have been asked, by name.
  static std::vector<Choice> Taken();
  // As if none had been.
  static void Forget();
};

// The point of a loop that runs in one chunk or in several, named after the type of its body.
template <class Body>
constexpr const char* LoopName() {
  return __PRETTY_FUNCTION__;
}
template <class Body>
inline constinit ChoicePoint loop_in_chunks(LoopName<Body>());

}  // namespace plumb
