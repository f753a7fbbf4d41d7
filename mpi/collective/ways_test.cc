// Which way tensors take, and how they are cut.
#include "mpi/collective/ways.h"

#include <gtest/gtest.h>

#include "mpi/collective/direct_exchange.h"
#include "mpi/collective/shared_reduce.h"

namespace plumb::dist {
namespace {

CollectiveMember Of(int64_t bytes, CollectiveHint hint = CollectiveHint::kAuto) {
  CollectiveMember member;
  member.dtype = DType::kFloat;
  member.shape = Shape{bytes / 4};
  member.hint = hint;
  return member;
}
constexpr int64_t kMegabyte = 1 << 20;

TEST(Ways, AreThoseAskedFor) {
  const std::vector<int> one_host = {0, 0, 0}, two_hosts = {0, 0, 1, 1};
  for (const bool have_room : {false, true}) {
    for (const int64_t bytes : {kMegabyte / 20, 100 * kMegabyte}) {
      EXPECT_EQ(WayOf(Of(bytes, CollectiveHint::kRing), one_host, have_room), Way::kRing);
      EXPECT_EQ(WayOf(Of(bytes, CollectiveHint::kTree), two_hosts, have_room), Way::kTree);
    }
  }
  EXPECT_EQ(WayOf(Of(kMegabyte, CollectiveHint::kShared), one_host, true), Way::kRoom);
  EXPECT_EQ(WayOf(Of(kMegabyte, CollectiveHint::kShared), one_host, false), Way::kAllToAll) << "there is no room";
  EXPECT_EQ(WayOf(Of(kMegabyte, CollectiveHint::kShared), two_hosts, false), Way::kHosts);
}

TEST(Ways, FollowFromSizeAndHosts) {
  EXPECT_EQ(WayOf(Of(kMegabyte / 8), std::vector{0, 0}, true), Way::kAllToAll);
  EXPECT_EQ(WayOf(Of(kMegabyte / 4), std::vector{0, 0}, true), Way::kRoom);
  constexpr size_t kMostInRoom = MeetingRoom::kMostMembers;
  EXPECT_EQ(WayOf(Of(kMegabyte), std::vector<int>(kMostInRoom, 0), true), Way::kRoom);
  EXPECT_EQ(WayOf(Of(kMegabyte), std::vector<int>(kMostInRoom + 1, 0), true), Way::kAllToAll) << "it has no such place";
  EXPECT_EQ(WayOf(Of(kMegabyte), std::vector{0, 1}, false), Way::kAllToAll);
  EXPECT_EQ(WayOf(Of(kMegabyte), std::vector{0, 1, 2}, false), Way::kAllToAll);
  EXPECT_EQ(WayOf(Of(kMegabyte), std::vector{0, 0, 1}, false), Way::kHosts);
  EXPECT_EQ(WayOf(Of(kMegabyte), std::vector{0, 0, 1, 1}, false), Way::kHosts);
  EXPECT_EQ(WayOf(Of(kMegabyte), std::vector{0, 0, 1, 1, 2, 2}, false), Way::kHosts);
  EXPECT_EQ(WayOf(Of(kMegabyte), std::vector{0, 0, 1, 2}, false), Way::kAllToAll) << "as much leaves the first host";
  EXPECT_EQ(WayOf(Of(kMegabyte), std::vector{0, 0, 0, 1, 1, 1}, false), Way::kHosts);
  EXPECT_EQ(WayOf(Of(kMegabyte / 2), std::vector{0, 0, 0, 1, 1, 1}, false), Way::kAllToAll);
  EXPECT_EQ(WayOf(Of(kMegabyte), std::vector{0, 1, 0, 1, 0, 1}, false), Way::kAllToAll) << "hosts take turns";
}

// Sums of bfloat16 are float32 on their way.
TEST(Ways, OfHalvesFollowFromTheirSums) {
  CollectiveMember halves = Of(2 * kMegabyte);
  halves.dtype = DType::kBfloat16;
  EXPECT_EQ(WayOf(halves, std::vector{0, 0, 1}, false), Way::kAllToAll);
  EXPECT_EQ(WayOf(halves, std::vector{0, 0, 1, 1}, false), Way::kAllToAll) << "as much leaves each host";
  EXPECT_EQ(WayOf(halves, std::vector{0, 0, 0, 1, 1, 1}, false), Way::kHosts);
  EXPECT_EQ(WayOf(halves, std::vector{0, 0, 1, 1, 2, 2}, false), Way::kAllToAll);
  EXPECT_EQ(WayOf(halves, std::vector{0, 0, 0, 1, 1, 1, 2, 2, 2}, false), Way::kHosts);
}

TEST(Ways, OfSmallTensorsLeadOverTheKeeper) {
  constexpr int64_t kLargest = 32 * 1024;
  EXPECT_TRUE(GoesToKeeper(Of(kLargest)));
  EXPECT_FALSE(GoesToKeeper(Of(kLargest + 4)));
}

TEST(Ways, OnlyWhatIsReducedHasAChoice) {
  for (const CollectiveKind kind : {CollectiveKind::kGather, CollectiveKind::kBroadcast}) {
    CollectiveMember member = Of(kMegabyte, CollectiveHint::kRing);
    member.kind = kind;
    EXPECT_EQ(WayOf(member, std::vector{0, 0}, true), Way::kAllToAll);
  }
  EXPECT_EQ(WayOf(Of(kMegabyte, CollectiveHint::kTree), std::vector{0}, true), Way::kAllToAll) << "alone";
}

TEST(Ways, MembersOfAHostFollowEachOther) {
  const std::vector<HostRun> runs = HostRuns(std::vector{4, 4, 1, 4, 4, 4});
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].members, 2);
  EXPECT_EQ(runs[1].first, 2);
  EXPECT_EQ(runs[2].first, 3);
  EXPECT_EQ(runs[2].members, 3);
}

TEST(Ways, ChunksCoverATensor) {
  for (const int64_t elements : {1, 65'535, 65'536, 65'537, 200'000}) {
    const Chunks chunks(elements, 4);
    EXPECT_EQ(chunks.count(), (elements + 65'535) / 65'536);
    EXPECT_EQ(chunks.begin(0), 0);
    EXPECT_EQ(chunks.begin(chunks.count()), elements);
    for (int chunk = 0; chunk < chunks.count(); ++chunk) {
      EXPECT_GT(chunks.size(chunk), 0);
      EXPECT_LE(chunks.size(chunk), 65'536);
    }
  }
}

}  // namespace
}  // namespace plumb::dist
