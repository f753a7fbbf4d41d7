// The words that kernels of GPUs are written in, for cards: what the host's compiler is given for the emulator is in
// fastpath/gpu/emulator/include, under the same name.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "spec/core/half.h"

// Before a kernel's name: it returns nothing.
#define PLUMB_GPU_KERNEL __global__ void
// Before a function that kernels call.
#define PLUMB_GPU_INLINE __device__ __forceinline__
// The same for functions whose result's type the host wants to know too.
#define PLUMB_GPU_WORD __host__ __device__ __forceinline__
// Memory of a block: `n` elements, a constant, with unknown values.
#define PLUMB_GPU_SHARED(T, name, n) __shared__ T name[n]

namespace plumb::fast::cuda_gpu {

// Elements in the device's memory.
template <class T>
struct Global {
  T* data = nullptr;
  int64_t size = 0;

  __host__ __device__ Global() {}
  __host__ __device__ Global(T* data, int64_t size) : data(data), size(size) {}
  template <class U>
  __host__ __device__ Global(const Global<U>& other) : data(other.data), size(other.size) {}  // NOLINT: of T, const T
  __device__ T& operator[](int64_t i) const { return data[i]; }
  __host__ __device__ Global From(int64_t offset, int64_t count) const { return {data + offset, count}; }
};

// Before a loop that is to be written out; that is to stay one, since its body is long and it has few rounds; of which
// several rounds are to be under way at once. What the host's compiler makes of a word for both is left to it.
#ifdef __CUDA_ARCH__
#define PLUMB_GPU_UNROLL _Pragma("unroll")
#define PLUMB_GPU_ROLLED _Pragma("unroll 1")
#define PLUMB_GPU_OVERLAP _Pragma("unroll 4")
#else
#define PLUMB_GPU_UNROLL
#define PLUMB_GPU_ROLLED
#define PLUMB_GPU_OVERLAP
#endif

// `n` neighbours, a power of two, that are read or written at once: by one instruction where they have up to 16 bytes.
template <class T, int n>
struct alignas(sizeof(T) * n) Pack {
  T at[n];
};
// Those from element i on, which lie where a Pack may lie.
template <int n, class T>
__device__ __forceinline__ Pack<std::remove_const_t<T>, n> LoadPack(const Global<T>& from, int64_t i) {
  return *reinterpret_cast<const Pack<std::remove_const_t<T>, n>*>(from.data + i);
}
template <int n, class T>
__device__ __forceinline__ void StorePack(const Global<T>& to, int64_t i, const Pack<T, n>& pack) {
  *reinterpret_cast<Pack<T, n>*>(to.data + i) = pack;
}

// A shared array, as helpers of a kernel take it.
template <class T>
using Shared = T*;

struct GridSize {
  int64_t blocks = 1;
  int threads = 1;
  bool has_barriers = false;
};

__device__ __forceinline__ int64_t BlockNumber() { return blockIdx.x; }
__device__ __forceinline__ int64_t Blocks() { return gridDim.x; }
__device__ __forceinline__ int ThreadNumber() { return static_cast<int>(threadIdx.x); }
__device__ __forceinline__ int Threads() { return static_cast<int>(blockDim.x); }
__device__ __forceinline__ void SyncBlock() { __syncthreads(); }

inline constexpr unsigned kWholeWarp = 0xffffffff;
__device__ __forceinline__ void SyncWarp() { __syncwarp(kWholeWarp); }
template <class T>
__device__ __forceinline__ T ShuffleDown(T value, int delta) {
  return __shfl_down_sync(kWholeWarp, value, delta);
}
template <class T>
__device__ __forceinline__ T ShuffleXor(T value, int mask) {
  return __shfl_xor_sync(kWholeWarp, value, mask);
}
template <class T>
__device__ __forceinline__ T ShuffleFrom(T value, int lane) {
  return __shfl_sync(kWholeWarp, value, lane);
}
__device__ __forceinline__ uint32_t BallotWarp(bool holds) { return __ballot_sync(kWholeWarp, holds); }

__device__ __forceinline__ float FloatOf(Half value) { return __half2float(__ushort_as_half(value.bits)); }
__device__ __forceinline__ float FloatOf(BFloat16 value) {
  return __uint_as_float(static_cast<unsigned>(value.bits) << 16);
}
__device__ __forceinline__ Half HalfOf(float value) {
  Half half;
  half.bits = __half_as_ushort(__float2half_rn(value));
  return half;
}
// As BFloat16's constructor (rule N8).
__device__ __forceinline__ BFloat16 BFloat16Of(float value) {
  const uint32_t word = __float_as_uint(value);
  const bool is_nan = (word & 0x7fffffff) > 0x7f800000;
  BFloat16 rounded;
  rounded.bits = is_nan ? static_cast<uint16_t>((word >> 16) | 0x40)
                        : static_cast<uint16_t>((word + 0x7fff + ((word >> 16) & 1)) >> 16);
  return rounded;
}

// Atomics answer the value that was there before. Whole numbers have 32 or 64 bits.
template <class T>
using AtomicWord = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
template <class T>
__device__ __forceinline__ AtomicWord<T>* AtomicPlace(T& place) {
  return reinterpret_cast<AtomicWord<T>*>(&place);
}
__device__ __forceinline__ float AtomicAdd(float& place, float value) { return atomicAdd(&place, value); }
__device__ __forceinline__ double AtomicAdd(double& place, double value) { return atomicAdd(&place, value); }
template <class T>
requires std::is_integral_v<T> __device__ __forceinline__ T AtomicAdd(T& place, std::type_identity_t<T> value) {
  return static_cast<T>(atomicAdd(AtomicPlace(place), static_cast<AtomicWord<T>>(value)));
}
// 16-bit floats: added as float, and rounded.
template <class T>
requires(sizeof(T) == 2) __device__ __forceinline__ T AtomicAdd(T& place, std::type_identity_t<T> value) {
  auto* const bits = reinterpret_cast<unsigned short*>(&place);
  unsigned short old = *bits, seen = 0;
  T sum;
  do {
    seen = old;
    T before;
    before.bits = seen;
    if constexpr (std::is_same_v<T, Half>) {
      sum = HalfOf(FloatOf(before) + FloatOf(value));
    } else {
      sum = BFloat16Of(FloatOf(before) + FloatOf(value));
    }
    old = atomicCAS(bits, seen, static_cast<unsigned short>(sum.bits));
  } while (old != seen);
  T before;
  before.bits = old;
  return before;
}
template <class T>
using AtomicNumber = std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int, unsigned>,
                                        std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>;
template <class T>
__device__ __forceinline__ T AtomicMax(T& place, std::type_identity_t<T> value) {
  return static_cast<T>(atomicMax(reinterpret_cast<AtomicNumber<T>*>(&place), static_cast<AtomicNumber<T>>(value)));
}
template <class T>
__device__ __forceinline__ T AtomicMin(T& place, std::type_identity_t<T> value) {
  return static_cast<T>(atomicMin(reinterpret_cast<AtomicNumber<T>*>(&place), static_cast<AtomicNumber<T>>(value)));
}
template <class T>
__device__ __forceinline__ T AtomicOr(T& place, std::type_identity_t<T> value) {
  return static_cast<T>(atomicOr(AtomicPlace(place), static_cast<AtomicWord<T>>(value)));
}
template <class T>
__device__ __forceinline__ T AtomicCas(T& place, std::type_identity_t<T> expected, std::type_identity_t<T> wanted) {
  return static_cast<T>(
      atomicCAS(AtomicPlace(place), static_cast<AtomicWord<T>>(expected), static_cast<AtomicWord<T>>(wanted)));
}

// Throws what the last launch was refused for.
void CheckLaunch();
// Throws kUnimplemented for more blocks than a grid may have, 2^31 - 1.
void CheckBlocks(int64_t blocks);

// Queues a grid of `kernel` on the stream.
template <class... Parameters, class... Arguments>
void Launch(cudaStream_t stream, const GridSize& grid, void (*kernel)(Parameters...), const Arguments&... arguments) {
  if (grid.blocks == 0) return;
  CheckBlocks(grid.blocks);
  kernel<<<static_cast<unsigned>(grid.blocks), grid.threads, 0, stream>>>(Parameters(arguments)...);
  CheckLaunch();
}

}  // namespace plumb::fast::cuda_gpu
