// Lists on accelerators: elements lie in the device's memory, and travel with the list where it is wanted elsewhere.
#include <gmock/gmock.h>

#include "fastpath/testing/list_graph.h"

namespace plumb::fast {
namespace {

using testing::IsSupersetOf;

constexpr DType kFloat = DType::kFloat, kVariant = DType::kVariant;
const std::string kCpu = "/cpu:0", kSim = "/device:SIM:0", kOther = "/device:SIM:1";

TEST(AcceleratedLists, AreKeptWhereTheirOpsRun) {
  for (const DType dtype : {kFloat, DType::kHalf, DType::kComplex64, DType::kInt64, DType::kInt32}) {
    // Rows of 16 floats begin where tensors may; those of 3 are copied into tensors of their own.
    for (const int64_t columns : {16, 3, 0}) {
      const ListGraph graph = EveryListOp(dtype);
      const auto feeds = FeedsOf(dtype, columns);
      const ListAnswers wanted = AnswersOf(graph, feeds, kListFetches, {.threads = 2});
      const ListAnswers got = AnswersOf(graph, feeds, kListFetches, {.threads = 2, .sim_devices = 1});
      ExpectSameAnswers(got, wanted, kListFetches);
      EXPECT_THAT(got.RanOn("SIM:0"),
                  IsSupersetOf({"list", "set", "pushed", "longer", "stack", "gather", "item", "popped", "pieces",
                                "joined", "length", "shape", "added", "zeros", "strewn_list"}))
          << DTypeName(dtype);
    }
  }
}

// A list with elements that have no value, and one of strings, in a list: from the host to one device, where it is
// changed, to another and back.
ListGraph Journey() {
  ListGraph graph;
  graph.Placeholder("rows", kFloat);
  graph.Const("words", MakeVector<std::string>({"one", "two"}));
  graph.Const("row", MakeVector<float>({5, 6}));
  graph.Const("scalar", Tensor(DType::kInt32, {0}));
  graph.Const("pair", MakeVector<int32_t>({2}));
  graph.List("list", "FromTensor", {"rows", "any"}, kCpu);
  graph.List("longer", "Resize", {"list", "3"}, kCpu);
  graph.List("text", "FromTensor", {"words", "any"}, DType::kString, kCpu);
  graph.Add("none", "EmptyTensorList", {"scalar", "any"}, {{"element_dtype", kVariant}, {"shape_type", DType::kInt32}},
            kCpu);
  graph.List("one", "PushBack", {"none", "text"}, kVariant, kCpu);
  graph.List("two", "PushBack", {"one", "longer"}, kVariant, kCpu);
  graph.List("inner", "PopBack", {"two", "any"}, kVariant, kSim);
  graph.List("changed", "SetItem", {"inner:1", "0", "row"}, kFloat, kSim);
  graph.List("outer", "PushBack", {"inner", "changed"}, kVariant, kSim);
  graph.Add("there", "Identity", {"outer"}, {{"T", kVariant}}, kOther);
  graph.List("back", "PopBack", {"there", "any"}, kVariant, kCpu);
  graph.List("numbers", "Stack", {"back:1", "pair"}, kFloat, kCpu);
  graph.List("last", "PopBack", {"back", "any"}, kVariant, kCpu);
  graph.List("strings", "Stack", {"last:1", "any"}, DType::kString, kCpu);
  return graph;
}
const std::vector<std::string> kJourney = {"numbers", "strings"};
const std::vector<Feed> kRows = {{"rows", MakeTensor<float>({2, 2}, {1, 2, 3, 4})}};

ListAnswers AtHome() { return AnswersOf(Journey(), kRows, kJourney, {.threads = 1, .allow_soft_placement = true}); }

TEST(AcceleratedLists, TravelFromDeviceToDevice) {
  const ListAnswers got = AnswersOf(Journey(), kRows, kJourney, {.threads = 2, .sim_devices = 2});
  ExpectSameAnswers(got, AtHome(), kJourney);
  EXPECT_EQ(got.values[0].ToString(), MakeTensor<float>({3, 2}, {5, 6, 3, 4, 0, 0}).ToString());
  EXPECT_THAT(got.RanOn("SIM:0"), IsSupersetOf({"inner", "changed", "outer"}));
  EXPECT_THAT(got.RanOn("SIM:1"), testing::Contains(testing::HasSubstr("outer"))) << "what brings the list there";
}

TEST(AcceleratedLists, TravelAsFeedsFetchesAndConstants) {
  ListGraph graph;
  graph.Placeholder("rows", kFloat);
  graph.List("list", "FromTensor", {"rows", "any"}, kSim);
  const ListAnswers made = AnswersOf(graph, kRows, {"list"}, {.threads = 1, .sim_devices = 1});
  ASSERT_EQ(made.status.ToString(), "OK");
  ListGraph users;
  users.Placeholder("fed", kVariant);
  users.Const("kept", made.values[0]);
  for (const std::string from : {"fed", "kept"}) users.List("stack_" + from, "Stack", {from, "any"}, kSim);
  const std::vector<std::string> fetches = {"stack_fed", "stack_kept"};
  const ListAnswers used = AnswersOf(users, {{"fed", made.values[0]}}, fetches, {.threads = 1, .sim_devices = 1});
  ASSERT_EQ(used.status.ToString(), "OK");
  for (const Tensor& stack : used.values) EXPECT_TRUE(stack.BitwiseEquals(kRows[0].second)) << stack.ToString();
}

TEST(AcceleratedLists, GoRoundLoops) {
  const ListGraph graph = LoopOfPushes(kFloat, 6);
  const std::vector<Feed> feeds = {{"row", MakeVector<float>({1, 2, 3})}};
  const ListAnswers got = AnswersOf(graph, feeds, {"stack"}, {.threads = 2, .sim_devices = 1});
  ExpectSameAnswers(got, AnswersOf(graph, feeds, {"stack"}, {.threads = 2}), {"stack"});
  EXPECT_THAT(got.RanOn("SIM:0"), IsSupersetOf({"none", "pushed", "stack"}));
}

TEST(AcceleratedLists, ThatDoNotArriveFailTheStepAlone) {
  int failed = 0, arrived = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const ListAnswers got = AnswersOf(Journey(), kRows, kJourney, {.threads = 2, .sim_devices = 2, .sim_seed = seed},
                                      {.failures_per_thousand = 50});
    if (got.status.ok()) {
      ++arrived;
      ExpectSameAnswers(got, AtHome(), kJourney);
    } else {
      ++failed;
      EXPECT_EQ(got.status.code(), Code::kUnavailable) << got.status.ToString();
    }
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(arrived, 0);
}

// Of a list whose elements together are larger than the device some are copied before there is no room: they are given
// back, as the next step shows.
TEST(AcceleratedLists, ThatFindNoRoomLeaveIt) {
  constexpr int64_t kColumns = 1 << 14;
  constexpr size_t kRow = kColumns * sizeof(float);
  ListGraph graph;
  graph.Placeholder("rows", kFloat);
  graph.List("list", "FromTensor", {"rows", "any"}, kCpu);
  graph.Add("there", "Identity", {"list"}, {{"T", kVariant}}, kSim);
  graph.List("length", "Length", {"there"}, kSim);
  const auto session = NewFastSession({.threads = 1, .sim_devices = 1}, {.accelerator_memory = 8 * kRow});
  ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
  const auto run = [&](int64_t rows) {
    Tensor fed = Zeros(kFloat, Shape({rows, kColumns}));
    std::vector<Tensor> outputs;
    return session->Run(std::vector<Feed>{{"rows", fed}}, std::vector<std::string>{"length"}, {}, &outputs).code();
  };
  for (int step = 0; step < 3; ++step) {
    EXPECT_EQ(run(20), Code::kResourceExhausted) << step;
    EXPECT_EQ(run(4), Code::kOk) << step;
  }
}

}  // namespace
}  // namespace plumb::fast
