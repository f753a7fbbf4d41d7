#include "backends/devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "backends/backends.h"

namespace plumb {
namespace {

using testing::HasSubstr;

bool IsCard(const DeviceDescription& device) { return device.name.starts_with("/device:GPU:") && device.memory > 0; }

TEST(Devices, EitherHaveACardOrSayWhatIsMissing) {
  const DeviceList list = ListDevices();
  const bool has_card = std::any_of(list.devices.begin(), list.devices.end(), IsCard);
  EXPECT_EQ(has_card, list.no_gpu.empty());
  if (has_card) return;
  EXPECT_THAT(list.no_gpu, HasSubstr("no GPU can be used"));
}

TEST(Devices, ASessionThatAsksForAMissingCardIsToldTheSame) {
  const DeviceList list = ListDevices();
  if (list.no_gpu.empty()) {
    EXPECT_NO_THROW(OpenSession("gpu"));
    return;
  }
  for (const char* const backend : {"gpu", "gpu:0", "gpu:3"}) {
    try {
      OpenSession(backend);
      FAIL() << backend << " opened";
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kUnavailable);
      EXPECT_EQ(error.status().message(), list.no_gpu);
    }
  }
}

TEST(Devices, NumbersOfCardsAreRead) {
  EXPECT_EQ(DeviceOf("gpu"), "/device:GPU:0");
  EXPECT_EQ(DeviceOf("gpu:3"), "/device:GPU:3");
  EXPECT_EQ(DeviceOf("gpu-emulated"), "/device:GPU:0");
  EXPECT_EQ(DeviceOf("cpu"), "");
  for (const char* const unknown : {"gpu:", "gpu:x", "gpu:1x", "gpus"}) {
    EXPECT_EQ(DeviceOf(unknown), "");
    EXPECT_THROW(OpenSession(unknown), Error) << unknown;
  }
}

TEST(Devices, WhatAGpuHasAKernelForIsSaidByOpAndTypes) {
  EXPECT_TRUE(HasGpuKernel("MatMul"));
  EXPECT_FALSE(HasGpuKernel("StringJoin"));
  EXPECT_FALSE(HasGpuKernel("NoSuchOp"));
  EXPECT_TRUE(HasGpuKernelFor("MatMul", {{"T", DType::kFloat}}));
  EXPECT_FALSE(HasGpuKernelFor("MatMul", {{"T", DType::kInt32}}));
}

}  // namespace
}  // namespace plumb
