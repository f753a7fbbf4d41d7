// Who is missed when a step is over: each member as often as it has not come.
#include "mpi/collective/roll.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace plumb::dist {
namespace {

CollectiveMember MemberOf(uint32_t number) {
  CollectiveMember member;
  member.group_key = number % 2;
  member.instance_key = number / 2 % 2;
  member.device = number / 4 % 2 == 0 ? "/device:CPU:0" : "/device:CPU:1";
  return member;
}
uint32_t NumberOf(const CollectiveMember& member) {
  return static_cast<uint32_t>(member.group_key + 2 * member.instance_key + (member.device.ends_with('1') ? 4 : 0));
}

// Two steps at once, in each of which a member may be twice.
TEST(Rolls, MissEachMemberAsOftenAsItHasNotCome) {
  for (uint32_t seed = 1; seed <= 500; ++seed) {
    std::mt19937 random(seed);
    const int steps[2] = {};
    Roll roll;
    std::vector<CollectiveMember> all[2];
    std::map<uint32_t, int> missing[2];
    for (const int& step : steps) roll.Begin(&step);
    for (int i = 0; i < 12; ++i) {
      const size_t step = random() % 2;
      const CollectiveMember member = MemberOf(static_cast<uint32_t>(random()) % 8);
      all[step].push_back(member);
      if (random() % 2 == 0) {
        roll.Came(&steps[step], member);
      } else {
        ++missing[step][NumberOf(member)];
      }
    }
    const int other = 0;
    roll.Came(&other, MemberOf(1));  // of no step that has begun
    for (size_t step = 0; step < 2; ++step) {
      std::shuffle(all[step].begin(), all[step].end(), random);
      std::map<uint32_t, int> absent;
      for (const CollectiveMember& member : roll.End(&steps[step], all[step]).absent) ++absent[NumberOf(member)];
      ASSERT_EQ(absent, missing[step]) << "seed " << seed << ", step " << step;
      ASSERT_EQ(roll.End(&steps[step], all[step]).absent.size(), all[step].size())
          << "what came to a step that is over";
    }
  }
}

TEST(Rolls, KeepWhoHasLeftUntilTheStepIsOver) {
  const int steps[2] = {}, other = 0;
  Roll roll;
  for (const int& step : steps) roll.Begin(&step);
  EXPECT_TRUE(roll.Left(&steps[0], 7));
  EXPECT_TRUE(roll.Left(&steps[1], 8));
  EXPECT_TRUE(roll.Left(&steps[0], 9));
  EXPECT_FALSE(roll.Left(&other, 10)) << "a step that has not begun here";
  EXPECT_EQ(roll.End(&steps[0], {}).left, (std::vector<int64_t>{7, 9}));
  EXPECT_FALSE(roll.Left(&steps[0], 11)) << "it is over";
  EXPECT_EQ(roll.End(&steps[1], {}).left, (std::vector<int64_t>{8}));
}

TEST(Rolls, CountTheExecutionsOfEachMember) {
  Roll roll;
  for (int64_t execution = 1; execution <= 3; ++execution) {
    for (uint32_t number = 0; number < 8; ++number) EXPECT_EQ(roll.NextExecution(MemberOf(number)), execution);
  }
}

}  // namespace
}  // namespace plumb::dist
