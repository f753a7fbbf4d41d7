#include "fastpath/device/rendezvous_table.h"

#include <utility>

namespace plumb::fast {

RendezvousTable::Entry** RendezvousTable::BucketOf(const RendezvousKey& key) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;
  const uint64_t mixed = ((key.channel * kGolden ^ key.frame) + static_cast<uint64_t>(key.iteration)) * kGolden;
  const std::span<Entry*> buckets = Buckets();
  return &buckets[(mixed >> 32) & (buckets.size() - 1)];
}

void RendezvousTable::Append(Entry& entry) {
  Entry** at = BucketOf(entry.key_);
  while (*at != nullptr) at = &(*at)->next_;
  *at = &entry;
  entry.next_ = nullptr;
}

void RendezvousTable::Add(const RendezvousKey& key, Entry& entry) {
  if (++size_ > kMostInBucket * Buckets().size()) Grow();
  entry.key_ = key;
  entry.is_in_table_ = true;
  Append(entry);
}

RendezvousTable::Entry* RendezvousTable::Find(const RendezvousKey& key) {
  Entry* entry = *BucketOf(key);
  while (entry != nullptr && !(entry->key_ == key)) entry = entry->next_;
  return entry;
}

void RendezvousTable::Remove(Entry& entry) {
  Entry** at = BucketOf(entry.key_);
  while (*at != &entry) at = &(*at)->next_;
  *at = entry.next_;
  entry.is_in_table_ = false;
  --size_;
}

// Those of one bucket keep their order.
void RendezvousTable::Grow() {
  const std::span<Entry*> before = Buckets();
  const std::vector<Entry*> firsts(before.begin(), before.end());
  more_.assign(firsts.size() * kMostInBucket, nullptr);
  for (Entry* const first : firsts) {
    for (Entry *entry = first, *next; entry != nullptr; entry = next) {
      next = entry->next_;
      Append(*entry);
    }
  }
}

}  // namespace plumb::fast
