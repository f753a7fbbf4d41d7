#include "mpi/simulation/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace plumb::dist {
namespace {

// Round numbers, and nothing that is drawn.
NetworkOptions Plain() {
  NetworkOptions options;
  options.bytes_per_second = 100;
  options.latency = 2;
  options.jitter = 0;
  return options;
}

TEST(VirtualNetwork, HappensInTheOrderOfItsTimes) {
  VirtualNetwork network(1, Plain());
  std::string order;
  network.After(2, [&] { order += 'c'; });
  network.After(1, [&] {
    order += 'a';
    network.After(1, [&] { order += 'd'; });
  });
  network.After(1, [&] { order += 'b'; });
  network.Run();
  EXPECT_EQ(order, "abcd");
  EXPECT_EQ(network.now(), 2);
}

TEST(VirtualNetwork, MessagesShareLinks) {
  VirtualNetwork network(3, Plain());
  std::vector<double> arrived;
  const auto arrives = [&] { arrived.push_back(network.now()); };
  network.Send(0, 2, 300, arrives);  // leaves from 0 to 3, arrives from 2 to 5
  network.Send(0, 1, 100, arrives);  // leaves from 3 to 4
  network.Send(1, 2, 100, arrives);  // comes when the link of 2 is free
  network.Run();
  EXPECT_EQ(arrived, (std::vector<double>{5, 6, 6}));
}

// A large message does not keep a small one to another task waiting for long.
TEST(VirtualNetwork, LargeMessagesTakeTurns) {
  NetworkOptions options = Plain();
  options.bytes_per_second = 1e6;
  VirtualNetwork network(3, options);
  std::string order;
  network.Send(0, 1, 8e6, [&] { order += "large "; });
  network.Send(0, 2, 1, [&] { order += "small "; });
  network.Send(0, 1, 1, [&] { order += "behind"; });
  network.Run();
  EXPECT_EQ(order, "small large behind");
  EXPECT_DOUBLE_EQ(network.now(), options.latency + (8e6 + 1 + 1) / options.bytes_per_second);
}

TEST(VirtualNetwork, CoresAreShared) {
  VirtualNetwork network(1, Plain());
  std::vector<double> done;
  for (const double seconds : {3.0, 1.0, 1.0, 1.0}) {
    network.Compute(0, seconds, [&] { done.push_back(network.now()); });
  }
  network.Run();
  EXPECT_EQ(done, (std::vector<double>{1, 2, 3, 3}));
}

TEST(VirtualNetwork, WhoCrashesIsSilent) {
  VirtualNetwork network(2, Plain());
  std::string happened;
  network.Send(0, 1, 100, [&] { happened += "before "; });
  network.After(4, [&] { network.Crash(1); });
  network.Compute(1, 5, [&] { happened += "computed "; });
  network.Send(0, 1, 200, [&] { happened += "after "; });
  network.After(6, [&] { network.Send(1, 0, 1, [&] { happened += "spoke "; }); });
  network.Run();
  EXPECT_EQ(happened, "before ");
}

// What one task sends first may come after what another sends then.
TEST(VirtualNetwork, TasksOvertakeEachOther) {
  NetworkOptions options = Plain();
  options.jitter = 10;
  std::map<std::string, int> orders;
  for (options.seed = 1; options.seed <= 50; ++options.seed) {
    VirtualNetwork network(3, options);
    std::string order;
    network.Send(0, 2, 1, [&] { order += 'a'; });
    network.Send(1, 2, 1, [&] { order += 'b'; });
    network.Run();
    ++orders[order];
  }
  EXPECT_GT(orders["ab"], 10);
  EXPECT_GT(orders["ba"], 10);
}

TEST(VirtualNetwork, WhatIsLostComesLaterAndInOrder) {
  NetworkOptions options = Plain();
  options.jitter = 1;
  options.loss = 0.3;
  options.resend = 50;
  const auto run = [&](uint64_t seed) {
    options.seed = seed;
    VirtualNetwork network(2, options);
    std::vector<int> order;
    for (int i = 0; i < 100; ++i) network.Send(0, 1, 1, [&order, i] { order.push_back(i); });
    network.Run();
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(order.size(), 100u);
    return network.now();
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
  EXPECT_GT(run(1), options.resend);
}

}  // namespace
}  // namespace plumb::dist
