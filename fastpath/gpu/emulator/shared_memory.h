// The shared memory of a block, and who touched what of it: two threads that touch one element, one of them writing,
// without a barrier in between, are a race.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace plumb::fast::emulated_gpu::emulator {

constexpr int kWarp = 32;

// What orders the threads of a block. Both numbers only grow, from block to block too.
struct Barriers {
  uint64_t passed = 1;               // barriers that the block has passed
  std::vector<uint64_t> warps = {};  // barriers of its own that each warp has passed
};

class SharedMemory {
 public:
  class Array {
   public:
    Array(const void* site, const char* name, size_t element, int64_t size);
    const char* name() const { return name_; }
    int64_t size() const { return size_; }
    char* at(int64_t i) { return bytes_.data() + static_cast<size_t>(i) * element_; }

    // The thread that this access races with, or -1.
    int Read(int64_t i, int thread, const Barriers& barriers);
    int Write(int64_t i, int thread, const Barriers& barriers);

   private:
    friend class SharedMemory;
    struct Access {
      uint64_t block_barriers = 0, warp_barriers = 0;
      int thread = -1;
    };
    // Who touched an element since the last barrier of the block. The readers of the first one's warp are known by two
    // of them, those of other warps by one: enough to tell whether anybody else has read.
    struct Touched {
      Access writer, reader, neighbour, stranger;
    };
    static bool IsRace(const Access& before, int thread, const Barriers& barriers);

    const void* const site_;
    const char* const name_;
    const size_t element_;
    const int64_t size_;
    std::vector<char> bytes_;
    std::vector<Touched> touched_;
  };

  // The array that is declared at `site`; made where it is new.
  Array& Declare(const void* site, const char* name, size_t element, int64_t size);
  size_t bytes() const { return bytes_; }
  // What another block left is gone: the memory holds bytes that mean nothing.
  void BeginBlock();

 private:
  std::vector<std::unique_ptr<Array>> arrays_;
  size_t bytes_ = 0;
};

}  // namespace plumb::fast::emulated_gpu::emulator
