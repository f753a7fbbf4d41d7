// Where code on a stack of its own goes on. On x86-64 a switch is a dozen instructions; elsewhere it is the system's,
// which asks the kernel for the signal mask each time.
#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace plumb::fast::emulated_gpu::emulator {

class Context {
 public:
  // Begins with `main`, which does not return, when it is switched to first.
  void Make(char* stack, size_t size, void (*main)());
  // Goes on in `to`; returns when somebody switches to `from`.
  static void Switch(Context& from, Context& to);

 private:
#if defined(__x86_64__)
  void* stack_pointer_ = nullptr;
#else
  ucontext_t context_ = {};
#endif
};

}  // namespace plumb::fast::emulated_gpu::emulator
