// What tests of the emulator share: a device that begins anew, a stream of it, and arrays in its memory.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fastpath/gpu/emulator/emulator.h"
#include "fastpath/gpu/emulator/include/gpu_language.h"
#include "fastpath/gpu/runtime/forget_driver.h"

namespace plumb::fast::emulated_gpu {

// Devices that begin anew, and the driver of this process with them, whose events and memory are of the old ones.
inline void BeginAnew(const EmulatorOptions& options) {
  ForgetCudaDriver();
  ConfigureEmulator(options);
}

class EmulatorTest : public testing::Test {
 protected:
  void SetUp() override { Begin({}); }

  void Begin(const EmulatorOptions& options) {
    BeginAnew(options);
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    cudaGetLastError();
    stream_ = NewStream();
  }
  static cudaStream_t NewStream() {
    cudaStream_t stream = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    return stream;
  }
  template <class T>
  static Global<T> NewArray(int64_t size) {
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, static_cast<size_t>(size) * sizeof(T)), cudaSuccess);
    return Global<T>(static_cast<T*>(memory), size);
  }
  template <class T>
  Global<T> ToDevice(const std::vector<T>& values) {
    const Global<T> array = NewArray<T>(static_cast<int64_t>(values.size()));
    EXPECT_EQ(cudaMemcpyAsync(array.data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, stream_),
              cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    return array;
  }
  template <class T>
  std::vector<T> ToHost(Global<T> array) {
    std::vector<T> values(static_cast<size_t>(array.size));
    EXPECT_EQ(cudaMemcpyAsync(values.data(), array.data, values.size() * sizeof(T), cudaMemcpyDeviceToHost, stream_),
              cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    return values;
  }
  // The stream's device has failed so, and says `words` of it.
  void ExpectFailure(cudaError_t error, const std::string& words) {
    EXPECT_EQ(cudaStreamSynchronize(stream_), error);
    EXPECT_THAT(EmulatorFailure(stream_).message(), testing::ContainsRegex(words));
  }

  cudaStream_t stream_ = nullptr;
};

}  // namespace plumb::fast::emulated_gpu
