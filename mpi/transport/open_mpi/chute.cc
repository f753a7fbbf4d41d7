#include "mpi/transport/open_mpi/chute.h"

#include <cstring>

#include "spec/core/status.h"

namespace plumb::dist {

Chute::Length Chute::LengthAt(uint64_t count) {
  Length length = 0;
  std::memcpy(&length, At(count), sizeof length);
  return length;
}

void Chute::SetLengthAt(uint64_t count, Length length) { std::memcpy(At(count), &length, sizeof length); }

bool Chute::Put(std::string_view bytes) {
  const uint64_t put = put_.load(std::memory_order_relaxed);
  const size_t record = sizeof(Length) + Padded(bytes.size());
  const size_t to_end = kBytes - put % kBytes;
  const size_t skipped = record > to_end ? to_end : 0;
  if (put + skipped + record - taken_.load(std::memory_order_acquire) > kBytes) return false;
  if (skipped > 0) SetLengthAt(put, kSkip);
  SetLengthAt(put + skipped, bytes.size());
  bytes.copy(At(put + skipped + sizeof(Length)), bytes.size());
  put_.store(put + skipped + record, std::memory_order_release);
  return true;
}

std::optional<std::string_view> Chute::First() {
  uint64_t taken = taken_.load(std::memory_order_relaxed);
  const uint64_t put = put_.load(std::memory_order_acquire);
  if (taken == put) return std::nullopt;
  if (LengthAt(taken) == kSkip) {
    taken += kBytes - taken % kBytes;
    taken_.store(taken, std::memory_order_release);
  }
  const Length length = LengthAt(taken);
  const uint64_t there = put - taken;
  if (there > kBytes || length > kBytes / 2 || sizeof(Length) + Padded(length) > there) {
    throw Internal("a rank of this host left ", length, " bytes in shared memory where there are ", there);
  }
  return std::string_view(At(taken + sizeof(Length)), length);
}

void Chute::DropFirst() {
  const uint64_t taken = taken_.load(std::memory_order_relaxed);
  taken_.store(taken + sizeof(Length) + Padded(LengthAt(taken)), std::memory_order_release);
}

}  // namespace plumb::dist
