// For tests of what happens where memory ends.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace plumb {

// While it lives, this process can get so many more bytes of address space than it has; where that is none, no thread
// starts either. Not kept under sanitizers, whose own memory counts.
class LittleMemory {
 public:
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr bool kIsKept = false;
#else
  static constexpr bool kIsKept = true;
#endif

  explicit LittleMemory(rlim_t more) {
    getrlimit(RLIMIT_AS, &before_);
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlimit little{pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + more, before_.rlim_max};
    if (kIsKept) setrlimit(RLIMIT_AS, &little);
  }
  ~LittleMemory() { setrlimit(RLIMIT_AS, &before_); }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;

 private:
  rlimit before_;
};

}  // namespace plumb
