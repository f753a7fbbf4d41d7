// A large tensor that is reduced between members of one host, through memory that all of them map (rule CO3).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "fastpath/cpu/lib/collective/met.h"

namespace plumb::dist {

// Where the members of one meeting work together: counters, and room for what is on its way between them. All zero
// before it is first used. Each member is a process, or a thread.
class MeetingRoom {
 public:
  static constexpr int kMostMembers = 32;
  static constexpr size_t kBytes = size_t{4} << 20;

  // For the owner: takes the room for so many members; false while those of the last meeting have not all ended.
  bool Take(int members);
  // A member will touch nothing any more.
  void Finish() { finished_.fetch_add(1, std::memory_order_release); }

  struct alignas(64) Progress {
    std::atomic<int64_t> staged, merged;  // rounds
  };
  Progress& progress(int member) { return progress_[member]; }
  char* floor() { return reinterpret_cast<char*>(this) + kFloorAt; }

  static constexpr size_t kFloorAt = 4096;
  static constexpr size_t kFloorBytes = kBytes - kFloorAt;

 private:
  std::atomic<int> members_, finished_;
  Progress progress_[kMostMembers];
};
static_assert(sizeof(MeetingRoom) <= MeetingRoom::kFloorAt);

// The work of one member. The tensor goes through the room in rounds, which are small enough to stay in the caches. In
// each, every member lays down what the others need of its input, merges a chunk of its own in the order of CO3 as soon
// as all have done so, and picks up the chunks that the others have merged. Each element is merged once, so all members
// have the same bits. Rounds use the slots of the room in turn, and a member lays down as many rounds as there are
// slots, so that nobody waits for those who are slower by less than that.
class SharedReduce {
 public:
  // `input` and `result` have the elements of `member`, and stay until the member is over.
  SharedReduce(const CollectiveMember& member, const void* input, void* result, MeetingRoom& room, int position,
               int members);
  // Goes on as far as the others allow; false where that is nowhere. Never waits.
  bool Advance(fast::ThreadPool& pool);
  bool IsOver() const { return picked_up_ == rounds_; }
  // Thread-safe: it is not gone on with.
  void Abandon() { is_abandoned_.store(true, std::memory_order_release); }
  bool is_abandoned() const { return is_abandoned_.load(std::memory_order_acquire); }

 private:
  struct Chunk {
    int64_t at, elements;
  };
  // What the member merges in that round.
  Chunk ChunkOf(int64_t round, int member) const;
  // In the room: what `from` lays down for `to`, and what `by` has merged.
  char* Staged(int64_t round, int from, int to) const;
  char* Merged(int64_t round, int by) const { return Staged(round, by, by); }
  bool HaveAll(std::atomic<int64_t> MeetingRoom::Progress::*what, int64_t round) const;
  void Begin();
  void Stage(int64_t round);
  void Merge(fast::ThreadPool& pool);
  void PickUp();
  void PutInResult(int64_t at, const char* from, int64_t elements);

  const CollectiveMember member_;
  const char* const input_;
  char* const result_;
  MeetingRoom& room_;
  const int position_, members_;
  const int64_t size_;   // bytes of an element
  const int64_t chunk_;  // elements at most
  const int64_t rounds_;
  int64_t merged_ = 0, picked_up_ = 0;  // rounds
  bool has_begun_ = false;
  std::atomic<bool> is_abandoned_{false};
};

}  // namespace plumb::dist
