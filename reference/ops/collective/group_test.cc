// Collective ops in a world of several steps (rules CO1–CO7).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "reference/test_graph.h"
#include "reference/world/drivers/first.h"
#include "reference/world/drivers/seeded.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

AttrMap Group(int64_t size, DType type = DType::kFloat) {
  return {{"T", type}, {"group_size", size}, {"group_key", int64_t{1}}, {"instance_key", int64_t{7}}};
}
AttrMap Reduce(int64_t size, const std::string& merge_op = "Add", const std::string& final_op = "Id",
               DType type = DType::kFloat) {
  AttrMap attrs = Group(size, type);
  attrs["merge_op"] = merge_op;
  attrs["final_op"] = final_op;
  attrs["subdiv_offsets"] = std::vector<int64_t>{};
  return attrs;
}
AttrMap Broadcast(int64_t size, const PartialShape& shape) {
  AttrMap attrs = Group(size);
  attrs["shape"] = shape;
  return attrs;
}

// Nodes "m0", "m1", … on a CPU each, which bring "x0", "x1", ….
class Members : public TestGraph {
 public:
  Members& Member(const std::string& op, const AttrMap& attrs, std::optional<Tensor> input) {
    const std::string number = Str(count_);
    std::vector<std::string> inputs;
    if (input) inputs.push_back("x" + number);
    if (input) Value("x" + number, *input);
    Add("m" + number, op, inputs, attrs);
    def.nodes.back().device = "/device:CPU:" + number;
    ++count_;
    return *this;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (int i = 0; i < count_; ++i) names.push_back(Str("m", i));
    return names;
  }
  std::unique_ptr<ReferenceSession> Open() const {
    auto session = std::make_unique<ReferenceSession>(SessionOptions{.cpu_devices = 4});
    const Status extended = session->Extend(def);
    EXPECT_TRUE(extended.ok()) << extended.ToString();
    return session;
  }
  // All in one step.
  Status Run(std::vector<Tensor>* outputs) const { return RunIn(*Open(), outputs); }
  Status RunIn(Session& session, std::vector<Tensor>* outputs) const { return session.Run({}, Names(), {}, outputs); }

 private:
  int count_ = 0;
};

template <class T>
std::vector<T> ElementsOf(const Tensor& tensor) {
  return {tensor.data<T>().begin(), tensor.data<T>().end()};
}

TEST(Collective, MembersAreMergedInTheOrderOfTheirDevices) {  // CO3
  std::vector<Tensor> outputs;
  Members sums;
  for (const float x : {1.0F, 2.5F, -4.0F}) sums.Member("CollectiveReduce", Reduce(3), MakeVector<float>({x, x}));
  ASSERT_EQ(sums.Run(&outputs).ToString(), "OK");
  for (const Tensor& output : outputs) EXPECT_THAT(ElementsOf<float>(output), ElementsAre(-0.5F, -0.5F));

  Members least, most, product, mean;
  for (const int32_t x : {3, -4, 2}) {
    const Tensor value = MakeVector<int32_t>({x, 1});
    least.Member("CollectiveReduce", Reduce(3, "Min", "Id", DType::kInt32), value);
    most.Member("CollectiveReduce", Reduce(3, "Max", "Id", DType::kInt32), value);
    product.Member("CollectiveReduce", Reduce(3, "Mul", "Div", DType::kInt32), value);
    mean.Member("CollectiveReduce", Reduce(3, "Add", "Div", DType::kInt32), value);
  }
  ASSERT_EQ(least.Run(&outputs).ToString(), "OK");
  EXPECT_THAT(ElementsOf<int32_t>(outputs[2]), ElementsAre(-4, 1));
  ASSERT_EQ(most.Run(&outputs).ToString(), "OK");
  EXPECT_THAT(ElementsOf<int32_t>(outputs[0]), ElementsAre(3, 1));
  ASSERT_EQ(product.Run(&outputs).ToString(), "OK");
  EXPECT_THAT(ElementsOf<int32_t>(outputs[1]), ElementsAre(-8, 0));
  ASSERT_EQ(mean.Run(&outputs).ToString(), "OK");
  EXPECT_THAT(ElementsOf<int32_t>(outputs[1]), ElementsAre(0, 1));
}

TEST(Collective, WholeNumbersWrapBeforeTheyAreDivided) {  // CO3
  Members members;
  for (int i = 0; i < 2; ++i) {
    members.Member("CollectiveReduce", Reduce(2, "Add", "Div", DType::kInt32), MakeVector<int32_t>({1 << 30}));
  }
  std::vector<Tensor> outputs;
  ASSERT_EQ(members.Run(&outputs).ToString(), "OK");
  EXPECT_THAT(ElementsOf<int32_t>(outputs[0]), ElementsAre(-(1 << 30)));
}

TEST(Collective, GatherJoinsRows) {  // CO4
  Members members;
  const AttrMap attrs = Broadcast(2, {});
  members.Member("CollectiveGather", attrs, MakeVector<float>({1, 2}));
  members.Member("CollectiveGather", attrs, MakeVector<float>({3, 4}));
  std::vector<Tensor> outputs;
  ASSERT_EQ(members.Run(&outputs).ToString(), "OK");
  EXPECT_THAT(ElementsOf<float>(outputs[1]), ElementsAre(1, 2, 3, 4));
}

TEST(Collective, OneSendsToAll) {  // CO5
  Members members;
  members.Member("CollectiveBcastRecv", Broadcast(3, {2}), {});
  members.Member("CollectiveBcastSend", Broadcast(3, {2}), MakeVector<float>({5, 6}));
  members.Member("CollectiveBcastRecv", Broadcast(3, {2}), {});
  std::vector<Tensor> outputs;
  ASSERT_EQ(members.Run(&outputs).ToString(), "OK");
  for (const Tensor& output : outputs) EXPECT_THAT(ElementsOf<float>(output), ElementsAre(5, 6));

  Members silent;
  for (int i = 0; i < 2; ++i) silent.Member("CollectiveBcastRecv", Broadcast(2, {2}), {});
  EXPECT_EQ(silent.Run(&outputs).code(), Code::kInvalidArgument);
}

TEST(Collective, MembersThatDoNotAgreeFailTogether) {  // CO2
  Members members;
  members.Member("CollectiveReduce", Reduce(2), MakeVector<float>({1}));
  members.Member("CollectiveReduce", Reduce(2), MakeVector<float>({1, 2}));
  const auto session = members.Open();
  const std::vector<StepRequest> requests = {{{}, {"m0"}, {}}, {{}, {"m1"}, {}}};
  SeededDriver driver(1);
  const Together together = session->RunTogether(requests, driver);
  for (const StepOutcome& outcome : together.outcomes) {
    EXPECT_EQ(outcome.status.code(), Code::kInvalidArgument);
    for (const char* said : {"[1] on ", "[2] on ", "CPU:0", "CPU:1"}) {
      EXPECT_THAT(std::string(outcome.status.message()), HasSubstr(said));
    }
  }
}

// CO1: steps meet in the order in which their device's executions come, whatever the driver chooses.
TEST(Collective, StepsMeetAtEachInstance) {
  Members members;
  for (const float x : {1.0F, 2.5F, -4.0F}) members.Member("CollectiveReduce", Reduce(3), MakeVector<float>({x}));
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto session = members.Open();
    std::vector<StepRequest> requests;
    for (int round = 0; round < 2; ++round) {
      for (const std::string& name : members.Names()) requests.push_back({{}, {name}, {}});
    }
    SeededDriver driver(seed);
    const Together together = session->RunTogether(requests, driver);
    EXPECT_TRUE(together.stuck.empty());
    for (const StepOutcome& outcome : together.outcomes) {
      ASSERT_EQ(outcome.status.ToString(), "OK");
      EXPECT_THAT(ElementsOf<float>(outcome.values[0].tensor), ElementsAre(-0.5F));
    }
  }
}

TEST(Collective, WhoWaitsSaysWhoIsThere) {
  Members members;
  for (int i = 0; i < 3; ++i) members.Member("CollectiveReduce", Reduce(3), MakeVector<float>({1}));
  const auto session = members.Open();
  const std::vector<StepRequest> requests = {{{}, {"m0"}, {}}, {{}, {"m2"}, {}}};
  FirstDriver driver;
  const Together together = session->RunTogether(requests, driver);
  ASSERT_EQ(together.stuck.size(), 2u);
  EXPECT_THAT(together.stuck[0].waits_for, HasSubstr("2 of 3 members of the group 1 (instance 7) are there"));
}

// CO7: one limit ends the meeting for all, when nothing else can happen; who comes later meets anew.
TEST(Collective, TimeoutSecondsEndsTheMeeting) {
  Members members;
  for (const float seconds : {0.0F, 0.5F, 0.0F}) {
    AttrMap attrs = Reduce(3);
    attrs["timeout_seconds"] = seconds;
    members.Member("CollectiveReduce", attrs, MakeVector<float>({1}));
  }
  const auto session = members.Open();
  const std::vector<StepRequest> requests = {{{}, {"m0"}, {}}, {{}, {"m1"}, {}}};
  FirstDriver driver;
  const Together together = session->RunTogether(requests, driver);
  EXPECT_TRUE(together.stuck.empty());
  for (const StepOutcome& outcome : together.outcomes) {
    EXPECT_EQ(outcome.status.code(), Code::kDeadlineExceeded);
    EXPECT_THAT(outcome.status.ToString(), HasSubstr("2 of 3 members of the group 1 (instance 7) are there"));
  }
  std::vector<Tensor> outputs;
  ASSERT_EQ(members.RunIn(*session, &outputs).ToString(), "OK");
  EXPECT_THAT(ElementsOf<float>(outputs[0]), ElementsAre(3));
}

// CO6: the others of a meeting end with a step that fails; who comes later meets anew.
TEST(Collective, AMemberThatGoesDissolvesTheMeeting) {
  Members members;
  for (int i = 0; i < 3; ++i) members.Member("CollectiveReduce", Reduce(3), MakeVector<float>({1}));
  members.Add("v", "VariableV2", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({})}});
  members.Add("failing", "Identity", {"v"}, {{"T", DType::kFloat}});
  const auto session = members.Open();
  std::set<Code> of_others;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const std::vector<StepRequest> requests = {{{}, {"m0", "failing"}, {}}, {{}, {"m1"}, {}}};
    SeededDriver driver(seed);
    const Together together = session->RunTogether(requests, driver);
    of_others.insert(together.outcomes[1].status.code());
    std::vector<Tensor> outputs;
    ASSERT_EQ(members.RunIn(*session, &outputs).ToString(), "OK");
    EXPECT_THAT(ElementsOf<float>(outputs[0]), ElementsAre(3));
  }
  EXPECT_THAT(of_others, testing::Contains(Code::kCancelled));
}

}  // namespace
}  // namespace plumb::reference
