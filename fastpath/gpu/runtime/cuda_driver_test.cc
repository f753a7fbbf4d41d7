#include "fastpath/gpu/runtime/cuda_driver.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "gpu_language.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

PLUMB_GPU_KERNEL NothingLoop(int64_t) {}

// The runtime remembers what it refused, and a launch asks for what it remembers.
TEST(CudaDriver, ALaunchIsNotBlamedForWhatWasRefusedBefore) {
  const std::shared_ptr<Driver> driver = NewCudaDriver();
  const std::shared_ptr<Driver::Stream> stream = driver->NewStream(0);
  const auto launch = [&] { Launch(static_cast<CudaStream&>(*stream).handle, GridSize{}, NothingLoop, int64_t{0}); };
  EXPECT_THROW(Check(cudaSetDevice(1 << 20), "to choose a GPU"), Error);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_NO_THROW(launch());
  EXPECT_TRUE(driver->Synchronize(*stream).ok());
}

// What an answer holds is let go when it was given, whether or not somebody waits for another.
TEST(CudaDriver, AnAnswerIsNotKept) {
  const std::shared_ptr<Driver> driver = NewCudaDriver();
  const std::shared_ptr<Driver::Stream> stream = driver->NewStream(0);
  auto held = std::make_shared<int>(0);
  const std::weak_ptr<int> seen = held;
  driver->Notify(*stream, [held = std::move(held)](const Status&) {});
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!seen.expired() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_TRUE(seen.expired());
}

}  // namespace
}  // namespace plumb::fast::GPU_NAMESPACE
