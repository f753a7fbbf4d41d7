#include "mpi/collective/deadlines.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <exception>

#include "spec/core/little_memory_testing.h"

namespace plumb::dist {
namespace {

using std::chrono::milliseconds;

// Expects a time for which no thread starts where memory ends, and then, with memory, a later one.
[[noreturn]] void ExpectTwice() {
  std::atomic<bool> has_looked = false;
  Deadlines deadlines([&] {
    has_looked = true;
    return Deadlines::kNever;
  });
  const Deadlines::Clock::time_point first = Deadlines::Clock::now();
  bool was_refused = false;
  try {
    const LittleMemory little(0);
    deadlines.Expect(first);
  } catch (const std::exception&) {
    was_refused = true;
  }
  deadlines.Expect(first + milliseconds(1));
  for (int waited = 0; waited < 10'000 && !has_looked; ++waited) std::this_thread::sleep_for(milliseconds(1));
  _exit(was_refused && has_looked ? 0 : 1);
}

// CO7: who waits for a member later than that is still told that it is late.
TEST(DeadlinesDeathTest, AreKeptAfterOneForWhichNoThreadStarted) {
  if (!LittleMemory::kIsKept) GTEST_SKIP() << "sanitizers take memory of their own";
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // no stack of a thread that has ended is left over
  EXPECT_EXIT(ExpectTwice(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace plumb::dist
