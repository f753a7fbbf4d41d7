// Copies to and from a GPU that fails under way: each is answered once, and what is said to have come has come.
#include <future>
#include <utility>

#include "fastpath/gpu/emulator/emulator_testing.h"
#include "fastpath/gpu/gpu_device.h"

namespace plumb::fast::emulated_gpu {
namespace {

TEST(FailingCopies, AreAnsweredOnce) {
  Tensor value = Allocate(DType::kInt32, Shape({int64_t{5} * Staging::kPiece / 4}));
  int32_t number = 0;
  for (int32_t& element : value.mutable_data<int32_t>()) element = ++number;
  int failed = 0, came_back = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    BeginAnew({.seed = seed, .failures_per_thousand = seed % 2 == 0 ? 100 : 20});
    GpuDevice device(NewCudaDriver(), 0, [](const Node&) { return std::shared_ptr<Kernel>(); });
    std::promise<std::pair<Status, Tensor>> come, leave;  // a second answer would throw
    try {
      device.CopyFromHost(value, [&](const Status& status, Tensor copy) { come.set_value({status, std::move(copy)}); });
      const auto [status, there] = come.get_future().get();
      failed += !status.ok();
      if (!status.ok()) continue;
      device.CopyToHost(0, there, [&](const Status& outcome, Tensor copy) {
        leave.set_value({outcome, std::move(copy)});
      });
    } catch (const Error&) {
      ++failed;  // it could not be begun
      device.Synchronize();
      continue;
    }
    const auto [status, back] = leave.get_future().get();
    failed += !status.ok();
    came_back += status.ok();
    EXPECT_TRUE(!status.ok() || back.BitwiseEquals(value)) << seed;
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(came_back, 0);
  BeginAnew({});
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu
