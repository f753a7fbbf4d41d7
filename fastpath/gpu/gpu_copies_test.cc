// Copies between the host and an emulated GPU: what they wait for, and what they do not. A stream is held by a host
// function; who leaves out an event reads or writes too early meanwhile.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "fastpath/gpu/gpu_device.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int64_t kPiece = Staging::kPiece / sizeof(int32_t);  // elements

// Lets a stream do nothing until it is let go.
class Hold {
 public:
  explicit Hold(Driver::Stream& stream) : stream_(stream) {
    const auto wait = [](void* until) { static_cast<std::promise<void>*>(until)->get_future().wait(); };
    Check(cudaLaunchHostFunc(static_cast<CudaStream&>(stream).handle, wait, &go_on_), "to hold a stream");
  }
  void LetGo(Driver& driver) {
    go_on_.set_value();
    EXPECT_TRUE(driver.Synchronize(stream_).ok());
  }

 private:
  Driver::Stream& stream_;
  std::promise<void> go_on_;
};

Tensor Numbers(int64_t count, int32_t first) {
  Tensor tensor = Allocate(DType::kInt32, Shape({count}));
  for (int32_t& number : tensor.mutable_data<int32_t>()) number = first++;
  return tensor;
}

class GpuCopies : public testing::Test {
 protected:
  using Answer = std::future<std::pair<Status, Tensor>>;

  GpuCopies() { Open(); }
  // Its streams are other ones, late at other times.
  void Open() {
    device_ = std::make_unique<GpuDevice>(driver_, 0, [](const Node&) { return std::shared_ptr<Kernel>(); });
    Check(cudaSetDevice(0), "to choose a GPU");
  }
  static Device::CopyDone Into(const std::shared_ptr<std::promise<std::pair<Status, Tensor>>>& answer) {
    return [answer](const Status& status, Tensor copy) { answer->set_value({status, std::move(copy)}); };
  }
  Answer Come(Tensor value) {
    const auto answer = std::make_shared<std::promise<std::pair<Status, Tensor>>>();
    device_->CopyFromHost(std::move(value), Into(answer));
    return answer->get_future();
  }
  Answer Leave(Tensor value) {
    const auto answer = std::make_shared<std::promise<std::pair<Status, Tensor>>>();
    device_->CopyToHost(0, std::move(value), Into(answer));
    return answer->get_future();
  }
  static Tensor ValueOf(Answer answer) {
    const auto [status, value] = answer.get();
    EXPECT_TRUE(status.ok()) << status.ToString();
    return value;
  }
  static bool IsThere(const Answer& answer, int milliseconds = 0) {
    return answer.wait_for(std::chrono::milliseconds(milliseconds)) == std::future_status::ready;
  }

  const std::shared_ptr<Driver> driver_ = CudaDriver();
  std::unique_ptr<GpuDevice> device_;
};

constexpr int kLong = 20000, kShort = 20;  // milliseconds

TEST_F(GpuCopies, AnswerBeforeTheValueIsThereAndKernelsWaitForIt) {
  Hold arriving(device_->arriving());
  Tensor value = Numbers(1000, 1);
  Answer come = Come(value);
  ASSERT_TRUE(IsThere(come));
  value.mutable_data<int32_t>()[7] = -1;  // it has been read
  Answer leave = Leave(device_->CopyInPlace(ValueOf(std::move(come))));
  EXPECT_FALSE(IsThere(leave, kShort));
  arriving.LetGo(*driver_);
  EXPECT_TRUE(ValueOf(std::move(leave)).BitwiseEquals(Numbers(1000, 1)));
}

TEST_F(GpuCopies, WhatIsBroughtIsThereForTheKernelsBehindIt) {
  Hold arriving(device_->arriving());
  Tensor value = Numbers(10, 1);
  const Tensor there = device_->Bring(value);
  value.mutable_data<int32_t>()[7] = -1;
  Answer leave = Leave(device_->CopyInPlace(there));
  EXPECT_FALSE(IsThere(leave, kShort));
  arriving.LetGo(*driver_);
  EXPECT_TRUE(ValueOf(std::move(leave)).BitwiseEquals(Numbers(10, 1)));
  const Tensor large = Numbers(kPiece + 1, 5);
  EXPECT_TRUE(ValueOf(Leave(device_->Bring(large))).BitwiseEquals(large));
}

TEST_F(GpuCopies, ComeWhileKernelsRun) {
  const Tensor large = Numbers(5 * kPiece, 3);
  ValueOf(Come(large));  // whose memory is let go at once
  device_->Synchronize();
  Hold kernels(device_->kernels());
  Answer come = Come(large);  // answers when the last piece is on its way, through two blocks
  EXPECT_TRUE(IsThere(come, kLong));
  kernels.LetGo(*driver_);
  EXPECT_TRUE(ValueOf(Leave(ValueOf(std::move(come)))).BitwiseEquals(large));
}

TEST_F(GpuCopies, LeaveMemoryAloneThatKernelsStillRead) {
  Tensor first = ValueOf(Come(Numbers(100, 1))), second = ValueOf(Come(Numbers(100, 1)));
  EXPECT_TRUE(driver_->Synchronize(device_->arriving()).ok());
  Hold kernels(device_->kernels());
  const Tensor copies[] = {device_->CopyInPlace(first), device_->CopyInPlace(second)};
  first = Tensor();
  second = Tensor();
  std::vector<Tensor> later;
  for (int i = 0; i < 4; ++i) later.push_back(ValueOf(Come(Numbers(100, 1000))));
  std::this_thread::sleep_for(std::chrono::milliseconds(kShort));
  kernels.LetGo(*driver_);
  for (const Tensor& copy : copies) EXPECT_TRUE(ValueOf(Leave(copy)).BitwiseEquals(Numbers(100, 1)));
  for (const Tensor& value : later) EXPECT_TRUE(ValueOf(Leave(value)).BitwiseEquals(Numbers(100, 1000)));
}

TEST_F(GpuCopies, LeaveBehindTheKernelsBeforeThem) {
  const Tensor large = Numbers(3 * kPiece + 5, 1);
  const Tensor there = ValueOf(Come(large));
  Hold kernels(device_->kernels());
  Answer leave = Leave(device_->CopyInPlace(there));
  EXPECT_FALSE(IsThere(leave, kShort));
  kernels.LetGo(*driver_);
  EXPECT_TRUE(ValueOf(std::move(leave)).BitwiseEquals(large));
}

TEST_F(GpuCopies, GoBothWaysAtOnce) {
  const Tensor large = Numbers(3 * kPiece, 1);
  const Tensor there = ValueOf(Come(large));
  Hold leaving(device_->leaving());
  Answer leave = Leave(there);
  Answer come = Come(large);
  EXPECT_TRUE(IsThere(come, kLong));
  EXPECT_FALSE(IsThere(leave));
  leaving.LetGo(*driver_);
  EXPECT_TRUE(ValueOf(std::move(leave)).BitwiseEquals(large));
}

TEST_F(GpuCopies, BetweenDevicesWaitForTheKernelsOfTheFirst) {
  const Tensor value = Numbers(1000, 1);
  GpuDevice other(driver_, 1, [](const Node&) { return std::shared_ptr<Kernel>(); });
  const Tensor there = ValueOf(Come(value));
  Hold kernels(device_->kernels());
  const auto answer = std::make_shared<std::promise<std::pair<Status, Tensor>>>();
  other.CopyFrom(*device_, 0, device_->CopyInPlace(there), Into(answer));
  Answer come = answer->get_future();
  EXPECT_FALSE(IsThere(come, kShort));
  kernels.LetGo(*driver_);
  const auto back = std::make_shared<std::promise<std::pair<Status, Tensor>>>();
  other.CopyToHost(0, ValueOf(std::move(come)), Into(back));
  EXPECT_TRUE(ValueOf(back->get_future()).BitwiseEquals(value));
}

// Streams are late as their seeds say, each device's otherwise.
TEST_F(GpuCopies, AreRightHoweverLateTheirStreamsAre) {
  for (int round = 0; round < 20; ++round) {
    Open();
    const std::vector<int64_t> counts = {0, 1, kPiece / 2, kPiece, kPiece + 1, 2 * kPiece, 4 * kPiece + 3};
    std::vector<Answer> leaves;
    std::vector<Answer> comes;
    for (size_t i = 0; i < counts.size(); ++i) comes.push_back(Come(Numbers(counts[i], round + static_cast<int>(i))));
    for (Answer& come : comes) leaves.push_back(Leave(device_->CopyInPlace(ValueOf(std::move(come)))));
    for (size_t i = 0; i < counts.size(); ++i) {
      const Tensor back = ValueOf(std::move(leaves[i]));
      EXPECT_TRUE(back.BitwiseEquals(Numbers(counts[i], round + static_cast<int>(i)))) << counts[i] << ", " << round;
    }
  }
}

TEST_F(GpuCopies, GoWithoutPinnedMemoryWhereNoneIsLeft) {
  std::vector<std::shared_ptr<char>> taken;
  for (const size_t bytes : {Staging::kPiece, size_t{1} << 16, size_t{1}}) {
    while (std::shared_ptr<char> block = driver_->TakePinned(bytes)) taken.push_back(block);
  }
  for (const int64_t count : {int64_t{3}, kPiece + 1}) {
    const Tensor value = Numbers(count, 1);
    EXPECT_TRUE(ValueOf(Leave(ValueOf(Come(value)))).BitwiseEquals(value));
    EXPECT_TRUE(ValueOf(Leave(device_->Bring(value))).BitwiseEquals(value));
  }
  taken.pop_back();
  EXPECT_NE(driver_->TakePinned(1), nullptr);
  EXPECT_EQ(driver_->TakePinned(Staging::kPiece + 1), nullptr);
}

}  // namespace
}  // namespace plumb::fast::GPU_NAMESPACE
