// Memory for what comes to a device while its kernels run. A block that any kernel has used may still be in use by
// those that are queued, and a copy into it comes behind all of them; so blocks for what arrives are kept apart, each
// with the event of its last use, and a copy waits for that alone.
#pragma once

#include <deque>
#include <map>
#include <memory>

#include "fastpath/accelerator/driver.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

// Thread-safe.
class Arrivals {
 public:
  // What is let go is used by no other stream than `kernels` then.
  Arrivals(Driver& driver, int device, Driver::Stream& kernels) : driver_(driver), device_(device), kernels_(kernels) {}
  ~Arrivals() { Drop(); }
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  struct Block {
    DevicePointer memory = nullptr;
    std::shared_ptr<Driver::Event> last_use;
  };
  // Throws kResourceExhausted.
  Block Take(size_t bytes);
  void GiveBack(DevicePointer memory, size_t bytes);
  // Lets the device have what nobody uses; whether there was any.
  bool Drop();

 private:
  // So many blocks of one size are kept waiting for their last use before one of them is taken all the same.
  static constexpr size_t kMostWaiting = 2;
  static constexpr size_t kMostKept = size_t{256} << 20;  // bytes

  // Without memory where a fresh block is better.
  Block TakeKept(size_t size, bool even_in_use);
  Block Fresh(size_t size);

  Driver& driver_;
  const int device_;
  Driver::Stream& kernels_;
  Mutex mutex_;
  std::map<size_t, std::deque<Block>> kept_
      PLUMB_GUARDED_BY(mutex_);  // by size, the one that was let go first in front
  size_t kept_bytes_ PLUMB_GUARDED_BY(mutex_) = 0;
};

}  // namespace plumb::fast
