#include "mpi/collective/shared_reduce.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstring>
#include <vector>

#include "fastpath/cpu/lib/parallel.h"

namespace plumb::dist {
namespace {

constexpr int64_t kAligned = 64;  // elements that chunks are multiples of
constexpr int64_t kSlots = 4;     // rounds that are under way at once

// Results of more rounds leave the caches before anybody reads them: they are better not brought there.
constexpr int64_t kRoundsInCache = 16;

void CopyThrough(char* to, const char* from, size_t bytes) { std::memcpy(to, from, bytes); }

void CopyPastCaches(char* to, const char* from, size_t bytes) {
#ifdef __SSE2__
  constexpr size_t kLine = 64;
  const size_t before = std::min(bytes, (kLine - reinterpret_cast<uintptr_t>(to) % kLine) % kLine);
  std::memcpy(to, from, before);
  size_t at = before;
  for (; at + kLine <= bytes; at += kLine) {
    for (size_t i = at; i < at + kLine; i += sizeof(__m128i)) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
    }
  }
  std::memcpy(to + at, from + at, bytes - at);
  _mm_sfence();
#else
  std::memcpy(to, from, bytes);
#endif
}

int64_t ChunkFor(int64_t size, int64_t members) {
  const auto room = static_cast<int64_t>(MeetingRoom::kFloorBytes);
  return room / (kSlots * members * members * size) / kAligned * kAligned;
}

}  // namespace

bool MeetingRoom::Take(int members) {
  if (finished_.load(std::memory_order_acquire) != members_.load(std::memory_order_relaxed)) return false;
  finished_.store(0, std::memory_order_relaxed);
  members_.store(members, std::memory_order_relaxed);
  for (int member = 0; member < members; ++member) {
    progress_[member].staged.store(0, std::memory_order_relaxed);
    progress_[member].merged.store(0, std::memory_order_relaxed);
  }
  return true;  // whoever is told of it by a message sees all that
}

SharedReduce::SharedReduce(const CollectiveMember& member, const void* input, void* result, MeetingRoom& room,
                           int position, int members)
    : member_(member),
      input_(static_cast<const char*>(input)),
      result_(static_cast<char*>(result)),
      room_(room),
      position_(position),
      members_(members),
      size_(static_cast<int64_t>(ElementSize(member.dtype))),
      chunk_(ChunkFor(size_, members)),
      rounds_((member.shape.elements() + chunk_ * members - 1) / (chunk_ * members)) {}

bool SharedReduce::Advance(fast::ThreadPool& pool) {
  bool any = false;
  if (!has_begun_) {
    Begin();
    any = true;
  }
  if (merged_ < rounds_ && HaveAll(&MeetingRoom::Progress::staged, merged_)) {
    Merge(pool);
    any = true;
  }
  if (picked_up_ < merged_ && HaveAll(&MeetingRoom::Progress::merged, picked_up_)) {
    PickUp();
    any = true;
  }
  return any;
}

SharedReduce::Chunk SharedReduce::ChunkOf(int64_t round, int member) const {
  const int64_t begin = round * chunk_ * members_;
  const int64_t window = std::min(chunk_ * members_, member_.shape.elements() - begin);
  const int64_t each = std::min(chunk_, ((window + members_ - 1) / members_ + kAligned - 1) / kAligned * kAligned);
  const int64_t first = std::min(window, member * each), end = std::min(window, (member + 1) * each);
  return {begin + first, end - first};
}

char* SharedReduce::Staged(int64_t round, int from, int to) const {
  return room_.floor() + (((round % kSlots) * members_ + from) * members_ + to) * chunk_ * size_;
}

bool SharedReduce::HaveAll(std::atomic<int64_t> MeetingRoom::Progress::*what, int64_t round) const {
  for (int member = 0; member < members_; ++member) {
    if ((room_.progress(member).*what).load(std::memory_order_acquire) <= round) return false;
  }
  return true;
}

void SharedReduce::Begin() {
  has_begun_ = true;
  for (int64_t round = 0; round < std::min(kSlots, rounds_); ++round) Stage(round);
}

// Its slot is free: all have merged what this member laid there, kSlots rounds ago.
void SharedReduce::Stage(int64_t round) {
  for (int to = 0; to < members_; ++to) {
    const Chunk chunk = ChunkOf(round, to);
    if (to == position_ || chunk.elements == 0) continue;
    std::memcpy(Staged(round, position_, to), input_ + chunk.at * size_, static_cast<size_t>(chunk.elements * size_));
  }
  room_.progress(position_).staged.store(round + 1, std::memory_order_release);
}

// Its slot is free: everybody has picked up what lay there before it laid down this round's part.
void SharedReduce::Merge(fast::ThreadPool& pool) {
  const Chunk chunk = ChunkOf(merged_, position_);
  std::vector<const void*> parts(static_cast<size_t>(members_));
  char* const merged = Merged(merged_, position_);
  const int64_t piece = fast::cpu::GrainFor(members_);  // which is not shared among threads: other ranks have the cores
  for (int64_t at = 0; at < chunk.elements; at += piece) {
    for (int from = 0; from < members_; ++from) {
      parts[from] =
          from == position_ ? input_ + (chunk.at + at) * size_ : Staged(merged_, from, position_) + at * size_;
    }
    const int64_t count = std::min(piece, chunk.elements - at);
    fast::cpu::MergeInOrder(pool, member_, parts, merged + at * size_, count);
    PutInResult(chunk.at + at, merged + at * size_, count);  // while it is near
  }
  room_.progress(position_).merged.store(++merged_, std::memory_order_release);
}

// What the others have merged: its own part is there.
void SharedReduce::PickUp() {
  for (int by = 0; by < members_; ++by) {
    const Chunk chunk = ChunkOf(picked_up_, by);
    if (by != position_ && chunk.elements > 0) PutInResult(chunk.at, Merged(picked_up_, by), chunk.elements);
  }
  const int64_t next = picked_up_++ + kSlots;
  if (next < rounds_) Stage(next);
  if (IsOver()) room_.Finish();
}

void SharedReduce::PutInResult(int64_t at, const char* from, int64_t elements) {
  const auto copy = rounds_ > kRoundsInCache ? CopyPastCaches : CopyThrough;
  copy(result_ + at * size_, from, static_cast<size_t>(elements * size_));
}

}  // namespace plumb::dist
