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

void Fibers::Start(int count, const std::function<int(int)>& body) {
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
    fiber.sanitizer_stack = nullptr;
    const size_t place = static_cast<size_t>(i) % kPlaces;
    fiber.context.Make(fiber.stack, kStack - place * kBetweenPlaces, &Fibers::Main);
  }
}

void Fibers::Main() {
  Fibers& fibers = OfThisThread();
  Fiber& fiber = *fibers.fibers_[fibers.running_];
  fibers.Arrive(fiber);
  for (;;) {
    const int next = (*fibers.body_)(fibers.running_);
    if (std::memcmp(fiber.stack, kEnd, sizeof kEnd) != 0) {
      std::fprintf(stderr, "a thread of an emulated GPU kernel needs more than %zu bytes of stack\n", kStack);
      std::abort();
    }
    fiber.is_between = true;
    fibers.Go(fiber, next);
  }
}

void Fibers::Resume(int number) {
  running_ = number;
  is_resumed_ = true;
  void* mine = nullptr;
  BeginSwitch(&mine, fibers_[number]->stack, kStack);
  Context::Switch(resumer_, fibers_[number]->context);
  EndSwitch(mine, nullptr, nullptr);
}

void Fibers::Yield(int next) { Go(*fibers_[running_], next); }

void Fibers::Go(Fiber& from, int next) {
  running_ = next;
  if (next == kNobody) {
    BeginSwitch(&from.sanitizer_stack, resumer_stack_, resumer_size_);
    Context::Switch(from.context, resumer_);
  } else {
    BeginSwitch(&from.sanitizer_stack, fibers_[next]->stack, kStack);
    Context::Switch(from.context, fibers_[next]->context);
  }
  Arrive(from);
}

void Fibers::Arrive(Fiber& fiber) {
  const void* stack = nullptr;
  size_t size = 0;
  EndSwitch(fiber.sanitizer_stack, &stack, &size);
  if (is_resumed_) {
    resumer_stack_ = stack;
    resumer_size_ = size;
  }
  is_resumed_ = false;
  fiber.is_between = false;
}

}  // namespace plumb::fast::emulated_gpu::emulator
