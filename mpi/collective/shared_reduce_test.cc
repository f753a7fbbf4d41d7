// Members of one host that reduce through shared memory (rule CO3).
#include "mpi/collective/shared_reduce.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "fastpath/device/kernel.h"
#include "spec/core/half.h"

namespace plumb::dist {
namespace {

struct Freed {
  void operator()(MeetingRoom* room) const { std::free(room); }
};
using Room = std::unique_ptr<MeetingRoom, Freed>;

Room NewRoom() {
  void* const memory = std::aligned_alloc(64, MeetingRoom::kBytes);
  std::memset(memory, 0, MeetingRoom::kFloorAt);
  return Room(static_cast<MeetingRoom*>(memory));
}

Tensor Random(DType type, int64_t elements, uint32_t seed) {
  std::mt19937 random(seed);
  Tensor tensor(type, Shape{elements});
  if (type == DType::kFloat) {
    for (float& value : tensor.mutable_data<float>()) value = static_cast<float>(random()) / 1e6F;
  } else if (type == DType::kDouble) {
    for (double& value : tensor.mutable_data<double>()) value = static_cast<double>(random()) / 1e6;
  } else if (type == DType::kBfloat16) {
    for (BFloat16& value : tensor.mutable_data<BFloat16>()) value = BFloat16(static_cast<float>(random() % 1000));
  } else {
    for (int32_t& value : tensor.mutable_data<int32_t>()) value = static_cast<int32_t>(random() % 1'000'000);
  }
  return tensor;
}

CollectiveMember Member(DType type, int64_t elements, int members, bool divides) {
  CollectiveMember member;
  member.group_size = members;
  member.divides = divides;
  member.dtype = type;
  member.shape = Shape{elements};
  return member;
}

// Members as threads, which begin when they like; what each has in the end.
std::vector<Tensor> Reduce(MeetingRoom& room, const CollectiveMember& member, const std::vector<Tensor>& inputs) {
  const int members = static_cast<int>(inputs.size());
  EXPECT_TRUE(room.Take(members));
  std::vector<Tensor> results;
  for (const Tensor& input : inputs) results.emplace_back(input.dtype(), input.shape());
  std::vector<std::thread> threads;
  for (int i = 0; i < members; ++i) {
    threads.emplace_back([&, i] {
      fast::ThreadPool pool(1);
      SharedReduce reduce(member, inputs[i].raw(), results[i].mutable_raw(), room, i, members);
      while (!reduce.IsOver()) {
        if (!reduce.Advance(pool)) std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

TEST(SharedReduce, EveryMemberHasTheBitsOfTheMembersOrder) {
  const Room room = NewRoom();  // one after the other meets in it
  fast::ThreadPool pool(1);
  uint32_t seed = 1;
  for (const DType type : {DType::kFloat, DType::kDouble, DType::kBfloat16, DType::kInt32}) {
    for (const int members : {1, 2, 3, 4, 7}) {
      for (const int64_t elements : {1, 63, 65, 100'000, 1'234'567}) {
        const CollectiveMember member = Member(type, elements, members, type != DType::kInt32);
        std::vector<Tensor> inputs;
        for (int i = 0; i < members; ++i) inputs.push_back(Random(type, elements, seed++));
        Tensor expected;
        ASSERT_EQ(fast::cpu::WhatComesOf(pool, member, inputs, expected).ToString(), "OK");
        const std::vector<Tensor> results = Reduce(*room, member, inputs);
        for (int i = 0; i < members; ++i) {
          ASSERT_TRUE(results[i].BitwiseEquals(expected))
              << DTypeName(type) << ", " << elements << " of " << members << " members, at " << i;
        }
      }
    }
  }
}

TEST(SharedReduce, TheSumIsWrittenOutByHand) {
  const Room room = NewRoom();
  const std::vector<Tensor> inputs = {MakeVector<float>({1, 2, 3}), MakeVector<float>({10, 20, 30}),
                                      MakeVector<float>({100, 200, 303})};
  const auto results = Reduce(*room, Member(DType::kFloat, 3, 3, true), inputs);
  for (const Tensor& result : results) {
    EXPECT_EQ(result.data<float>()[0], 37);
    EXPECT_EQ(result.data<float>()[1], 74);
    EXPECT_EQ(result.data<float>()[2], 112);
  }
}

TEST(SharedReduce, ARoomIsTakenAgainWhenAllHaveEnded) {
  const Room room = NewRoom();
  EXPECT_TRUE(room->Take(2));
  EXPECT_FALSE(room->Take(3));
  room->Finish();
  EXPECT_FALSE(room->Take(3));
  room->Finish();
  EXPECT_TRUE(room->Take(3));
}

// A member never waits inside: it says that it cannot go on.
TEST(SharedReduce, AMemberAloneGoesOnUntilItNeedsTheOther) {
  const Room room = NewRoom();
  ASSERT_TRUE(room->Take(2));
  fast::ThreadPool pool(1);
  const CollectiveMember member = Member(DType::kInt32, 5, 2, false);
  const Tensor mine = Random(DType::kInt32, 5, 1), theirs = Random(DType::kInt32, 5, 2);
  Tensor my_result(DType::kInt32, Shape{5}), their_result(DType::kInt32, Shape{5});
  SharedReduce me(member, mine.raw(), my_result.mutable_raw(), *room, 0, 2);
  EXPECT_TRUE(me.Advance(pool));
  EXPECT_FALSE(me.Advance(pool));
  SharedReduce other(member, theirs.raw(), their_result.mutable_raw(), *room, 1, 2);
  EXPECT_TRUE(other.Advance(pool));
  EXPECT_TRUE(me.Advance(pool));
  EXPECT_TRUE(me.IsOver());
  EXPECT_TRUE(other.Advance(pool));
  EXPECT_TRUE(other.IsOver());
  for (int i = 0; i < 5; ++i) {
    const int32_t sum = mine.data<int32_t>()[i] + theirs.data<int32_t>()[i];
    EXPECT_EQ(my_result.data<int32_t>()[i], sum);
    EXPECT_EQ(their_result.data<int32_t>()[i], sum);
  }
}

}  // namespace
}  // namespace plumb::dist
