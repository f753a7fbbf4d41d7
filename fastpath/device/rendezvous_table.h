// What waits at a rendezvous, by key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plumb::fast {

// W30: the name of a message in three numbers: its channel, the instance of its frame (0: the root), the iteration.
struct RendezvousKey {
  uint64_t channel = 0;
  uint64_t frame = 0;
  int64_t iteration = 0;
  bool operator==(const RendezvousKey&) const = default;
};

// Entries are their owners', and are linked here: nothing is allocated but, where many wait, room for more buckets.
class RendezvousTable {
 public:
  class Entry {
   public:
    const RendezvousKey& key() const { return key_; }
    bool is_in_table() const { return is_in_table_; }

   private:
    friend class RendezvousTable;
    RendezvousKey key_;
    Entry* next_ = nullptr;  // in its bucket
    bool is_in_table_ = false;
  };

  // Behind those of the same key.
  void Add(const RendezvousKey& key, Entry& entry);
  // The first of a key, which stays; null where there is none.
  Entry* Find(const RendezvousKey& key);
  void Remove(Entry& entry);
  // On each: visit(entry), which may remove it.
  template <class Visit>
  void ForEach(const Visit& visit) {
    for (Entry* const first : Buckets()) {
      for (Entry *entry = first, *next; entry != nullptr; entry = next) {
        next = entry->next_;
        visit(*entry);
      }
    }
  }

 private:
  static constexpr size_t kFirstBuckets = 16;  // a power of two, as all their numbers
  static constexpr size_t kMostInBucket = 4;   // on the average

  std::span<Entry*> Buckets() { return more_.empty() ? std::span<Entry*>(few_) : std::span<Entry*>(more_); }
  // What points to the first entry of the key's bucket.
  Entry** BucketOf(const RendezvousKey& key);
  void Append(Entry& entry);
  void Grow();

  std::array<Entry*, kFirstBuckets> few_{};
  std::vector<Entry*> more_;  // in the place of few_
  size_t size_ = 0;
};

}  // namespace plumb::fast
