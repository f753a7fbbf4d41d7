#include <gmock/gmock.h>

#include "fastpath/testing/list_graph.h"

namespace plumb::fast {
namespace {

using testing::IsSupersetOf;

constexpr DType kFloat = DType::kFloat;
const SessionOptions kHost = {.threads = 2, .allow_soft_placement = true},
                     kGpu = {.threads = 2, .emulated_gpus = 1, .allow_soft_placement = true};

void AddVariable(TestGraph& graph, const std::string& name, const std::string& device) {
  const AttrMap attrs = {{"dtype", kFloat}, {"shape", PartialShape({2})}, {"var_name", std::string("v")}};
  graph.Add(name, "TemporaryVariable", {}, attrs, device);
}

TEST(GpuTemporaryVariable, BeginsWithZerosAndIsUpdatedOnTheDevice) {
  ListGraph graph;
  graph.Placeholder("x", kFloat);
  AddVariable(graph, "made", "");
  graph.Op("added", "AssignAdd", kFloat, {"made", "x"});
  graph.Op("again", "AssignAdd", kFloat, {"added", "x"});
  graph.Add("end", "DestroyTemporaryVariable", {"again"}, {{"T", kFloat}, {"var_name", std::string("v")}});
  const std::vector<Feed> feeds = {{"x", MakeVector<float>({1.5F, -2})}};
  const ListAnswers got = AnswersOf(graph, feeds, {"end"}, kGpu);
  ExpectSameAnswers(got, AnswersOf(graph, feeds, {"end"}, kHost), {"end"});
  EXPECT_THAT(got.RanOn("GPU:0"), IsSupersetOf({"made", "added", "again", "end"}));
}

// R14: names are those of the step, on whichever device their variables lie.
TEST(GpuTemporaryVariable, IsAloneWithItsNameInTheStep) {
  ListGraph graph;
  AddVariable(graph, "here", "/cpu:0");
  AddVariable(graph, "there", "/device:GPU:0");
  graph.Op("a", "Identity", kFloat, {"here"});
  graph.Op("b", "Identity", kFloat, {"there"});
  EXPECT_EQ(AnswersOf(graph, {}, {"a", "b"}, kHost).status.code(), Code::kAlreadyExists);
  EXPECT_EQ(AnswersOf(graph, {}, {"a", "b"}, kGpu).status.code(), Code::kAlreadyExists);
  EXPECT_EQ(AnswersOf(graph, {}, {"b"}, kGpu).status.ToString(), "OK");
}

}  // namespace
}  // namespace plumb::fast
