#include "mpi/transport/loopback.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "fastpath/memory/allocator.h"
#include "mpi/session/cluster_testing.h"
#include "mpi/transport/testing/on_threads.h"
#include "spec/core/status_testing.h"

namespace plumb::dist {
namespace {

class Loopback : public testing::TestWithParam<std::tuple<Check, int>> {};

TEST_P(Loopback, Keeps) {
  const Check& check = std::get<0>(GetParam());
  const int ranks = std::get<1>(GetParam());
  if (ranks < check.least_ranks) return;
  const std::vector<std::unique_ptr<Transport>> ends = NewLoopback(ranks, ranks > 2);
  ExpectKept(check, ends, [&](int rank) { Crash(*ends[rank]); });
}

INSTANTIATE_TEST_SUITE_P(All, Loopback,
                         testing::Combine(testing::ValuesIn(TransportChecks()), testing::Values(1, 2, 4)),
                         [](const auto& info) {
                           return std::get<0>(info.param).name + "On" + std::to_string(std::get<1>(info.param));
                         });

// Whose memory others have by then.
TEST(LoopbackEnds, SayNothingToThoseThatAreGone) {
  constexpr size_t kLargest = 1024;  // bytes; an end has fewer
  std::vector<std::string> others;
  others.reserve(kLargest);
  std::vector<std::unique_ptr<Transport>> ends = NewLoopback(2);
  ends[0].reset();
  for (size_t bytes = 64; bytes < kLargest; bytes += 8) others.emplace_back(bytes, '\xff');
  EXPECT_NO_THROW(ends[1]->Stop());
  for (const std::string& bytes : others) EXPECT_EQ(bytes, std::string(bytes.size(), '\xff'));
}

// And each of its servers has a thread for each, two at least: the client's, and one that serves.
TEST(Ranks, ShareTheCoresOfTheirHost) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  for (const int ranks : {1, 2, 3}) {
    const int share = std::max(1, cores / ranks);
    for (const auto& end : NewLoopback(ranks)) EXPECT_EQ(end->Cores(), share) << ranks << " ranks";
    TestCluster cluster(ranks, ServerOptions{.cluster = "", .threads = 0});
    EXPECT_EQ(cluster.server(0).pool().threads(), std::max(2, share)) << ranks << " ranks";
  }
  TestCluster chosen(2, ServerOptions{.cluster = "", .threads = 5});
  EXPECT_EQ(chosen.server(1).pool().threads(), 5) << "as it is told";
}

TEST(Payloads, CarryTensorsWithoutACopy) {
  const Tensor tensor = MakeTensor<float>({2, 2}, {1, 2, 3, 4});
  const Payload payload = PayloadOf(tensor);
  Tensor back = TensorOf(payload, DType::kFloat, Shape({2, 2}));
  EXPECT_EQ(back.raw(), tensor.raw());
  EXPECT_FALSE(back.unique()) << "somebody would write what the sender still reads";
  EXPECT_TRUE(back.BitwiseEquals(tensor));
}

TEST(Payloads, MayBeWrittenWhereTheyWerePlaced) {
  const Place place = NewPlace(8);
  Tensor tensor = TensorOf({place.data, 8, place.owner, true}, DType::kFloat, Shape({2}));
  EXPECT_EQ(tensor.raw(), place.data);
  EXPECT_TRUE(tensor.unique());
}

TEST(Payloads, AreNotPlacedWhereNoMachineHasMemory) {
  for (const size_t bytes : {size_t{1} << 60, ~size_t{0} - 64, ~size_t{0}}) {
    EXPECT_EQ(StatusOf([&] { NewPlace(bytes); }).code(), Code::kResourceExhausted) << bytes;
  }
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(Payloads, ArePlacedInMemoryThatOthersHadBefore) {
  for (const size_t bytes : {size_t{1000}, size_t{256} << 10, size_t{8} << 20}) {
    { const Place place = NewPlace(bytes); }
    const int64_t before = fast::GetAllocatorStatistics().heap_allocations;
    for (int i = 0; i < 10; ++i) NewPlace(bytes);
    EXPECT_EQ(fast::GetAllocatorStatistics().heap_allocations, before) << bytes;
  }
}
#endif

TEST(Payloads, OfRowsThatAreNotAlignedAreCopied) {
  const Tensor tensor = MakeTensor<float>({3}, {1, 2, 3});
  const Tensor rows = tensor.Rows(1, 2);
  const Tensor back = TensorOf(PayloadOf(rows), DType::kFloat, Shape({2}));
  EXPECT_NE(back.raw(), rows.raw());
  EXPECT_TRUE(back.BitwiseEquals(MakeTensor<float>({2}, {2, 3})));
}

TEST(Payloads, OfAnotherSizeAreRefused) {
  try {
    TensorOf(PayloadOf(MakeScalar<float>(1)), DType::kFloat, Shape({2}));
    FAIL() << "four bytes were taken for eight";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kDataLoss);
  }
}

}  // namespace
}  // namespace plumb::dist
