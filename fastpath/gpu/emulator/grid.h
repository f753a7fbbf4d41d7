// Runs a grid on the thread that asks for it: block by block, and in a block one thread after the other, each until it
// ends or meets a barrier or a word of its warp; a warp goes on as far as it comes before the next one does. What a
// card would leave undefined is an error here that says where.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fastpath/gpu/emulator/shared_memory.h"
#include "spec/core/status.h"

namespace plumb::fast::emulated_gpu {

// How a kernel is launched. `has_barriers`: its threads meet, in SyncBlock or in words of a warp.
struct GridSize {
  int64_t blocks = 1;
  int threads = 1;
  bool has_barriers = false;
};

namespace emulator {

class Fibers;

constexpr int64_t kMostBlocks = (int64_t{1} << 31) - 1;
constexpr int kMostThreads = 1024;
constexpr int64_t kMostSharedBytes = 48 << 10;

// A block of memory that a kernel may touch: its addresses, and how far from them the host finds what they mean.
struct MemoryBlock {
  uintptr_t begin = 0, end = 0;
  uintptr_t distance = 0;
};
// The block that an address lies in; an empty one where there is none.
using FindMemory = std::function<MemoryBlock(const void*)>;

// A kernel touched an address where its device has no memory.
class IllegalAddress : public Error {
 public:
  using Error::Error;
};

// A line of a kernel.
struct KernelLine {
  const char* file;
  int line;
};

// What threads of a warp meet for.
enum class Meeting { kNone, kBlock, kWarp, kShuffleDown, kShuffleXor, kShuffleFrom, kBallot };

class Grid {
 public:
  // Throws Error where the grid is larger than a card takes.
  static void Check(const GridSize& size);
  // Throws what a thread of it threw, or what it did wrong. `kernel` is for messages.
  static void Run(const void* kernel, const GridSize& size, const std::function<void()>& body, const FindMemory& find);
  // The grid that runs on this thread. `word`: who asks.
  static Grid& Current(const char* word) {
    if (current_ == nullptr) FailOutside(word);
    return *current_;
  }

  int64_t block() const { return block_; }
  int thread() const { return thread_; }
  const GridSize& size() const { return size_; }

  // Where the host finds an element of the device's memory, or `count` neighbours.
  template <class T>
  T* Follow(T* element, size_t count = 1) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(element);
    if (address % alignof(T) != 0) FailAt("is not aligned for its elements", element);
    MemoryBlock& block = recent_[address / kNear % kRecent];
    if (address < block.begin || address + sizeof(T) * count > block.end) {
      block = FindBlock(element, sizeof(T) * count);
    }
    return reinterpret_cast<T*>(address + block.distance);
  }
  void SyncBlock(KernelLine line) { Meet(Meeting::kBlock, 0, 0, 0, line); }
  // All lanes of the thread's warp meet, each with a value of so many bytes, and leave with that of the lane they ask
  // for.
  uint64_t Exchange(Meeting what, uint64_t value, size_t bytes, int lane, KernelLine line) {
    return Meet(what, value, bytes, lane, line);
  }

  SharedMemory::Array& Declare(const void* site, const char* name, size_t element, int64_t size);
  char* Touch(SharedMemory::Array& array, int64_t i, bool writes);
  // Fails for the running thread, whose place it adds.
  [[noreturn]] void Fail(const std::string& what) const;

 private:
  // What a thread of the block is doing.
  struct Thread {
    Meeting waits_for = Meeting::kNone;
    bool has_ended = false;
    KernelLine line = {};
    uint64_t value = 0;
    size_t bytes = 0;
    int lane = 0;  // whose value it asks for
  };

  Grid(const void* kernel, const GridSize& size, const FindMemory& find);
  [[noreturn]] static void FailOutside(const char* word);
  [[noreturn]] void FailAt(const char* what, const void* address) const;
  // The block that these bytes lie in.
  MemoryBlock FindBlock(const void* address, size_t bytes);

  template <class F>
  void ForEachBlock(const F& run);
  void RunPlainly(const std::function<void()>& body);
  void RunWithFibers(const std::function<void()>& body);
  void RunBlock();
  // The thread that runs after this one: the next of its warp that can, or of the warps behind it; Fibers::kNobody
  // where there is none.
  int NextAfter(int thread) const;
  // The first thread from `from` to `end` that neither waits nor has ended, or Fibers::kNobody.
  int FirstAble(int from, int end) const;
  uint64_t Meet(Meeting what, uint64_t value, size_t bytes, int lane, KernelLine line);
  void FinishWarp(int first);
  // Throws unless all of these threads wait for the same thing at the same line.
  void RequireTogether(int first, int end);
  std::string Where(int thread) const;

  static thread_local constinit Grid* current_;

  const void* const kernel_;
  const GridSize size_;
  const FindMemory& find_;
  Fibers& fibers_;
  int64_t block_ = 0;
  int thread_ = 0;
  // The blocks that lately were found for addresses, by the last digits of where they lie.
  static constexpr uintptr_t kNear = 256, kRecent = 16;
  MemoryBlock recent_[kRecent];
  std::vector<MemoryBlock> known_;
  SharedMemory shared_;
  Barriers barriers_;
  std::vector<Thread> threads_;
  std::vector<int> waiting_in_warp_;
  int ended_ = 0;  // threads of the block
  std::exception_ptr failure_;
};

}  // namespace emulator
}  // namespace plumb::fast::emulated_gpu
