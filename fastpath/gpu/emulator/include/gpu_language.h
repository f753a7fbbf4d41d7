// The words that GPU kernels are written in, for the host's compiler. A kernel includes "gpu_language.h" and is the
// same text for a card; there these words are the card's own, here they are checked as they are said.
//
//   template <class T>
//   PLUMB_GPU_KERNEL Sum(Global<const T> in, Global<T> out) {
//     PLUMB_GPU_SHARED(T, sums, 256);
//     ...
//   }
//   Launch(stream, {.blocks = 4, .threads = 256, .has_barriers = true}, Sum<float>, in, out);
//
// A kernel reads what it has shared into variables with a type (`float x = sums[i]`, not `auto`): an element of shared
// memory is a stand-in here.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <tuple>
#include <type_traits>

#include "fastpath/gpu/emulator/grid.h"
#include "fastpath/gpu/emulator/include/cuda_runtime.h"
#include "fastpath/gpu/emulator/include/gpu_atomics.h"
#include "spec/core/half.h"

// Before a kernel's name: it returns nothing.
#define PLUMB_GPU_KERNEL inline void
// Before a function that kernels call; before one that the host calls too.
#define PLUMB_GPU_INLINE inline
#define PLUMB_GPU_WORD inline

// An array of `n` elements that the threads of a block share. It begins as garbage.
#define PLUMB_GPU_SHARED(T, name, n)        \
  static constexpr char name##_site = '\0'; \
  const ::plumb::fast::emulated_gpu::Shared<T> name(&name##_site, #name, n)

namespace plumb::fast::emulated_gpu {

// A view of device memory.
template <class T>
class Global {
 public:
  Global() = default;
  Global(T* data, int64_t size) : data(data), size(size) {}
  // Of elements that may be written, where they are only read.
  template <class U>
  requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>) Global(const Global<U>& other)
      : data(other.data), size(other.size) {}

  T& operator[](int64_t i) const {
    emulator::Grid& grid = emulator::Grid::Current("operator[] of Global");
    if (static_cast<uint64_t>(i) >= static_cast<uint64_t>(size)) FailOutOfBounds(grid, i);
    return *grid.Follow(data + i);
  }
  // The view of `count` elements from `offset` on.
  Global From(int64_t offset, int64_t count) const {
    if (offset < 0 || count < 0 || offset > size || count > size - offset) FailOutOfBounds(offset, count);
    return Global(data + offset, count);
  }

  T* data = nullptr;
  int64_t size = 0;

 private:
  [[noreturn]] void FailOutOfBounds(const emulator::Grid& grid, int64_t i) const {
    grid.Fail(Str("touches element ", i, " of device memory of ", size, " elements"));
    std::abort();
  }
  [[noreturn]] void FailOutOfBounds(int64_t offset, int64_t count) const {
    throw Internal("takes ", count, " elements from ", offset, " on of device memory of ", size, " elements");
  }
};

// Before a loop that is to be written out, that is to stay one, or of which several rounds are to be under way at once.
#define PLUMB_GPU_UNROLL
#define PLUMB_GPU_ROLLED
#define PLUMB_GPU_OVERLAP

// `n` neighbours, a power of two, that are read or written at once. Where they lie is a multiple of their size.
template <class T, int n>
struct alignas(sizeof(T) * n) Pack {
  T at[n];
};
template <int n, class T>
Pack<std::remove_const_t<T>, n> LoadPack(const Global<T>& from, int64_t i) {
  using Loaded = Pack<std::remove_const_t<T>, n>;
  static_cast<void>(from[i]), static_cast<void>(from[i + n - 1]);
  Loaded pack;
  std::memcpy(&pack, emulator::Grid::Current("LoadPack").Follow(reinterpret_cast<const Loaded*>(from.data + i)),
              sizeof(pack));
  return pack;
}
template <int n, class T>
void StorePack(const Global<T>& to, int64_t i, const Pack<T, n>& pack) {
  static_cast<void>(to[i]), static_cast<void>(to[i + n - 1]);
  std::memcpy(emulator::Grid::Current("StorePack").Follow(reinterpret_cast<Pack<T, n>*>(to.data + i)), &pack,
              sizeof(pack));
}

// An element of a shared array: stands for its value, and knows who reads and writes it.
template <class T>
class SharedElement {
 public:
  SharedElement(emulator::SharedMemory::Array& array, int64_t i) : array_(array), i_(i) {}
  SharedElement(const SharedElement&) = default;
  operator T() const { return *At(false); }
  const SharedElement& operator=(const T& value) const {
    *At(true) = value;
    return *this;
  }
  const SharedElement& operator=(const SharedElement& other) const { return *this = static_cast<T>(other); }
  const SharedElement& operator+=(const T& value) const { return *this = static_cast<T>(*At(false) + value); }
  const SharedElement& operator-=(const T& value) const { return *this = static_cast<T>(*At(false) - value); }
  const SharedElement& operator*=(const T& value) const { return *this = static_cast<T>(*At(false) * value); }
  const SharedElement& operator|=(const T& value) const { return *this = static_cast<T>(*At(false) | value); }
  const SharedElement& operator&=(const T& value) const { return *this = static_cast<T>(*At(false) & value); }

 private:
  T* At(bool writes) const {
    return reinterpret_cast<T*>(emulator::Grid::Current("operator[] of a shared array").Touch(array_, i_, writes));
  }
  emulator::SharedMemory::Array& array_;
  const int64_t i_;
};

// A shared array, as helpers of a kernel take it. On a card: T*.
template <class T>
class Shared {
  static_assert(std::is_trivially_copyable_v<T>, "shared memory holds what can be copied byte by byte");

 public:
  Shared(const void* site, const char* name, int64_t size)
      : array_(&emulator::Grid::Current("PLUMB_GPU_SHARED").Declare(site, name, sizeof(T), size)) {}
  SharedElement<T> operator[](int64_t i) const { return SharedElement<T>(*array_, i); }

 private:
  emulator::SharedMemory::Array* array_;
};

// Grids have one dimension.
inline int64_t BlockNumber() { return emulator::Grid::Current("BlockNumber").block(); }
inline int64_t Blocks() { return emulator::Grid::Current("Blocks").size().blocks; }
inline int ThreadNumber() { return emulator::Grid::Current("ThreadNumber").thread(); }
inline int Threads() { return emulator::Grid::Current("Threads").size().threads; }

// All threads of the block meet; what each wrote before, the others see.
inline void SyncBlock(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  emulator::Grid::Current("SyncBlock").SyncBlock({file, line});
}

// Words that all 32 lanes of a warp say together. Of them only SyncWarp orders what they read and write.
inline void SyncWarp(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  emulator::Grid::Current("SyncWarp").Exchange(emulator::Meeting::kWarp, 0, 0, 0, {file, line});
}

// One bit for each lane.
inline uint32_t BallotWarp(bool vote, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return static_cast<uint32_t>(emulator::Grid::Current("BallotWarp")
                                   .Exchange(emulator::Meeting::kBallot, vote ? 1 : 0, sizeof(bool), 0, {file, line}));
}

namespace internal {

inline int Lane() { return ThreadNumber() % emulator::kWarp; }

template <class T>
T Shuffle(emulator::Meeting what, const T& value, int lane, emulator::KernelLine line) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(uint64_t), "lanes exchange up to 8 bytes");
  uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  word = emulator::Grid::Current("Shuffle").Exchange(what, word, sizeof(T), lane, line);
  T result;
  std::memcpy(&result, &word, sizeof(T));
  return result;
}

}  // namespace internal

// The value of the lane that is `delta` further; of this one where there is none.
template <class T>
T ShuffleDown(T value, unsigned delta, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const int mine = internal::Lane();
  const int lane = delta < static_cast<unsigned>(emulator::kWarp - mine) ? mine + static_cast<int>(delta) : mine;
  return internal::Shuffle(emulator::Meeting::kShuffleDown, value, lane, {file, line});
}
// The value of the lane whose number differs in the bits of `mask`.
template <class T>
T ShuffleXor(T value, int mask, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return internal::Shuffle(emulator::Meeting::kShuffleXor, value, (internal::Lane() ^ mask) & (emulator::kWarp - 1),
                           {file, line});
}
// The value of lane `lane`, modulo 32.
template <class T>
T ShuffleFrom(T value, int lane, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return internal::Shuffle(emulator::Meeting::kShuffleFrom, value, lane & (emulator::kWarp - 1), {file, line});
}

inline float FloatOf(Half value) { return static_cast<float>(value); }
inline float FloatOf(BFloat16 value) { return static_cast<float>(value); }
inline Half HalfOf(float value) { return Half(value); }
inline BFloat16 BFloat16Of(float value) { return BFloat16(value); }

// Puts a grid into a stream; `body` is one of its threads. See Launch.
void LaunchGrid(cudaStream_t stream, const GridSize& size, const void* kernel, std::function<void()> body);

// Runs a kernel over a grid when the stream comes so far, with copies of the arguments. No blocks are no work. Throws
// Error (kInternal) for a grid that no card takes, for a stream that is not one of the current device, and where the
// device has failed.
template <class... Parameters, class... Arguments>
void Launch(cudaStream_t stream, const GridSize& size, void (*kernel)(Parameters...), const Arguments&... arguments) {
  static_assert((std::is_trivially_copyable_v<Parameters> && ...), "a kernel's arguments are copied byte by byte");
  static_assert((sizeof(Parameters) + ... + 0) <= 4096, "a card takes up to 4096 bytes of arguments");
  LaunchGrid(stream, size, reinterpret_cast<const void*>(kernel),
             [kernel, copies = std::tuple<Parameters...>(arguments...)] { std::apply(kernel, copies); });
}

}  // namespace plumb::fast::emulated_gpu
