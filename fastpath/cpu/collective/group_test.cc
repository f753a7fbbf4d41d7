// Collective ops over the devices of one process (rules CO1–CO7).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <optional>
#include <random>
#include <thread>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "fastpath/testing/test_graph.h"
#include "spec/session/saved_state.h"

namespace plumb::fast {
namespace {

using cpu::Values;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

AttrMap Group(int64_t size, DType type = DType::kFloat, const PartialShape& shape = {}) {
  return {{"T", type}, {"group_size", size}, {"group_key", int64_t{1}}, {"instance_key", int64_t{7}}, {"shape", shape}};
}
AttrMap Reduce(int64_t size, const std::string& merge_op = "Add", const std::string& final_op = "Id",
               DType type = DType::kFloat) {
  AttrMap attrs = Group(size, type);
  attrs.erase("shape");
  attrs["merge_op"] = merge_op;
  attrs["final_op"] = final_op;
  attrs["subdiv_offsets"] = std::vector<int64_t>{};
  return attrs;
}

// Nodes "m0", "m1", … on a CPU each, which bring "x0", "x1", ….
class Members : public TestGraph {
 public:
  Members& Member(const std::string& op, const std::vector<Tensor>& inputs, const AttrMap& attrs) {
    const std::string number = Str(count_);
    std::vector<std::string> brought;
    for (const Tensor& input : inputs) brought.push_back(Const("x" + number, input));
    Add("m" + number, op, brought, attrs, "/device:CPU:" + number);
    ++count_;
    return *this;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (int i = 0; i < count_; ++i) names.push_back(Str("m", i));
    return names;
  }
  std::unique_ptr<Session> Open(int threads = 2) const {
    auto session = NewFastSession({.threads = threads, .cpu_devices = 4});
    EXPECT_EQ(session->Extend(def()).ToString(), "OK");
    return session;
  }

 private:
  int count_ = 0;
};

Status RunIn(Session& session, const std::vector<std::string>& fetches, std::vector<Tensor>* outputs,
             int64_t timeout_ms = 60'000) {
  return session.Run({.timeout_ms = timeout_ms}, {}, fetches, {}, outputs, nullptr);
}
std::vector<Tensor> RunAll(const Members& members, int threads = 2) {
  std::vector<Tensor> outputs;
  EXPECT_EQ(RunIn(*members.Open(threads), members.Names(), &outputs).ToString(), "OK");
  return outputs;
}

TEST(Collective, MembersAreMergedInTheOrderOfTheirDevices) {  // CO3
  for (const int threads : {1, 3}) {
    Members sums;
    for (const float x : {1e8F, 1.0F, -1e8F}) sums.Member("CollectiveReduce", {MakeVector<float>({x})}, Reduce(3));
    for (const Tensor& sum : RunAll(sums, threads)) EXPECT_THAT(Values<float>(sum), ElementsAre(0));
  }
}

// CO3: as long as several pieces, and a piece of a vector besides.
TEST(Collective, EveryElementIsMergedAlike) {
  constexpr int64_t kElements = 70'003;
  std::mt19937 random(5);
  std::uniform_real_distribution<float> any(-1, 1);
  std::vector<std::vector<float>> inputs(4, std::vector<float>(kElements));
  for (auto& input : inputs) {
    for (float& x : input) x = any(random);
  }
  const auto expected = [&](const std::string& merge_op, int64_t i) {
    float result = inputs[0][i];
    for (int member = 1; member < 4; ++member) {
      const float x = inputs[member][i];
      if (merge_op == "Add") result += x;
      if (merge_op == "Mul") result *= x;
      if (merge_op == "Max") result = std::max(result, x);
      if (merge_op == "Min") result = std::min(result, x);
    }
    return result / 4;
  };
  for (const std::string merge_op : {"Add", "Mul", "Max", "Min"}) {
    Members members;
    for (const auto& input : inputs) {
      members.Member("CollectiveReduce", {MakeTensor<float>({kElements}, std::span<const float>(input))},
                     Reduce(4, merge_op, "Div"));
    }
    const std::vector<Tensor> outputs = RunAll(members);
    for (int64_t i = 0; i < kElements; ++i) {
      ASSERT_EQ(outputs[3].data<float>()[i], expected(merge_op, i)) << merge_op << " at " << i;
    }
    for (const Tensor& output : outputs) EXPECT_TRUE(output.BitwiseEquals(outputs[0]));
  }
}

TEST(Collective, NarrowFloatsAreRoundedOnce) {  // CO3
  Members members;                              // 2048 + 1 rounds to 2048 in float16; 2048 + 1 + 1 is 2050
  for (const float x : {2048.0F, 1.0F, 1.0F}) {
    members.Member("CollectiveReduce", {MakeVector<Half>({Half(x)})}, Reduce(3, "Add", "Id", DType::kHalf));
  }
  EXPECT_EQ(static_cast<float>(RunAll(members)[1].data<Half>()[0]), 2050.0F);
}

TEST(Collective, WholeNumbersAreDividedTowardsZero) {  // CO3
  Members members;
  for (const int64_t x : {-4, -1}) {
    members.Member("CollectiveReduce", {MakeVector<int64_t>({x, 7})}, Reduce(2, "Add", "Div", DType::kInt64));
  }
  EXPECT_THAT(Values<int64_t>(RunAll(members)[0]), ElementsAre(-2, 7));
}

TEST(Collective, GatherJoinsRows) {  // CO4
  Members members;
  members.Member("CollectiveGather", {MakeVector<float>({1, 2})}, Group(2));
  members.Member("CollectiveGather", {MakeVector<float>({3, 4})}, Group(2));
  EXPECT_THAT(Values<float>(RunAll(members)[0]), ElementsAre(1, 2, 3, 4));
}

TEST(Collective, OneSendsToAll) {  // CO5
  Members members;
  members.Member("CollectiveBcastRecv", {}, Group(3, DType::kBool, {2}));
  members.Member("CollectiveBcastSend", {MakeVector<bool>({true, false})}, Group(3, DType::kBool, {2}));
  members.Member("CollectiveBcastRecv", {}, Group(3, DType::kBool, {2}));
  for (const Tensor& output : RunAll(members)) EXPECT_THAT(Values<bool>(output), ElementsAre(true, false));
  Members silent;
  for (int i = 0; i < 2; ++i) silent.Member("CollectiveBcastRecv", {}, Group(2, DType::kFloat, {2}));
  std::vector<Tensor> outputs;
  EXPECT_EQ(RunIn(*silent.Open(), silent.Names(), &outputs).code(), Code::kInvalidArgument);
}

TEST(Collective, MembersThatDoNotAgreeFailTogether) {  // CO2
  Members members;
  members.Member("CollectiveReduce", {MakeVector<float>({1})}, Reduce(2));
  members.Member("CollectiveReduce", {MakeVector<float>({1})}, Reduce(2, "Max"));
  const auto session = members.Open();
  auto other = std::async(std::launch::async, [&] {
    std::vector<Tensor> outputs;
    return RunIn(*session, {"m1"}, &outputs);
  });
  std::vector<Tensor> outputs;
  for (const Status& status : {RunIn(*session, {"m0"}, &outputs), other.get()}) {
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    for (const char* said : {"merge_op", "Add", "Max", "CPU:0", "CPU:1"}) {
      EXPECT_THAT(status.ToString(), HasSubstr(said));
    }
  }
}

TEST(Collective, StepsMeetAtEachInstance) {  // CO1
  Members members;
  for (const float x : {1e8F, 1.0F, -1e8F}) members.Member("CollectiveReduce", {MakeVector<float>({x})}, Reduce(3));
  const auto session = members.Open(1);
  std::vector<std::thread> clients;
  for (const std::string& name : members.Names()) {
    clients.emplace_back([&session, name] {
      for (int step = 0; step < 200; ++step) {
        std::vector<Tensor> outputs;
        ASSERT_EQ(RunIn(*session, {name}, &outputs).ToString(), "OK");
        ASSERT_THAT(Values<float>(outputs[0]), ElementsAre(0));
      }
    });
  }
  for (std::thread& client : clients) client.join();
}

// CO6: the others of a meeting end with a step that is stopped; who comes later meets anew.
TEST(Collective, AMemberThatGoesDissolvesTheMeeting) {
  Members members;
  for (int i = 0; i < 3; ++i) members.Member("CollectiveReduce", {MakeVector<float>({1})}, Reduce(3));
  const auto session = members.Open();
  auto other = std::async(std::launch::async, [&] {
    std::vector<Tensor> outputs;
    return RunIn(*session, {"m1"}, &outputs);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  std::vector<Tensor> outputs;
  const Status late = RunIn(*session, {"m2"}, &outputs, 50);
  EXPECT_EQ(late.code(), Code::kDeadlineExceeded);
  EXPECT_THAT(late.ToString(), HasSubstr("2 of 3 members of the group 1 (instance 7) are there"));
  const Status dissolved = other.get();
  EXPECT_EQ(dissolved.code(), Code::kCancelled);
  EXPECT_THAT(dissolved.ToString(), HasSubstr("CPU:2"));
  ASSERT_EQ(RunIn(*session, members.Names(), &outputs).ToString(), "OK");
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(3));
  SavedState state;
  EXPECT_EQ(dynamic_cast<SavedSession&>(*session).Save(&state).ToString(), "OK");
}

// CO7: a member that has waited so long ends the meeting for all; who comes later meets anew.
TEST(Collective, TimeoutSecondsIsHowLongAMemberWaits) {
  Members members;
  for (const float seconds : {0.0F, 0.3F, 1e9F}) {
    AttrMap attrs = Reduce(3);
    attrs["timeout_seconds"] = seconds;
    members.Member("CollectiveReduce", {MakeVector<float>({1})}, attrs);
  }
  const auto session = members.Open();
  std::vector<Tensor> outputs;
  for (const std::vector<std::string>& there : {std::vector<std::string>{"m1"}, {"m0", "m1"}}) {
    const Status late = RunIn(*session, there, &outputs);
    EXPECT_EQ(late.code(), Code::kDeadlineExceeded);
    EXPECT_THAT(late.ToString(), HasSubstr("timeout_seconds of the member on"));
    EXPECT_THAT(late.ToString(), HasSubstr(Str(there.size(), " of 3 members of the group 1 (instance 7) are there")));
  }
  EXPECT_THAT(RunIn(*session, {"m2"}, &outputs, 50).ToString(), testing::Not(HasSubstr("timeout_seconds")));
  ASSERT_EQ(RunIn(*session, members.Names(), &outputs).ToString(), "OK");
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(3));
}

TEST(Collective, WhatMakesNoSenseIsRefused) {
  Members none;
  none.Member("CollectiveReduce", {MakeVector<float>({1})}, Reduce(0));
  std::vector<Tensor> outputs;
  EXPECT_EQ(RunIn(*none.Open(), {"m0"}, &outputs).code(), Code::kInvalidArgument);
  Members scalar;
  scalar.Member("CollectiveGather", {MakeScalar<float>(1)}, Group(1));
  EXPECT_EQ(RunIn(*scalar.Open(), {"m0"}, &outputs).code(), Code::kInvalidArgument);
  Members other_shape;
  other_shape.Member("CollectiveBcastSend", {MakeVector<float>({1})}, Group(1, DType::kFloat, {3}));
  EXPECT_EQ(RunIn(*other_shape.Open(), {"m0"}, &outputs).code(), Code::kInternal);
}

}  // namespace
}  // namespace plumb::fast
