// Functions that take turns on one thread of the system: each has a stack of its own and stops where it says so.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "fastpath/gpu/emulator/context.h"

namespace plumb::fast::emulated_gpu::emulator {

// The fibers of one thread. Their stacks stay for the next ones.
class Fibers {
 public:
  static Fibers& OfThisThread();
  Fibers() = default;
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  // Lets fibers 0 … count - 1 begin anew: each calls `body` with its number when it is resumed first. Fibers that were
  // stopped half-way are forgotten, and so is what lay on their stacks. `body` does not throw, and outlives the turns.
  void Start(int count, const std::function<void(int)>& body);
  // Returns when the fiber has said Yield, or its body has returned.
  void Resume(int number);
  // Said in a fiber: back to who resumed it.
  void Yield();

 private:
  struct Fiber {
    Context context;
    char* stack = nullptr;
    void* sanitizer_stack = nullptr;
    bool is_between = false;  // its last body has returned: it can take another as it is
  };

  static void Main();

  std::vector<std::unique_ptr<Fiber>> fibers_;
  const std::function<void(int)>* body_ = nullptr;
  Fiber* running_ = nullptr;
  Context resumer_;
  int number_ = 0;                       // of the one that runs
  const void* resumer_stack_ = nullptr;  // as the address sanitizer says
  size_t resumer_size_ = 0;
};

}  // namespace plumb::fast::emulated_gpu::emulator
