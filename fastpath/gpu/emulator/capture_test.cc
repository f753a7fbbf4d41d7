// Laws of captures in the fake CUDA runtime: what is written down is done by each launch, and what the toolkit refuses
// while a stream captures is refused, and ends the capture in nothing.
#include <functional>
#include <string>
#include <thread>

#include "fastpath/gpu/emulator/emulator_testing.h"

namespace plumb::fast::emulated_gpu {
namespace {

PLUMB_GPU_KERNEL TripleAndAdd(Global<int> value, int term) { value[0] = 3 * (value[0] % 1000) + term; }
PLUMB_GPU_KERNEL OutOfBounds(Global<int> value) { value[value.size] = 1; }

class CaptureTest : public EmulatorTest {
 protected:
  void BeginCapture(cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal) {
    EXPECT_EQ(cudaStreamBeginCapture(stream_, mode), cudaSuccess);
  }
  cudaGraph_t EndCapture(cudaError_t expected = cudaSuccess) {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), expected);
    EXPECT_EQ(graph != nullptr, expected == cudaSuccess);
    return graph;
  }
  static cudaGraphExec_t Ready(cudaGraph_t graph) {
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiateWithFlags(&exec, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    return exec;
  }
  static cudaEvent_t NewEvent() {
    cudaEvent_t event = nullptr;
    EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
    return event;
  }
};

TEST_F(CaptureTest, WhatIsCapturedIsDoneByEachLaunchAndNotBefore) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Begin({.seed = seed});
    const Global<int> value = ToDevice(std::vector<int>{1}), copy = ToDevice(std::vector<int>{0});
    const LaunchCounts before = EmulatorLaunches();
    BeginCapture();
    int expected = 1;
    for (int term = 0; term < 5; ++term) Launch(stream_, {}, TripleAndAdd, value, term);
    EXPECT_EQ(cudaMemcpyAsync(copy.data, value.data, sizeof(int), cudaMemcpyDeviceToDevice, stream_), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(value.data, 0, 1, stream_), cudaSuccess);
    const cudaGraph_t graph = EndCapture();
    size_t pieces = 0;
    EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &pieces), cudaSuccess);
    EXPECT_EQ(pieces, 7u);
    EXPECT_EQ(ToHost(value)[0], 1);
    const cudaGraphExec_t exec = Ready(graph);
    int copied = 0;
    for (int launch = 0; launch < 3; ++launch) {
      EXPECT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
      for (int term = 0; term < 5; ++term) expected = 3 * (expected % 1000) + term;
      copied = expected;
      expected &= ~0xff;
    }
    EXPECT_EQ(ToHost(value)[0], expected);
    EXPECT_EQ(ToHost(copy)[0], copied);
    EXPECT_EQ(EmulatorLaunches().graphs - before.graphs, 3);
    EXPECT_EQ(EmulatorLaunches().kernels, before.kernels);
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  }
}

TEST_F(CaptureTest, OneGraphIsDoneOnceAtATime) {
  const Global<int> value = ToDevice(std::vector<int>{1});
  BeginCapture();
  for (int term = 0; term < 20; ++term) Launch(stream_, {}, TripleAndAdd, value, term);
  const cudaGraphExec_t exec = Ready(EndCapture());
  const cudaStream_t other = NewStream();
  int expected = 1;
  for (int launch = 0; launch < 10; ++launch) {
    EXPECT_EQ(cudaGraphLaunch(exec, launch % 2 == 0 ? stream_ : other), cudaSuccess);
    for (int term = 0; term < 20; ++term) expected = 3 * (expected % 1000) + term;
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(ToHost(value)[0], expected);
}

TEST_F(CaptureTest, StreamsThatWaitTakePartUntilTheyAreJoined) {
  const Global<int> value = ToDevice(std::vector<int>{1});
  const cudaStream_t other = NewStream();
  const cudaEvent_t forked = NewEvent(), joined = NewEvent();
  for (const bool joins : {true, false}) {
    BeginCapture();
    Launch(stream_, {}, TripleAndAdd, value, 1);
    EXPECT_EQ(cudaEventRecord(forked, stream_), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(other, forked), cudaSuccess);
    Launch(other, {}, TripleAndAdd, value, 2);
    EXPECT_EQ(cudaEventRecord(joined, other), cudaSuccess);
    if (!joins) {
      EndCapture(cudaErrorStreamCaptureUnjoined);
      continue;
    }
    EXPECT_EQ(cudaStreamWaitEvent(stream_, joined), cudaSuccess);
    const cudaGraphExec_t exec = Ready(EndCapture());
    EXPECT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
    EXPECT_EQ(ToHost(value)[0], 3 * (3 + 1) + 2);
  }
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  EXPECT_EQ(cudaStreamIsCapturing(other, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
}

// A stream that takes part and is given more than what was waited for.
TEST_F(CaptureTest, WhatIsLaunchedBehindTheLastJoinIsNotJoined) {
  const Global<int> value = ToDevice(std::vector<int>{1});
  const cudaStream_t other = NewStream();
  const cudaEvent_t event = NewEvent();
  BeginCapture();
  EXPECT_EQ(cudaEventRecord(event, stream_), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event), cudaSuccess);
  Launch(other, {}, TripleAndAdd, value, 2);
  EXPECT_EQ(cudaEventRecord(event, other), cudaSuccess);
  Launch(other, {}, TripleAndAdd, value, 3);
  EXPECT_EQ(cudaStreamWaitEvent(stream_, event), cudaSuccess);
  EndCapture(cudaErrorStreamCaptureUnjoined);
}

// What may not be called while a stream captures, by the thread that captures.
TEST_F(CaptureTest, WhatCannotBeWrittenDownIsRefusedAndEndsTheCaptureInNothing) {
  const Global<int> value = ToDevice(std::vector<int>{1});
  const cudaStream_t other = NewStream();
  const cudaEvent_t outside = NewEvent(), unrelated = NewEvent();
  EXPECT_EQ(cudaEventRecord(outside, other), cudaSuccess);
  void* memory = nullptr;
  int on_host = 0;
  struct Call {
    const char* name;
    std::function<cudaError_t()> run;
    cudaError_t expected = cudaErrorStreamCaptureUnsupported;
  };
  const Call calls[] = {
      {"StreamSynchronize", [&] { return cudaStreamSynchronize(stream_); }},
      {"StreamSynchronize of another", [&] { return cudaStreamSynchronize(other); }},
      {"StreamQuery", [&] { return cudaStreamQuery(stream_); }},
      {"DeviceSynchronize", [&] { return cudaDeviceSynchronize(); }},
      {"Malloc", [&] { return cudaMalloc(&memory, 4); }},
      {"Free", [&] { return cudaFree(value.data); }},
      {"HostAlloc", [&] { return cudaHostAlloc(&memory, 4, cudaHostAllocDefault); }},
      {"EventQuery", [&] { return cudaEventQuery(unrelated); }},
      {"EventSynchronize", [&] { return cudaEventSynchronize(outside); }},
      {"StreamWaitEvent", [&] { return cudaStreamWaitEvent(stream_, outside); }, cudaErrorStreamCaptureIsolation},
      {"a copy of unpinned memory",
       [&] { return cudaMemcpyAsync(value.data, &on_host, sizeof(int), cudaMemcpyHostToDevice, stream_); }},
      {"StreamDestroy", [&] { return cudaStreamDestroy(stream_); }},
  };
  for (const Call& call : calls) {
    BeginCapture();
    Launch(stream_, {}, TripleAndAdd, value, 1);
    EXPECT_EQ(call.run(), call.expected) << call.name;
    EXPECT_EQ(cudaMemsetAsync(value.data, 0, 1, stream_), cudaErrorStreamCaptureInvalidated) << call.name;
    EXPECT_THROW(Launch(stream_, {}, TripleAndAdd, value, 1), Error) << call.name;
    EndCapture(cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(ToHost(value)[0], 1) << call.name;
  }
}

TEST_F(CaptureTest, EventsOfACaptureAreNotAsked) {
  const cudaEvent_t event = NewEvent();
  for (const bool synchronizes : {true, false}) {
    BeginCapture(cudaStreamCaptureModeRelaxed);
    EXPECT_EQ(cudaEventRecord(event, stream_), cudaSuccess);
    EXPECT_EQ(synchronizes ? cudaEventSynchronize(event) : cudaEventQuery(event), cudaErrorCapturedEvent);
    EndCapture(cudaErrorStreamCaptureInvalidated);
  }
  BeginCapture();
  EXPECT_EQ(cudaEventRecord(event, stream_), cudaSuccess);
  EndCapture();
  EXPECT_EQ(cudaStreamWaitEvent(stream_, event), cudaErrorCapturedEvent);
}

TEST_F(CaptureTest, OthersGoOnMeanwhileUnlessTheModeForbidsIt) {
  void* memory = nullptr;
  const auto allocates_elsewhere = [&] {
    cudaError_t error = cudaSuccess;
    std::thread([&] { error = cudaMalloc(&memory, 4); }).join();
    return error;
  };
  BeginCapture();
  EXPECT_EQ(allocates_elsewhere(), cudaSuccess);
  EndCapture();
  BeginCapture(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaSuccess);
  EndCapture();
  BeginCapture(cudaStreamCaptureModeGlobal);
  EXPECT_EQ(allocates_elsewhere(), cudaErrorStreamCaptureUnsupported);
  EndCapture(cudaErrorStreamCaptureInvalidated);
}

TEST_F(CaptureTest, CapturesBeginAndEndInOrderAndOnOneThread) {
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorIllegalState);
  BeginCapture();
  EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), cudaErrorIllegalState);
  std::thread([&] { EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureWrongThread); }).join();
  EndCapture();
  EXPECT_EQ(cudaGraphDestroy(nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphLaunch(nullptr, stream_), cudaErrorInvalidValue);
}

TEST_F(CaptureTest, AGraphNeedsMemoryToBeMadeReady) {
  Begin({.devices = 1, .memory = 4096});
  const Global<int> all = NewArray<int>(1024);
  BeginCapture();
  Launch(stream_, {}, TripleAndAdd, all, 1);
  const cudaGraph_t graph = EndCapture();
  cudaGraphExec_t exec = nullptr;
  EXPECT_EQ(cudaGraphInstantiateWithFlags(&exec, graph, 0), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaFree(all.data), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiateWithFlags(&exec, graph, 0), cudaSuccess);
}

TEST_F(CaptureTest, WorkOfAGraphFailsAsAnyOther) {
  const Global<int> value = ToDevice(std::vector<int>{1});
  BeginCapture();
  Launch(stream_, {}, OutOfBounds, value);
  const cudaGraphExec_t exec = Ready(EndCapture());
  EXPECT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
  ExpectFailure(cudaErrorLaunchFailure, "element 1 of device memory of 1 elements");
  EXPECT_EQ(cudaGraphLaunch(exec, stream_), cudaErrorLaunchFailure);
}

TEST_F(CaptureTest, AGraphIsNotDestroyedBeforeItIsDone) {
  const Global<int> value = ToDevice(std::vector<int>{1});
  BeginCapture();
  Launch(stream_, {}, TripleAndAdd, value, 1);
  const cudaGraphExec_t exec = Ready(EndCapture());
  std::atomic<bool> is_open = false;
  const auto wait = [](void* gate) {
    while (!*static_cast<std::atomic<bool>*>(gate)) std::this_thread::yield();
  };
  EXPECT_EQ(cudaLaunchHostFunc(stream_, wait, &is_open), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaErrorIllegalAddress);
  is_open = true;
  ExpectFailure(cudaErrorIllegalAddress, "destroyed before");
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu
