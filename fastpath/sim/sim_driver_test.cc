// Laws of the simulated driver: memory apart, streams in order, failures that stay.
#include "fastpath/sim/sim_driver.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "fastpath/sim/sim_memory.h"
#include "spec/core/status_testing.h"

namespace plumb::fast {
namespace {

constexpr size_t kSmall = size_t{1} << 20;

TEST(SimMemory, CrashesWhoFollowsItsAddresses) {
  SimMemory memory(kSmall);
  volatile char* const address = memory.Allocate(100);
  *memory.Follow(const_cast<DevicePointer>(address)) = 7;
  EXPECT_EQ(*memory.Follow(const_cast<DevicePointer>(address)), 7);
  EXPECT_DEATH(*address = 1, "");
}

TEST(SimMemory, GivesBackWhatIsFreed) {
  SimMemory memory(kSmall);
  std::vector<DevicePointer> blocks;
  for (int i = 0; i < 16; ++i) blocks.push_back(memory.Allocate(kSmall / 16));
  EXPECT_THROW(memory.Allocate(1), Error);
  for (const int i : {3, 1, 2, 0, 15, 13, 14, 12, 4, 5, 6, 7, 11, 10, 9, 8}) memory.Free(blocks[i]);
  EXPECT_EQ(memory.allocated(), 0u);
  EXPECT_EQ(memory.Allocate(kSmall), blocks[0]);
}

TEST(SimDriver, AStreamDoesOneThingAfterTheOther) {
  const auto driver = NewSimDriver({.seed = 3, .memory = kSmall});
  const auto stream = driver->NewStream(0);
  const DevicePointer memory = driver->Allocate(0, sizeof(int));
  const int start = 0;
  int end = -1;
  driver->CopyToDevice(*stream, memory, &start, sizeof(int));
  for (int i = 0; i < 100; ++i) {
    driver->Launch(*stream, [=](const SimDriver::Follow& follow) {
      unsigned value;
      std::memcpy(&value, follow(memory), sizeof(int));
      value = 3 * value + static_cast<unsigned>(i);
      std::memcpy(follow(memory), &value, sizeof(int));
      return OkStatus();
    });
  }
  driver->CopyToHost(*stream, &end, memory, sizeof(int));
  EXPECT_TRUE(driver->Synchronize(*stream).ok());
  unsigned expected = 0;
  for (unsigned i = 0; i < 100; ++i) expected = 3 * expected + i;
  EXPECT_EQ(static_cast<unsigned>(end), expected);
  driver->Free(0, memory);
}

TEST(SimDriver, EventsOrderStreams) {
  const auto driver = NewSimDriver({.devices = 2, .memory = kSmall});
  for (int round = 0; round < 20; ++round) {
    const auto first = driver->NewStream(0), second = driver->NewStream(1);
    std::atomic<bool> may_go = false, seen = false;
    driver->Launch(*first, [&](const SimDriver::Follow&) {
      while (!may_go) std::this_thread::yield();
      seen = true;
      return OkStatus();
    });
    const auto event = driver->Record(*first);
    bool was_seen = false;
    driver->Wait(*second, event);
    driver->Launch(*second, [&](const SimDriver::Follow&) {
      was_seen = seen;
      return OkStatus();
    });
    EXPECT_FALSE(driver->HasHappened(*event));
    may_go = true;
    EXPECT_TRUE(driver->Synchronize(*second).ok());
    EXPECT_TRUE(was_seen);
    EXPECT_TRUE(driver->HasHappened(*event));
  }
}

TEST(SimDriver, AFailureSpoilsItsStreamAlone) {
  const auto driver = NewSimDriver({.memory = kSmall});
  const auto stream = driver->NewStream(0), other = driver->NewStream(0);
  driver->Launch(*stream, [](const SimDriver::Follow&) { return Status(Code::kDataLoss, "first"); });
  bool ran = false;
  driver->Launch(*stream, [&](const SimDriver::Follow&) {
    ran = true;
    return Status(Code::kInternal, "second");
  });
  EXPECT_EQ(driver->Synchronize(*stream).code(), Code::kDataLoss);
  EXPECT_FALSE(ran);
  EXPECT_TRUE(driver->Synchronize(*other).ok());
}

TEST(SimDriver, FailsAsOftenAsItIsTold) {
  const auto failed = [](int per_thousand) {
    const auto driver = NewSimDriver({.failures_per_thousand = per_thousand, .memory = kSmall});
    int count = 0;
    for (int i = 0; i < 40; ++i) {
      const auto stream = driver->NewStream(0);
      driver->Launch(*stream, [](const SimDriver::Follow&) { return OkStatus(); });
      count += !driver->Synchronize(*stream).ok();
    }
    return count;
  };
  EXPECT_EQ(failed(0), 0);
  EXPECT_EQ(failed(1000), 40);
  EXPECT_GT(failed(500), 5);
  EXPECT_LT(failed(500), 35);
}

TEST(SimDriver, HasNoMoreDevicesThanAreSimulated) {
  EXPECT_EQ(NewSimDriver({.devices = kMaxSimDevices, .memory = kSmall})->devices(), kMaxSimDevices);
  const Status status = StatusOf([] { NewSimDriver({.devices = kMaxSimDevices + 1, .memory = kSmall}); });
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.message(),
            Str("there are at most ", kMaxSimDevices, " simulated devices, not ", kMaxSimDevices + 1));
}

}  // namespace
}  // namespace plumb::fast
