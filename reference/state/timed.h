// What waits for no longer than some time (rule E8).
#pragma once

#include <cstdint>

namespace plumb::reference {

// A Waitable some of whose attempts have a limit. How long it is does not count here: time passes when nothing else can
// happen.
class Timed {
 public:
  virtual ~Timed() = default;
  // Whether time alone ends the wait of this attempt, which has no answer yet.
  virtual bool HasLimit(int64_t ticket) const = 0;
  // Its time is up: it has an answer now.
  virtual void Expire(int64_t ticket) = 0;
};

}  // namespace plumb::reference
