// Components of optionals lie on the device, and travel with them.
#include <gmock/gmock.h>

#include "fastpath/testing/list_graph.h"

namespace plumb::fast {
namespace {

using testing::IsSupersetOf;

const std::vector<DType> kTypes = {DType::kFloat, DType::kInt64};
const std::vector<Feed> kFeeds = {{"x", MakeVector<float>({1, 2, 3})}, {"n", MakeVector<int64_t>({4, 5})}};
const std::vector<std::string> kFetches = {"sum", "value:1", "has", "has_none"};

// What is made on one device is taken out on another.
TestGraph OptionalGraph(const std::string& made_on, const std::string& taken_on) {
  const AttrMap taking = {{"output_types", kTypes}, {"output_shapes", std::vector<PartialShape>(2)}};
  ListGraph graph;
  graph.Placeholder("x", DType::kFloat);
  graph.Placeholder("n", DType::kInt64);
  graph.Op("twice", "AddV2", DType::kFloat, {"x", "x"});
  graph.Add("some", "OptionalFromValue", {"twice", "n"}, {{"Toutput_types", kTypes}}, made_on);
  graph.Add("none", "OptionalNone", {}, {}, made_on);
  graph.Add("value", "OptionalGetValue", {"some"}, taking, taken_on);
  graph.Op("sum", "AddV2", DType::kFloat, {"value", "x"});
  graph.Add("has", "OptionalHasValue", {"some"}, {}, taken_on);
  graph.Add("has_none", "OptionalHasValue", {"none"}, {}, taken_on);
  graph.Add("missing", "OptionalGetValue", {"none"}, taking, taken_on);
  return graph;
}

TEST(GpuOptional, KeepsItsComponentsOnTheDevice) {
  const ListAnswers wanted = AnswersOf(OptionalGraph("", ""), kFeeds, kFetches, kOnHost);
  const ListAnswers got = AnswersOf(OptionalGraph("", ""), kFeeds, kFetches, kBesideGpu);
  ExpectSameAnswers(got, wanted, kFetches);
  EXPECT_THAT(got.RanOn("GPU:0"), IsSupersetOf({"some", "value", "has"}));
  ExpectSameAnswers(AnswersOf(OptionalGraph("", ""), kFeeds, kFetches, kBesideSim), wanted, kFetches);
  EXPECT_EQ(AnswersOf(OptionalGraph("", ""), kFeeds, {"missing"}, kBesideGpu).status.code(), Code::kInvalidArgument);
}

TEST(GpuOptional, TravelsWithItsComponents) { ExpectTravels(OptionalGraph, kFeeds, kFetches); }

}  // namespace
}  // namespace plumb::fast
