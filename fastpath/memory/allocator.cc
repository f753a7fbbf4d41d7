#include "fastpath/memory/allocator.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <new>

#include "fastpath/device/kernel.h"
#include "fastpath/memory/inside.h"
#include "fastpath/memory/kept_bytes.h"
#include "spec/core/fences.h"
#include "spec/core/memory.h"
#include "spec/core/thread_annotations.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace plumb::fast {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kCaching = false;  // so that AddressSanitizer sees every use after the last release
// Until it is released, who touches it is reported.
void Forbid(const char* from, uint64_t bytes) { __asan_poison_memory_region(from, bytes); }
#else
constexpr bool kCaching = true;
void Forbid(const char*, uint64_t) {}
#endif

constexpr int64_t kAlwaysKept = int64_t{1} << 30;  // in the common cache, of small blocks and of big ones
constexpr int64_t kPartOfMemory = 4;               // of which more is kept at most
constexpr uint64_t kHugePages = 4 << 20;           // blocks of this size ask for huge pages
constexpr uint64_t kLargest = uint64_t{1} << 46;   // more than any machine can map
constexpr int kThreadClasses = 44;                 // up to 256 KiB; bigger blocks go to the common cache at once
constexpr int kClasses = 4 + 4 * 58;

bool IsBig(uint32_t size_class) { return size_class >= kThreadClasses; }

// SizeClassOf the other way round.
uint64_t BytesOf(uint32_t size_class) {
  if (size_class < 4) return (size_class + 1) * uint64_t{64};
  const uint32_t shift = (size_class - 4) / 4 + 6, quarter = (size_class - 4) % 4 + 4;
  return uint64_t{quarter + 1} << shift;
}

struct Block : Buffer {
  uint32_t size_class = 0;

  uint64_t capacity() const { return BytesOf(size_class); }
  // Of a free block, whose memory nobody uses.
  Block*& next() { return *static_cast<Block**>(data); }
};
constexpr size_t kHeader = 64;
static_assert(sizeof(Block) <= kHeader);

std::align_val_t AlignmentFor(uint64_t bytes) {
  return std::align_val_t{bytes >= kHugePages ? size_t{2} << 20 : kHeader};
}

void FreeToHeap(Block* block) { ::operator delete(block, AlignmentFor(block->capacity())); }

struct FreeList {
  Block* head = nullptr;
  int64_t count = 0;

  void Push(Block* block) {
    block->next() = head;
    head = block;
    ++count;
  }
  Block* Pop() {
    Block* block = head;
    if (block != nullptr) {
      head = block->next();
      --count;
    }
    return block;
  }
};

// Shared by all threads; lives until the process ends, because tensors may.
class CommonCache {
 public:
  static CommonCache& Get() {
    static CommonCache* cache = new CommonCache;
    return *cache;
  }

  // A big block that is used from now on, or null.
  Block* PopForUse(uint32_t size_class) {
    MutexLock lock(mutex_);
    Block* block = PopKept(size_class);
    if (block != nullptr) CountUse(size_class);
    return block;
  }
  // Moves up to `count` blocks into `to`.
  void Refill(uint32_t size_class, int64_t count, FreeList& to) {
    MutexLock lock(mutex_);
    while (count-- > 0) {
      Block* block = PopKept(size_class);
      if (block == nullptr) return;
      to.Push(block);
    }
  }
  void Push(Block* block) {
    FreeList dropped;
    {
      MutexLock lock(mutex_);
      lists_[block->size_class].Push(block);
      KeptOf(block->size_class) += static_cast<int64_t>(block->capacity());
      if (IsBig(block->size_class)) {
        budget_.GiveBack(static_cast<int64_t>(block->capacity()));
        while (kept_big_ > budget_.Allowed()) dropped.Push(PopKept(LeastWanted()));
      } else if (kept_small_ > kAlwaysKept) {
        dropped.Push(PopKept(block->size_class));
      }
    }
    while (Block* each = dropped.Pop()) FreeToHeap(each);
  }
  // The heap gets all back.
  void Clear() {
    std::array<FreeList, kClasses> all;
    {
      MutexLock lock(mutex_);
      std::swap(all, lists_);
      kept_small_ = kept_big_ = 0;
    }
    for (FreeList& list : all) {
      while (Block* block = list.Pop()) FreeToHeap(block);
    }
  }
  // A block of the heap's that is used from now on.
  void CountHeapAllocation(uint32_t size_class) {
    heap_allocations_.fetch_add(1, std::memory_order_relaxed);
    if (!IsBig(size_class)) return;
    MutexLock lock(mutex_);
    CountUse(size_class);
  }
  AllocatorStatistics Statistics() {
    MutexLock lock(mutex_);
    return {heap_allocations_.load(std::memory_order_relaxed), kept_small_ + kept_big_};
  }

 private:
  Block* PopKept(uint32_t size_class) PLUMB_REQUIRES(mutex_) {
    Block* block = lists_[size_class].Pop();
    if (block != nullptr) KeptOf(size_class) -= static_cast<int64_t>(block->capacity());
    return block;
  }
  int64_t& KeptOf(uint32_t size_class) PLUMB_REQUIRES(mutex_) { return IsBig(size_class) ? kept_big_ : kept_small_; }
  void CountUse(uint32_t size_class) PLUMB_REQUIRES(mutex_) {
    budget_.Take(static_cast<int64_t>(BytesOf(size_class)));
    wanted_[size_class] = ++uses_;
  }
  // Of the sizes of which big blocks are kept, the one that was wanted longest ago. Some are kept.
  uint32_t LeastWanted() const PLUMB_REQUIRES(mutex_) {
    uint32_t least = kClasses;
    for (uint32_t i = kThreadClasses; i < kClasses; ++i) {
      if (lists_[i].head != nullptr && (least == kClasses || wanted_[i] < wanted_[least])) least = i;
    }
    return least;
  }

  Mutex mutex_;
  std::array<FreeList, kClasses> lists_ PLUMB_GUARDED_BY(mutex_);
  std::array<int64_t, kClasses> wanted_ PLUMB_GUARDED_BY(mutex_) = {};  // the number of the last use; of big blocks
  int64_t uses_ PLUMB_GUARDED_BY(mutex_) = 0;
  int64_t kept_small_ PLUMB_GUARDED_BY(mutex_) = 0, kept_big_ PLUMB_GUARDED_BY(mutex_) = 0;  // bytes
  KeptBytes budget_ PLUMB_GUARDED_BY(mutex_){kAlwaysKept, MachineMemory() / kPartOfMemory};  // of big blocks
  std::atomic<int64_t> heap_allocations_{0};
};

struct ThreadCache {
  std::array<FreeList, kThreadClasses> lists;

  static int64_t Limit(uint64_t bytes) { return std::clamp<int64_t>((1 << 20) / static_cast<int64_t>(bytes), 4, 512); }
  ~ThreadCache();
};

// Null before the first use and after the thread's end, when tensors may still be released.
thread_local ThreadCache* current_cache = nullptr;

ThreadCache::~ThreadCache() {
  current_cache = nullptr;
  for (FreeList& list : lists) {
    while (Block* block = list.Pop()) CommonCache::Get().Push(block);
  }
}

ThreadCache& CacheOfThisThread() {
  if (current_cache == nullptr) [[unlikely]] {
    thread_local ThreadCache cache;
    current_cache = &cache;
  }
  return *current_cache;
}

void Release(Buffer* buffer) {
  auto* block = static_cast<Block*>(buffer);
  if (!kCaching) return FreeToHeap(block);
  if (IsBig(block->size_class) || current_cache == nullptr) return CommonCache::Get().Push(block);
  FreeList& list = current_cache->lists[block->size_class];
  list.Push(block);
  const int64_t limit = ThreadCache::Limit(block->capacity());
  if (list.count <= limit) [[likely]]
    return;
  while (list.count > limit / 2) CommonCache::Get().Push(list.Pop());
}

void* FromHeap(SizeClass size) {
  RequireMemory(1, static_cast<int64_t>(size.bytes));
  void* memory = ::operator new(kHeader + size.bytes, AlignmentFor(size.bytes), std::nothrow);
  if (memory == nullptr) throw ResourceExhausted("no memory for a tensor of ", size.bytes, " bytes");
  return memory;
}

// Where there is no memory, there may be once nothing is kept.
void* FromHeapOrCache(SizeClass size) {
  try {
    return FromHeap(size);
  } catch (const Error&) {
    CommonCache::Get().Clear();
  }
  return FromHeap(size);
}

Block* NewBlock(SizeClass size) {
  if (size.bytes > kLargest) throw ResourceExhausted("a tensor of ", size.bytes, " bytes is larger than any memory");
  void* const memory = FromHeapOrCache(size);
  if (size.bytes >= kHugePages) madvise(memory, kHeader + size.bytes, MADV_HUGEPAGE);
  auto* block = new (memory) Block;
  block->size_class = size.index;
  block->data = static_cast<char*>(memory) + kHeader;
  block->release = Release;
  CommonCache::Get().CountHeapAllocation(size.index);
  return block;
}

Block* FindBlock(SizeClass size) {
  if (!kCaching) return nullptr;
  if (IsBig(size.index)) return CommonCache::Get().PopForUse(size.index);
  FreeList& list = CacheOfThisThread().lists[size.index];
  if (list.head == nullptr) CommonCache::Get().Refill(size.index, ThreadCache::Limit(size.bytes) / 2, list);
  return list.Pop();
}

}  // namespace

SizeClass SizeClassOf(uint64_t bytes) {
  if (bytes <= 256) {
    const uint64_t units = bytes == 0 ? 1 : (bytes + 63) / 64;
    return {static_cast<uint32_t>(units - 1), units * 64};
  }
  const int shift = std::bit_width(bytes - 1) - 3;
  const uint64_t quarter = (bytes - 1) >> shift;
  return {static_cast<uint32_t>(4 + (shift - 6) * 4 + static_cast<int>(quarter) - 4), (quarter + 1) << shift};
}

void GiveBackKeptMemory() {
  for (FreeList& list : CacheOfThisThread().lists) {
    while (Block* block = list.Pop()) FreeToHeap(block);
  }
  CommonCache::Get().Clear();
}

Buffer* AllocateBuffer(int64_t bytes) {
  const SizeClass size = SizeClassOf(static_cast<uint64_t>(bytes));
  Block* block = FindBlock(size);
  if (block == nullptr) {
    // None of them is kept, so that with fences every block comes this way.
    if (Fences::AreUp()) return NewFencedBuffer(static_cast<size_t>(bytes));
    block = NewBlock(size);
  }
  block->references.store(1, std::memory_order_relaxed);
  block->bytes = static_cast<size_t>(bytes);
  block->is_variable = false;
  block->guard = nullptr;
  Forbid(static_cast<const char*>(block->data) + bytes, size.bytes - static_cast<uint64_t>(bytes));
  return block;
}

AllocatorStatistics GetAllocatorStatistics() { return CommonCache::Get().Statistics(); }

Tensor Allocate(DType dtype, const Shape& shape) {
  const size_t element_size = ElementSize(dtype);
  if (element_size == 0) return Tensor(dtype, shape);
  if (const Inside* const inside = Inside::Current()) [[unlikely]]
    return inside->New(dtype, shape);
  const auto bytes = CheckedMultiply(shape.elements(), static_cast<int64_t>(element_size));
  if (!bytes) throw ResourceExhausted("a tensor of ", shape.elements(), " elements is larger than the address space");
  return Tensor(dtype, shape, AllocateBuffer(*bytes));
}

}  // namespace plumb::fast
