#include "fastpath/gpu/emulator/fibers.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "spec/core/status.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace plumb::fast::emulated_gpu::emulator {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kStack = size_t{256} << 10;  // instrumented frames are larger
void BeginSwitch(void** mine, const void* stack, size_t size) { __sanitizer_start_switch_fiber(mine, stack, size); }
void EndSwitch(void* mine, const void** from, size_t* size) { __sanitizer_finish_switch_fiber(mine, from, size); }
// No code lies on the stack any more.
void Forget(const char* stack) { __asan_unpoison_memory_region(stack, kStack); }
#else
constexpr size_t kStack = size_t{80} << 10;
void BeginSwitch(void**, const void*, size_t) {}
void EndSwitch(void*, const void**, size_t*) {}
void Forget(const char*) {}
#endif

// Stacks begin at so many places within a span of 16 KiB, so that those of a block's threads lie in different sets of
// the caches.
constexpr size_t kPlaces = 64, kBetweenPlaces = 256;

// Lies at a stack's far end, where only a stack that is too small is written.
constexpr char kEnd[] = "the end of a fiber's stack.....";

}  // namespace

Fibers& Fibers::OfThisThread() {
  static thread_local Fibers fibers;
  return fibers;
}

Fibers::~Fibers() {
  for (const auto& fiber : fibers_) {
    Forget(fiber->stack);
    munmap(fiber->stack, kStack);
  }
}

void Fibers::Start(int count, const std::function<void(int)>& body) {
  body_ = &body;
  while (static_cast<int>(fibers_.size()) < count) {
    auto fiber = std::make_unique<Fiber>();
    void* const stack =
        mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED) throw ResourceExhausted("no memory for the stack of an emulated GPU thread");
    fiber->stack = static_cast<char*>(stack);
    std::memcpy(fiber->stack, kEnd, sizeof kEnd);
    fibers_.push_back(std::move(fiber));
  }
  for (int i = 0; i < count; ++i) {
    Fiber& fiber = *fibers_[i];
    if (fiber.is_between) continue;
    Forget(fiber.stack);
    const size_t place = static_cast<size_t>(i) % kPlaces;
    fiber.context.Make(fiber.stack, kStack - place * kBetweenPlaces, &Fibers::Main);
  }
}

void Fibers::Main() {
  Fibers& fibers = OfThisThread();
  EndSwitch(nullptr, &fibers.resumer_stack_, &fibers.resumer_size_);
  for (;;) {
    (*fibers.body_)(fibers.number_);
    fibers.running_->is_between = true;
    fibers.Yield();
  }
}

void Fibers::Resume(int number) {
  Fiber& fiber = *fibers_[number];
  fiber.is_between = false;
  running_ = &fiber;
  number_ = number;
  void* mine = nullptr;
  BeginSwitch(&mine, fiber.stack, kStack);
  Context::Switch(resumer_, fiber.context);
  EndSwitch(mine, nullptr, nullptr);
  running_ = nullptr;
  if (fiber.is_between && std::memcmp(fiber.stack, kEnd, sizeof kEnd) != 0) {
    std::fprintf(stderr, "a thread of an emulated GPU kernel needs more than %zu bytes of stack\n", kStack);
    std::abort();
  }
}

void Fibers::Yield() {
  Fiber& fiber = *running_;
  BeginSwitch(&fiber.sanitizer_stack, resumer_stack_, resumer_size_);
  Context::Switch(fiber.context, resumer_);
  EndSwitch(fiber.sanitizer_stack, &resumer_stack_, &resumer_size_);
}

}  // namespace plumb::fast::emulated_gpu::emulator
