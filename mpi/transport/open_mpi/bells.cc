#include "mpi/transport/open_mpi/bells.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "spec/core/status.h"

namespace plumb::dist {

int64_t SteadyMilliseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

HostMemory::HostMemory(const std::string& name, int count) : count_(static_cast<size_t>(count)) {
  constexpr size_t kPage = 4096;
  const size_t ranks = count_;
  const auto to_page = [](size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; };
  chutes_at_ = to_page(sizeof(Bell) * ranks);
  areas_at_ = to_page(chutes_at_ + (count <= kMostWithChutes ? sizeof(Chute) * ranks * ranks : 0));
  const size_t bytes = areas_at_ + kAreaBytes * ranks;
  file_ = shm_open(name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  void* memory = MAP_FAILED;
  if (file_ >= 0 && ftruncate(file_, static_cast<off_t>(bytes)) == 0) {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  }
  if (memory == MAP_FAILED) {
    throw FailedPrecondition("the ranks of this host cannot share memory in /dev/shm: ", strerror(errno));
  }
  bells_ = static_cast<Bell*>(memory);
  chutes_ = reinterpret_cast<Chute*>(static_cast<std::byte*>(memory) + chutes_at_);
  areas_ = static_cast<std::byte*>(memory) + areas_at_;
}

void HostMemory::Unlink(const std::string& name) { shm_unlink(name.c_str()); }

bool HostMemory::Reserve(int index, size_t bytes) const {
  const size_t at = areas_at_ + kAreaBytes * static_cast<size_t>(index);
  return posix_fallocate(file_, static_cast<off_t>(at), static_cast<off_t>(bytes)) == 0;
}

bool HostMemory::ReserveChutes(int to) const {
  if (count_ > size_t{kMostWithChutes}) return false;
  const size_t bytes = sizeof(Chute) * count_, at = chutes_at_ + bytes * static_cast<size_t>(to);
  return posix_fallocate(file_, static_cast<off_t>(at), static_cast<off_t>(bytes)) == 0;
}

void Ring(Bell& bell) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (bell.is_asleep.load(std::memory_order_relaxed) == 0 || bell.is_asleep.exchange(0) == 0) return;
  WakeBeside(bell);
}

void WakeBeside(Bell& bell) {
  syscall(SYS_futex, &bell.is_asleep, FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr, nullptr, 0);
}

void SleepOn(Bell& bell, uint32_t seen, std::chrono::microseconds longest) {
  const timespec time{longest.count() / 1'000'000, longest.count() % 1'000'000 * 1000};
  syscall(SYS_futex, &bell.is_asleep, FUTEX_WAIT, seen, &time, nullptr, 0);
}

}  // namespace plumb::dist
