#include "fastpath/gpu/emulator/context.h"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
// Keeps the six registers that a called function has to keep (System V ABI); how floating-point numbers are computed is
// the same for all of a thread. *from (rdi) is where the stack ends then, to (rsi) where another one did.
extern "C" void plumb_emulator_switch(void** from, void* to);
asm(R"(
.text
.hidden plumb_emulator_switch
.globl plumb_emulator_switch
.type plumb_emulator_switch, @function
plumb_emulator_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size plumb_emulator_switch, . - plumb_emulator_switch
)");

namespace plumb::fast::emulated_gpu::emulator {
namespace {

// What a switch finds on a stack, from its end on.
struct Frame {
  uint64_t registers[6];
  void (*returns_to)();
  uint64_t caller;  // none; keeps the stack aligned as after a call
};
static_assert(sizeof(Frame) == 64);

}  // namespace

void Context::Make(char* stack, size_t size, void (*main)()) {
  Frame frame = {};
  frame.returns_to = main;
  char* const end = stack + size - sizeof frame;  // `size` is a multiple of 16
  std::memcpy(end, &frame, sizeof frame);
  stack_pointer_ = end;
}

void Context::Switch(Context& from, Context& to) { plumb_emulator_switch(&from.stack_pointer_, to.stack_pointer_); }

}  // namespace plumb::fast::emulated_gpu::emulator

#else

namespace plumb::fast::emulated_gpu::emulator {

void Context::Make(char* stack, size_t size, void (*main)()) {
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack;
  context_.uc_stack.ss_size = size;
  context_.uc_link = nullptr;
  makecontext(&context_, main, 0);
}

void Context::Switch(Context& from, Context& to) { swapcontext(&from.context_, &to.context_); }

}  // namespace plumb::fast::emulated_gpu::emulator
#endif
