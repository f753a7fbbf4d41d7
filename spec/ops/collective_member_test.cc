#include "spec/ops/collective_member.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "spec/core/status.h"

namespace plumb {
namespace {

AttrMap Reduce() {
  return {{"T", DType::kFloat},         {"group_size", int64_t{2}},       {"group_key", int64_t{1}},
          {"instance_key", int64_t{7}}, {"merge_op", std::string("Add")}, {"final_op", std::string("Id")},
          {"timeout_seconds", 2.5F}};
}
CollectiveMember On(const std::string& device) { return MemberOf(CollectiveRole::kReduces, Reduce(), device); }
CollectiveMember Broadcast(CollectiveRole role, const PartialShape& shape) {
  AttrMap attrs = Reduce();
  attrs["shape"] = shape;
  return MemberOf(role, attrs, "/cpu:0");
}

TEST(CollectiveMember, DevicesAreOrderedByTheirNumbers) {  // CO3
  EXPECT_TRUE(StandsBefore("/job:w/replica:0/task:2/device:CPU:0", "/job:w/replica:0/task:10/device:CPU:0"));
  EXPECT_FALSE(StandsBefore("/job:w/replica:0/task:10/device:CPU:0", "/job:w/replica:0/task:2/device:CPU:0"));
  EXPECT_TRUE(StandsBefore("/job:ps/replica:0/task:9/device:CPU:0", "/job:w/replica:0/task:0/device:CPU:0"));
  EXPECT_TRUE(StandsBefore("/job:w/task:0/device:CPU:9", "/job:w/task:1/device:CPU:0"));
  EXPECT_FALSE(StandsBefore("/cpu:0", "/cpu:0"));
}

// Members that ask for different ways meet all the same.
TEST(CollectiveMember, AsksForAWay) {  // CO7
  const auto asked = [](const char* hint) {
    AttrMap attrs = Reduce();
    attrs["communication_hint"] = std::string(hint);
    return MemberOf(CollectiveRole::kReduces, attrs, "/cpu:1");
  };
  EXPECT_EQ(On("/cpu:0").hint, CollectiveHint::kAuto);
  EXPECT_EQ(asked("auto").hint, CollectiveHint::kAuto);
  EXPECT_EQ(asked("nccl").hint, CollectiveHint::kAuto);
  EXPECT_EQ(asked("ring").hint, CollectiveHint::kRing);
  EXPECT_EQ(asked("tree").hint, CollectiveHint::kTree);
  EXPECT_EQ(asked("shared").hint, CollectiveHint::kShared);
  EXPECT_EQ(WhyNotWith(On("/cpu:0"), asked("ring")), "");
}

TEST(CollectiveMember, WhatIsLeftOpenIsTheFirstCpu) {  // CO1
  EXPECT_EQ(FullDevice("", kOneTask), "/job:localhost/replica:0/task:0/device:CPU:0");
  EXPECT_EQ(FullDevice("/cpu:1", "/job:w/replica:0/task:3"), "/job:w/replica:0/task:3/device:CPU:1");
  EXPECT_EQ(FullDevice("/job:ps/task:2", "/job:w/replica:0/task:3"), "/job:ps/replica:0/task:2/device:CPU:0");
}

TEST(CollectiveMember, WhatDoesNotFitIsSaidOfBoth) {  // CO2
  const CollectiveMember a = On("/cpu:0");
  EXPECT_EQ(WhyNotWith(a, On("/cpu:1")), "");
  CollectiveMember b = On("/cpu:1");
  b.group_size = 3;
  EXPECT_EQ(WhyNotWith(a, b),
            "members of the group 1 (instance 7) do not agree on group_size: 2 on /cpu:0, 3 on /cpu:1");
  const auto differs = [&](auto change) {
    CollectiveMember other = On("/cpu:1");
    change(other);
    return !WhyNotWith(a, other).empty();
  };
  EXPECT_TRUE(differs([](CollectiveMember& m) { m.kind = CollectiveKind::kGather; }));
  EXPECT_TRUE(differs([](CollectiveMember& m) { m.dtype = DType::kDouble; }));
  EXPECT_TRUE(differs([](CollectiveMember& m) { m.merge = MergeOp::kMax; }));
  EXPECT_TRUE(differs([](CollectiveMember& m) { m.divides = true; }));
  EXPECT_TRUE(differs([](CollectiveMember& m) { m.shape = Shape{1}; }));
}

TEST(CollectiveMember, OneSendsToAllOthers) {  // CO5
  const CollectiveMember sender = Broadcast(CollectiveRole::kSends, {2}),
                         receiver = Broadcast(CollectiveRole::kReceives, {2});
  EXPECT_EQ(WhyNotWith(sender, receiver), "");
  EXPECT_NE(WhyNotWith(sender, sender), "");
  EXPECT_EQ(WhyIncomplete(std::vector{receiver, sender}), "");
  EXPECT_NE(WhyIncomplete(std::vector{receiver, receiver}), "");
}

TEST(CollectiveMember, HowLongItWaitsIsItsOwn) {  // CO7
  CollectiveMember longer = On("/cpu:0");
  EXPECT_EQ(longer.timeout_seconds, 2.5);
  longer.timeout_seconds = 9;
  EXPECT_EQ(WhyNotWith(longer, On("/cpu:1")), "");
}

TEST(CollectiveMember, WaitsWithoutALimitWhereItWouldBeAYear) {  // CO7
  const auto is_limited = [](float seconds) {
    CollectiveMember member = On("/cpu:0");
    member.timeout_seconds = seconds;
    return IsLimited(member);
  };
  constexpr float kYear = 366 * 24 * 3600;
  EXPECT_TRUE(is_limited(std::nextafter(kYear, 0.0F)));
  EXPECT_FALSE(is_limited(kYear));
  EXPECT_TRUE(is_limited(std::numeric_limits<float>::denorm_min()));
  EXPECT_FALSE(is_limited(0));
  EXPECT_FALSE(is_limited(-1));
}

TEST(CollectiveMember, WhatMakesNoSenseIsRefused) {
  AttrMap none = Reduce();
  none["group_size"] = int64_t{0};
  EXPECT_THROW(MemberOf(CollectiveRole::kReduces, none, ""), Error);
  for (const char* const name : {"group_size", "group_key", "instance_key"}) {
    AttrMap wide = Reduce();
    wide[name] = (int64_t{1} << 32) + 2;
    EXPECT_THROW(MemberOf(CollectiveRole::kReduces, wide, ""), Error) << name;
  }
  EXPECT_THROW(Broadcast(CollectiveRole::kReceives, {-1}), Error);
  CollectiveMember sender = Broadcast(CollectiveRole::kSends, {2});
  EXPECT_THROW(TakeInputShape(sender, {3}), Error);
  AttrMap attrs = Reduce();
  CollectiveMember gather = MemberOf(CollectiveRole::kGathers, attrs, "");
  EXPECT_THROW(TakeInputShape(gather, {}), Error);
  TakeInputShape(gather, {4});
  EXPECT_EQ(gather.shape, Shape{4});
}

}  // namespace
}  // namespace plumb
