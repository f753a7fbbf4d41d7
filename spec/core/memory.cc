#include "spec/core/memory.h"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>

#include "spec/core/shape.h"
#include "spec/core/status.h"

namespace plumb {
namespace {

constexpr int64_t kSmall = int64_t{1} << 30;

// What Linux thinks can be allocated without swapping; the largest number where it does not say.
int64_t AvailableMemory() {
  FILE* const file = std::fopen("/proc/meminfo", "r");
  if (file == nullptr) return INT64_MAX;
  int64_t available = INT64_MAX;
  char line[128];
  while (std::fgets(line, sizeof(line), file) != nullptr) {
    int64_t kilobytes = 0;
    if (std::sscanf(line, "MemAvailable: %" SCNd64, &kilobytes) == 1) available = kilobytes * 1024;
  }
  std::fclose(file);
  return available;
}

}  // namespace

void RequireMemory(int64_t count, int64_t size) {
  const auto bytes = CheckedMultiply(count, size);
  if (!bytes) throw ResourceExhausted(count, " elements are more than the address space holds");
  if (*bytes < kSmall) return;
  const int64_t available = AvailableMemory();
  if (*bytes > available) throw ResourceExhausted(*bytes, " bytes are wanted, and only ", available, " are available");
}

int64_t MachineMemory() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? pages * page : 0;
}

}  // namespace plumb
