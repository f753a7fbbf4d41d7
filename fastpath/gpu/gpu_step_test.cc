#include "fastpath/gpu/gpu_step.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "fastpath/gpu/gpu_device.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

std::unique_ptr<Device> FirstDevice() {
  return std::move(OpenDevices(1, [](const Node&) { return std::shared_ptr<Kernel>(); }).at(0));
}

// Another thread's kernel may take the first slot of a block between a copy's wait for the kernels before it and the
// examination that goes with the copy.
TEST(GpuStep, AnExaminationOnAnotherStreamWaitsUntilItsSlotsAreCleared) {
  const std::unique_ptr<Device> opened = FirstDevice();
  auto& device = dynamic_cast<GpuDevice&>(*opened);
  Driver& driver = device.driver();
  GpuStep step(device, [](const Status&) {});
  std::promise<void> kernels_go_on;
  const auto hold = [](void* until) { static_cast<std::promise<void>*>(until)->get_future().wait(); };
  Check(cudaLaunchHostFunc(device.stream(), hold, &kernels_go_on), "to hold the stream");
  step.NewSlot([](int64_t number) { return InvalidArgument("the slot held ", number).status(); });
  const auto copies = driver.NewStream(device.number());
  const auto examine = step.QueueExamination(*copies);
  const auto copied = driver.Record(*copies);
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(driver.HasHappened(*copied));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kernels_go_on.set_value();
  EXPECT_TRUE(driver.Synchronize(*copies).ok());
  examine();
  EXPECT_TRUE(step.status().ok()) << step.status().ToString();
}

}  // namespace
}  // namespace plumb::fast::GPU_NAMESPACE
