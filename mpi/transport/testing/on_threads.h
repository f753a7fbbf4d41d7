// A check of suite.h whose ranks are threads of this process, as a part of a GoogleTest test.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "mpi/transport/testing/suite.h"

namespace plumb::dist {

// `ends`: of ranks 0, 1, …, which are started here, and stopped at the end. `crash` ends a rank as SIGKILL would.
inline void ExpectKept(const Check& check, const std::vector<std::unique_ptr<Transport>>& ends,
                       const std::function<void(int rank)>& crash) {
  std::vector<Mailbox> boxes(ends.size());
  std::vector<std::thread> threads;
  for (int rank = 0; rank < static_cast<int>(ends.size()); ++rank) {
    threads.emplace_back([&, rank] {
      Seat seat{*ends[rank], boxes[rank], [&, rank] { crash(rank); }};
      seat.end.Start(&seat.box);
      try {
        check.run(seat);
        if (check.after == Check::After::kGoesOn) Meet(seat);
      } catch (const Error& error) {
        ADD_FAILURE() << "rank " << rank << ": " << error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& end : ends) {
    EXPECT_EQ(end->traffic().payloads_copied, 0);
    end->Stop();
  }
}

}  // namespace plumb::dist
