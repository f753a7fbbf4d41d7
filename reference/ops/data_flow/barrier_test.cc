#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;

// A barrier of scalars, whose inserts run one after the other.
class BarrierGraph : public TestGraph {
 public:
  explicit BarrierGraph(int components) {
    const AttrMap attrs = {{"component_types", types_ = std::vector<DType>(components, DType::kInt32)},
                           {"shapes", std::vector<PartialShape>(components, PartialShape(Shape()))}};
    Add("barrier", "Barrier", {}, attrs);
  }
  BarrierGraph& Insert(std::vector<std::string> keys, int component) {
    const std::string name = plumb::Str("insert", ++inserts_);
    const auto count = static_cast<int64_t>(keys.size());
    const std::vector<int32_t> values(keys.size(), inserts_);
    Value(name + "/keys", MakeTensor<std::string>({count}, std::span<const std::string>(keys)));
    Value(name + "/values", MakeTensor<int32_t>({count}, std::span<const int32_t>(values)));
    Add(name, "BarrierInsertMany", {"barrier", name + "/keys", name + "/values"},
        {{"component_index", component}, {"T", DType::kInt32}});
    if (inserts_ > 1) def.nodes.back().inputs.push_back(plumb::Str("^insert", inserts_ - 1));
    return *this;
  }
  // Takes so many after all inserts.
  BarrierGraph& Take(std::string name, int count) {
    Const(name + "/count", count);
    Add(std::move(name), "BarrierTakeMany", {"barrier", def.nodes.back().name, plumb::Str("^insert", inserts_)},
        {{"component_types", types_}});
    return *this;
  }

 private:
  std::vector<DType> types_;
  int inserts_ = 0;
};

std::vector<std::string> Keys(const RunResult& result) {
  EXPECT_TRUE(result.status.ok()) << result.status.ToString();
  if (!result.status.ok()) return {};
  const auto keys = result.outputs.at(1).data<std::string>();
  return {keys.begin(), keys.end()};
}

TEST(Barrier, GivesWhatWasBegunFirstThoughItWasReadyLast) {  // B3
  BarrierGraph graph(2);
  for (const char* key : {"a", "b", "c", "d"}) graph.Insert({key}, 0);
  for (const char* key : {"d", "b", "c", "a"}) graph.Insert({key}, 1);
  graph.Take("take", 4);
  const RunResult result = TestSession(graph).Run({"take", "take:1", "take:2", "take:3"});
  EXPECT_THAT(Keys(result), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(result.outputs[0].data<int64_t>(), ElementsAre(INT64_MIN, INT64_MIN + 1, INT64_MIN + 2, INT64_MIN + 3));
  EXPECT_THAT(result.outputs[2].data<int32_t>(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(result.outputs[3].data<int32_t>(), ElementsAre(8, 6, 7, 5));
}

TEST(Barrier, KeysThatCameTogetherHaveOneIndex) {  // B3
  BarrierGraph graph(1);
  graph.Insert({"p", "q"}, 0).Insert({"r"}, 0).Insert({"p"}, 0).Take("take", 4);
  const RunResult result = TestSession(graph).Run({"take", "take:1", "take:2"});
  EXPECT_THAT(Keys(result), ElementsAre("p", "q", "r", "p")) << "B2: p is begun anew";
  EXPECT_THAT(result.outputs[0].data<int64_t>(), ElementsAre(INT64_MIN, INT64_MIN, INT64_MIN + 1, INT64_MIN + 2));
  EXPECT_THAT(result.outputs[2].data<int32_t>(), ElementsAre(1, 1, 2, 3));
}

// What an InsertMany had completed when it failed is gone; what it had begun stays.
TEST(Barrier, LosesWhatAFailedInsertHasCompleted) {  // B2
  BarrierGraph graph(2);
  graph.Insert({"a"}, 0).Insert({"x"}, 1);
  graph.Insert({"a", "y", "x"}, 1);  // x has a component 1 already
  graph.Add("ready", "BarrierReadySize", {"barrier"}).Add("incomplete", "BarrierIncompleteSize", {"barrier"});
  TestSession session(graph);
  EXPECT_EQ(session.Run({}, {}, {"insert3"}).code(), Code::kInvalidArgument);
  EXPECT_EQ(session.Run({"ready"}).scalar<int32_t>(), 0);
  EXPECT_EQ(session.Run({"incomplete"}).scalar<int32_t>(), 2) << "x and y";
}

// Taking p leaves s at the front of q and r, of which r, the right one, moves up.
TEST(Barrier, EqualIndicesComeAsTheHeapGivesThem) {  // B3
  BarrierGraph graph(1);
  graph.Insert({"p", "q", "r", "s"}, 0).Take("take", 4);
  EXPECT_THAT(Keys(TestSession(graph).Run({"take", "take:1"})), ElementsAre("p", "r", "q", "s"));
}

}  // namespace
}  // namespace plumb::reference
