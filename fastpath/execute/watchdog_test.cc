#include "fastpath/execute/watchdog.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <iterator>
#include <thread>

#include "fastpath/execute/run_state.h"
#include "spec/core/little_memory_testing.h"

namespace plumb::fast {
namespace {

// Arms for a step that is over at once, since no thread starts where memory ends; and then, with memory, for another.
[[noreturn]] void ArmTwice() {
  alignas(RunState) static std::byte no_step[sizeof(RunState)];
  std::fill(std::begin(no_step), std::end(no_step), std::byte{0xff});  // who touches it ends the process
  auto& step = reinterpret_cast<RunState&>(no_step);
  Watchdog watchdog;
  bool was_refused = false;
  try {
    const LittleMemory little(0);
    const Watchdog::Alarm alarm = watchdog.Arm(/*timeout_ms=*/1, step);
  } catch (const std::exception&) {
    was_refused = true;
  }
  const Watchdog::Alarm later = watchdog.Arm(/*timeout_ms=*/3600 * 1000, step);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the thread looks for what is due when it starts
  _exit(was_refused ? 0 : 1);
}

TEST(WatchdogDeathTest, ForgetsAStepForWhichNoThreadStarts) {
  if (!LittleMemory::kIsKept) GTEST_SKIP() << "sanitizers take memory of their own";
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // no stack of a thread that has ended is left over
  EXPECT_EXIT(ArmTwice(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace plumb::fast
