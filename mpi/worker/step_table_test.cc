#include "mpi/worker/step_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace plumb::dist {
namespace {

// Workers forget all steps that are older than the oldest they are told of, so a step that goes on is never older than
// that, however many begin at once.
TEST(StepTables, NeverSayThatAStepIsOverWhichGoesOn) {
  constexpr int kThreads = 4, kSteps = 20'000;
  StepTable table(1, 0, [](StepName name) { return std::make_shared<Step>(name, nullptr); });
  std::atomic<int64_t> told{0};
  std::atomic<int> forgotten{0};
  const auto client = [&] {
    for (int i = 0; i < kSteps; ++i) {
      const int64_t number = table.AddOwn()->name.number;
      const int64_t oldest = table.OldestOwn(number);
      int64_t before = told;
      while (before < oldest && !told.compare_exchange_weak(before, oldest)) {
      }
      if (told > number) ++forgotten;
      table.RemoveOwn(number);
    }
  };
  std::vector<std::thread> clients;
  for (int i = 0; i < kThreads; ++i) clients.emplace_back(client);
  for (std::thread& each : clients) each.join();
  EXPECT_EQ(forgotten, 0);
  EXPECT_EQ(table.AddOwn()->name.number, kThreads * kSteps + 1);
}

}  // namespace
}  // namespace plumb::dist
