// Laws of the fake CUDA runtime: memory apart, streams in order, failures that stay.
#include <atomic>
#include <cstring>
#include <thread>

#include "fastpath/gpu/emulator/emulator_testing.h"

namespace plumb::fast::emulated_gpu {
namespace {

using RuntimeTest = EmulatorTest;

PLUMB_GPU_KERNEL TripleAndAdd(Global<int> value, int term) { value[0] = 3 * (value[0] % 1000) + term; }
PLUMB_GPU_KERNEL Set(Global<int> value, int to) { value[0] = to; }
PLUMB_GPU_KERNEL OutOfBounds(Global<int> value) { value[value.size] = 1; }

// A function of the host for a stream that waits until it is let go.
struct Gate {
  std::atomic<bool> is_open = false;
  static void Wait(void* gate) {
    while (!static_cast<Gate*>(gate)->is_open) std::this_thread::yield();
  }
};
void CountUp(void* count) { ++*static_cast<std::atomic<int>*>(count); }

TEST_F(RuntimeTest, TheHostMayNotFollowDeviceMemory) {
  const Global<int> array = NewArray<int>(1);
  volatile int* const address = array.data;
  EXPECT_DEATH(*address = 1, "");
  EXPECT_THROW(array[0] = 1, Error);
}

TEST_F(RuntimeTest, AStreamDoesOneThingAfterTheOther) {
  const Global<int> value = ToDevice(std::vector<int>{0});
  int expected = 0, read = -1;
  for (int i = 0; i < 200; ++i) {
    Launch(stream_, {}, TripleAndAdd, value, i);
    expected = 3 * (expected % 1000) + i;
  }
  EXPECT_EQ(cudaMemcpyAsync(&read, value.data, sizeof(int), cudaMemcpyDefault, stream_), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(value.data, 1, sizeof(int), stream_), cudaSuccess);
  EXPECT_EQ(ToHost(value)[0], 0x01010101);
  EXPECT_EQ(read, expected);
}

TEST_F(RuntimeTest, EventsOrderStreamsOfAllDevices) {
  for (int round = 0; round < 20; ++round) {
    Begin({.seed = static_cast<uint64_t>(round)});
    const Global<int> from = ToDevice(std::vector<int>{1});
    cudaEvent_t event = nullptr;
    EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
    EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
    const cudaStream_t first = stream_;
    Gate gate;
    EXPECT_EQ(cudaLaunchHostFunc(first, &Gate::Wait, &gate), cudaSuccess);
    Launch(first, {}, Set, from, 5);
    EXPECT_EQ(cudaEventRecord(event, first), cudaSuccess);
    EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
    EXPECT_EQ(cudaStreamQuery(first), cudaErrorNotReady);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);

    cudaSetDevice(1);
    const cudaStream_t second = NewStream();
    const Global<int> to = NewArray<int>(1);
    EXPECT_EQ(cudaStreamWaitEvent(second, event), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
    EXPECT_EQ(cudaMemcpyPeerAsync(to.data, 1, from.data, 0, sizeof(int), second), cudaSuccess);
    gate.is_open = true;
    stream_ = second;
    EXPECT_EQ(ToHost(to)[0], 5);
    EXPECT_EQ(cudaStreamQuery(second), cudaSuccess);
    EXPECT_EQ(cudaEventQuery(event), cudaErrorInvalidResourceHandle);
  }
}

TEST_F(RuntimeTest, HostFunctionsHaveTheirTurnAndMayCallNothing) {
  static thread_local int number_of_thread = 0;
  number_of_thread = 1;
  struct Seen {
    cudaError_t answer = cudaSuccess;
    int number = -1;
  } seen;
  const auto look = [](void* to) {
    size_t free = 0, total = 0;
    *static_cast<Seen*>(to) = {cudaMemGetInfo(&free, &total), number_of_thread};
  };
  EXPECT_EQ(cudaLaunchHostFunc(stream_, look, &seen), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  EXPECT_EQ(seen.answer, cudaErrorNotPermitted);
  EXPECT_EQ(seen.number, 0);
}

TEST_F(RuntimeTest, ADestroyedStreamDoesWhatItWasGiven) {
  const Global<int> value = ToDevice(std::vector<int>{0});
  Launch(stream_, {}, Set, value, 4);
  EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorInvalidResourceHandle);
  stream_ = NewStream();
  EXPECT_EQ(ToHost(value)[0], 4);
}

TEST_F(RuntimeTest, CopiesGoWhereTheirKindSays) {
  const Global<int> device = NewArray<int>(4);
  int host[4] = {}, other[4] = {};
  const auto copy = [&](void* to, const void* from, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, 2 * sizeof(int), kind, stream_);
  };
  EXPECT_EQ(copy(host, device.data, cudaMemcpyHostToHost), cudaErrorInvalidValue);
  EXPECT_EQ(copy(host, device.data, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(copy(device.data, host, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(copy(device.data, host, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(copy(device.data, device.data + 1, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(copy(nullptr, host, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_EQ(copy(host, host, static_cast<cudaMemcpyKind>(7)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMemcpyPeerAsync(device.data, 1, device.data + 2, 0, sizeof(int), stream_), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyPeerAsync(device.data, 2, device.data + 2, 0, sizeof(int), stream_), cudaErrorInvalidDevice);
  EXPECT_EQ(copy(other, host, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_EQ(copy(device.data, host, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(copy(device.data, device.data + 2, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
}

TEST_F(RuntimeTest, CopiesStayInTheirBlock) {
  std::vector<char> host(1000);
  const Global<char> array = NewArray<char>(1000);
  EXPECT_EQ(cudaMemcpyAsync(array.data + 1, host.data(), 1000, cudaMemcpyHostToDevice, stream_), cudaSuccess);
  ExpectFailure(cudaErrorIllegalAddress, "a copy's target: 1000 bytes at [0-9]+ of GPU 0 are not");
}

TEST_F(RuntimeTest, FreedMemoryIsNotUsed) {
  const Global<int> value = NewArray<int>(1);
  Gate gate;
  EXPECT_EQ(cudaLaunchHostFunc(stream_, &Gate::Wait, &gate), cudaSuccess);
  Launch(stream_, {}, Set, value, 1);
  EXPECT_EQ(cudaFree(value.data), cudaSuccess);
  EXPECT_EQ(cudaFree(value.data), cudaErrorInvalidValue);
  gate.is_open = true;
  ExpectFailure(cudaErrorIllegalAddress, "Set");

  Begin({});
  void* pinned = nullptr;
  EXPECT_EQ(cudaHostAlloc(&pinned, sizeof(int), cudaHostAllocDefault), cudaSuccess);
  Gate second;
  EXPECT_EQ(cudaLaunchHostFunc(stream_, &Gate::Wait, &second), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(pinned, NewArray<int>(1).data, sizeof(int), cudaMemcpyDeviceToHost, stream_), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaErrorInvalidValue);
  second.is_open = true;
  ExpectFailure(cudaErrorIllegalAddress, "the host's pinned memory are not, or no longer");
}

TEST_F(RuntimeTest, AFailureStays) {
  const Global<int> value = ToDevice(std::vector<int>{0});
  const cudaStream_t other = NewStream();
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  std::atomic<int> calls = 0;
  Gate gate;
  EXPECT_EQ(cudaLaunchHostFunc(stream_, &Gate::Wait, &gate), cudaSuccess);
  Launch(stream_, {}, OutOfBounds, value);
  EXPECT_EQ(cudaLaunchHostFunc(stream_, &CountUp, &calls), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event), cudaSuccess);
  EXPECT_EQ(cudaLaunchHostFunc(other, &CountUp, &calls), cudaSuccess);
  gate.is_open = true;

  EXPECT_EQ(cudaEventSynchronize(event), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaStreamSynchronize(other), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorLaunchFailure);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 1), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaFree(value.data), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_THROW(Launch(stream_, {}, Set, value, 1), Error);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(EmulatorFailure(stream_).code(), Code::kInternal);
  EXPECT_STREQ(cudaGetErrorString(cudaErrorLaunchFailure), "unspecified launch failure");

  cudaSetDevice(1);
  cudaGetLastError();
  stream_ = NewStream();
  EXPECT_EQ(ToHost(ToDevice(std::vector<int>{3}))[0], 3);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(RuntimeTest, OutOfMemoryDoesNotStay) {
  Begin({.memory = size_t{1} << 20});
  void *first = nullptr, *second = nullptr;
  size_t free = 0, total = 0;
  EXPECT_EQ(cudaMalloc(&first, size_t{3} << 18), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, size_t{3} << 18), cudaErrorMemoryAllocation);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(cudaMalloc(&second, ~size_t{0}), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(free, size_t{1} << 18);
  EXPECT_EQ(total, size_t{1} << 20);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, size_t{3} << 18), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
}

TEST_F(RuntimeTest, FailsAsOftenAsItIsTold) {
  const auto failed = [&](int per_thousand) {
    int count = 0;
    for (uint64_t seed = 0; seed < 40; ++seed) {
      Begin({.memory = size_t{1} << 20, .seed = seed, .failures_per_thousand = per_thousand});
      Launch(stream_, {}, Set, NewArray<int>(1), 1);
      const cudaError_t error = cudaStreamSynchronize(stream_);
      count += error != cudaSuccess;
      EXPECT_EQ(EmulatorFailure(stream_).code(), error == cudaSuccess ? Code::kOk : Code::kUnavailable);
    }
    return count;
  };
  EXPECT_EQ(failed(0), 0);
  EXPECT_EQ(failed(1000), 40);
  const int half = failed(500);
  EXPECT_GT(half, 5);
  EXPECT_LT(half, 35);
  EXPECT_EQ(failed(500), half);
}

TEST_F(RuntimeTest, LaunchesBelongToTheCurrentDevice) {
  const Global<int> value = NewArray<int>(1);
  cudaSetDevice(1);
  EXPECT_THROW(Launch(stream_, {}, Set, value, 1), Error);
  EXPECT_THROW(Launch(nullptr, {}, Set, value, 1), Error);
}

TEST_F(RuntimeTest, DevicesAreListed) {
  Begin({.devices = 3, .memory = size_t{1} << 20});
  int count = 0, version = 0;
  cudaDeviceProp properties;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 2), cudaSuccess);
  EXPECT_EQ(properties.totalGlobalMem, size_t{1} << 20);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 3), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, CUDART_VERSION);
  BeginAnew({.devices = 0});
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  BeginAnew({});
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu
