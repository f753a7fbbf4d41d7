// Events, blocks of a device's memory and pinned blocks of the host's, which are used again.
#include <gtest/gtest.h>

#include <future>

#include "fastpath/gpu/runtime/cuda_driver.h"
#include "fastpath/gpu/runtime/events.h"
#include "fastpath/gpu/runtime/pinned.h"
#include "fastpath/gpu/runtime/pool.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

class Pools : public testing::Test {
 protected:
  Pools() : driver_(CudaDriver()), stream_(driver_->NewStream(0)) {
    Check(cudaSetDevice(0), "to choose a GPU");
    handle_ = static_cast<CudaStream&>(*stream_).handle;
  }

  const std::shared_ptr<Driver> driver_;
  const std::shared_ptr<Driver::Stream> stream_;
  cudaStream_t handle_ = nullptr;
};

TEST_F(Pools, AnEventIsRecordedAgainOnceNobodyHoldsIt) {
  const auto pool = std::make_shared<EventPool>();
  std::shared_ptr<CudaEvent> event = pool->Record(handle_);
  std::shared_ptr<CudaEvent> holder = event;
  cudaEvent_t const handle = event->handle();
  event.reset();
  EXPECT_NE(pool->Record(handle_)->handle(), handle) << "somebody holds it";
  holder.reset();
  EXPECT_EQ(pool->Record(handle_)->handle(), handle) << "of those that are free it was the last in use";
}

TEST_F(Pools, AnEventThatHasNotHappenedIsNoError) {
  std::promise<void> go_on;
  const auto wait = [](void* until) { static_cast<std::promise<void>*>(until)->get_future().wait(); };
  Check(cudaLaunchHostFunc(handle_, wait, &go_on), "to hold a stream");
  const std::shared_ptr<CudaEvent> event = std::make_shared<EventPool>()->Record(handle_);
  EXPECT_EQ(event->Query(), cudaErrorNotReady);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_FALSE(driver_->HasHappened(*event));
  go_on.set_value();
  EXPECT_TRUE(driver_->Synchronize(*stream_).ok());
  EXPECT_EQ(event->Query(), cudaSuccess);
  EXPECT_TRUE(driver_->HasHappened(*event));
}

TEST_F(Pools, ABlockIsGivenAgainForItsSize) {
  Pool pool(0, [] {});
  const DevicePointer small = pool.Allocate(100), large = pool.Allocate(100000), none = pool.Allocate(0);
  EXPECT_NE(small, large);
  EXPECT_NE(none, nullptr);
  pool.Free(small);
  EXPECT_NE(pool.Allocate(100000), small);
  EXPECT_EQ(pool.Allocate(100), small);
  EXPECT_NE(pool.Allocate(100), small) << "it is in use";
  pool.Free(small);
  EXPECT_THROW(pool.Free(small), Error);
}

// From a slab they come from the end on, so that the distance between two is their size.
TEST_F(Pools, PinnedBlocksAreOfTheSmallestSizeThatSuffices) {
  const auto pool = std::make_shared<PinnedPool>();
  for (const size_t size : {size_t{1} << 12, size_t{1} << 16}) {
    std::shared_ptr<char> first = pool->Take(size);
    const std::shared_ptr<char> second = pool->Take(size - 1);
    ASSERT_NE(first, nullptr) << size;
    EXPECT_EQ(first.get() - second.get(), static_cast<ptrdiff_t>(size));
    char* const place = first.get();
    first.reset();
    EXPECT_EQ(pool->Take(size).get(), place) << "it was given back";
  }
  EXPECT_NE(pool->Take(size_t{1} << 20), nullptr);
  EXPECT_EQ(pool->Take((size_t{1} << 20) + 1), nullptr);
}

TEST(CudaErrors, HaveTheCodesOfTheirKinds) {
  const auto code = [](cudaError_t error) { return StatusOf(error, "it").code(); };
  EXPECT_EQ(code(cudaSuccess), Code::kOk);
  EXPECT_EQ(code(cudaErrorMemoryAllocation), Code::kResourceExhausted);
  EXPECT_EQ(code(cudaErrorNoDevice), Code::kUnavailable);
  EXPECT_EQ(code(cudaErrorInsufficientDriver), Code::kUnavailable);
  EXPECT_EQ(code(cudaErrorIllegalAddress), Code::kInternal);
}

}  // namespace
}  // namespace plumb::fast::GPU_NAMESPACE
