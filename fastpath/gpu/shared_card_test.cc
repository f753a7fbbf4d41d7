// Sessions have a device each, and cards of a process are few: devices of one card share its memory.
#include <gtest/gtest.h>

#include <future>

#include "fastpath/gpu/gpu_device.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Memory is given out while work that uses it is still queued.
TEST(SharedCard, ADeviceDoesNotWriteIntoWhatAnotherOneGotFromIt) {
  const auto first_card = [] { return OpenDevices(1, [](const Node&) { return std::shared_ptr<Kernel>(); }); };
  const auto ours = first_card(), theirs = first_card();
  auto& one = dynamic_cast<GpuDevice&>(*ours.at(0));
  auto& other = dynamic_cast<GpuDevice&>(*theirs.at(0));
  const Shape shape({1000});
  std::promise<void> goes_on;
  const auto hold = [](void* until) { static_cast<std::promise<void>*>(until)->get_future().wait(); };
  Check(cudaLaunchHostFunc(one.stream(), hold, &goes_on), "to hold the stream");
  const void* freed = nullptr;
  {
    Tensor given = one.NewTensor(DType::kInt64, shape);
    Check(cudaMemsetAsync(given.mutable_raw(), 0xff, given.bytes(), one.stream()), "to write");
    freed = given.raw();
  }
  Tensor got = other.NewTensor(DType::kInt64, shape);
  ASSERT_EQ(got.raw(), freed);
  Check(cudaMemsetAsync(got.mutable_raw(), 0, got.bytes(), other.stream()), "to clear memory");
  goes_on.set_value();
  EXPECT_TRUE(one.driver().Synchronize(one.kernels()).ok());
  const Tensor seen = static_cast<const DeviceMemory&>(*got.buffer()->space).CopyToHost(got);
  for (const int64_t number : seen.data<int64_t>()) ASSERT_EQ(number, 0);
}

}  // namespace
}  // namespace plumb::fast::GPU_NAMESPACE
