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

  // Said instead of a fiber's number: who resumed the fibers goes on.
  static constexpr int kNobody = -1;

  // Lets fibers 0 … count - 1 begin anew: each calls `body` with its number when it is gone to first. What `body`
  // returns is the fiber that goes on behind it, or kNobody. Fibers that were stopped half-way are forgotten, and so is
  // what lay on their stacks. `body` does not throw, and outlives the turns.
  void Start(int count, const std::function<int(int)>& body);
  // Goes to a fiber; returns when one of them has gone on to kNobody.
  void Resume(int number);
  // Said in a fiber: goes on to another, or to kNobody. Returns when somebody goes to this one.
  void Yield(int next);

 private:
  struct Fiber {
    Context context;
    char* stack = nullptr;
    void* sanitizer_stack = nullptr;
    bool is_between = false;  // its last body has returned: it can take another as it is
  };

  static void Main();
  // From the fiber that runs to where it says.
  void Go(Fiber& from, int next);
  // What a fiber does first when it has been gone to.
  void Arrive(Fiber& fiber);

  std::vector<std::unique_ptr<Fiber>> fibers_;
  const std::function<int(int)>* body_ = nullptr;
  Context resumer_;
  int running_ = kNobody;
  bool is_resumed_ = false;              // by Resume, not by another fiber
  const void* resumer_stack_ = nullptr;  // as the address sanitizer says
  size_t resumer_size_ = 0;
};

}  // namespace plumb::fast::emulated_gpu::emulator
