#include "reference/world/drivers/seeded.h"

#include <gtest/gtest.h>

#include <set>

#include "reference/test_graph.h"
#include "reference/world/drivers/first.h"

namespace plumb::reference {
namespace {

const AttrMap kFloat = {{"T", DType::kFloat}};

AttrMap Into(const std::string& frame, bool constant, int parallel) {
  return {{"T", DType::kFloat}, {"frame_name", frame}, {"is_constant", constant}, {"parallel_iterations", parallel}};
}

// Loop variables `names` in `frame`, which start at the tensors `initial` and go on with "<name>_next"; the loop runs
// while <first name> < `limit`, a tensor of the loop.
void AddLoop(TestGraph& graph, const std::string& frame, const std::vector<std::string>& names,
             const std::vector<std::string>& initial, const std::string& limit, int parallel) {
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& v = names[i];
    graph.Add(v + "_enter", "Enter", {initial[i]}, Into(frame, false, parallel));
    graph.Add(v, "Merge", {v + "_enter", v + "_back"}, kFloat).Add(v + "_switch", "Switch", {v, frame}, kFloat);
    graph.Add(v + "_body", "Identity", {v + "_switch:1"}, kFloat).Add(v + "_exit", "Exit", {v + "_switch"}, kFloat);
    graph.Add(v + "_back", "NextIteration", {v + "_next"}, kFloat);
  }
  graph.Add(frame + "_less", "Less", {names[0], limit}, kFloat).Add(frame, "LoopCond", {frame + "_less"});
}

// A loop in a loop, a conditional in it, a TensorArray that every iteration writes, and a variable that edges order.
// Its sums are rounded, so that their order would show.
TestGraph WithoutRaces(int parallel) {
  TestGraph graph;
  graph.Const<float>("zero", 0).Const<float>("tenth0", 0.1f).Const<float>("n0", 5).Const<float>("one0", 1);
  for (const char* name : {"tenth", "n", "one"}) {
    graph.Add(name, "Enter", {Str(name, "0")}, Into("outer", true, parallel));
    graph.Add(Str(name, "_in"), "Enter", {name}, Into("inner", true, parallel));
  }
  AddLoop(graph, "outer", {"i", "sum"}, {"zero", "tenth0"}, "n", parallel);
  graph.Add("i_next", "Add", {"i_body", "one"}, kFloat);
  graph.Add("j0", "Sub", {"i_body", "i_body"}, kFloat);
  AddLoop(graph, "inner", {"j", "part"}, {"j0", "sum_body"}, "i_in", parallel);
  graph.Add("i_in", "Enter", {"i_body"}, Into("inner", true, parallel));
  graph.Add("j_next", "Add", {"j_body", "one_in"}, kFloat).Add("square", "Mul", {"part_body", "part_body"}, kFloat);
  graph.Add("part_next", "Add", {"square", "tenth_in"}, kFloat);
  graph.Add("odd", "Less", {"part_exit", "one"}, kFloat).Add("either", "Switch", {"part_exit", "odd"}, kFloat);
  graph.Add("if_less", "Add", {"either:1", "tenth"}, kFloat).Add("if_more", "Mul", {"either", "tenth"}, kFloat);
  graph.Add("sum_next", "Merge", {"if_less", "if_more"}, kFloat);
  graph.Add("v", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kFloat}});
  graph.Add("set", "Assign", {"v", "sum_exit"}, kFloat).Add("added", "AssignAdd", {"set", "tenth0"}, kFloat);
  graph.Add("later", "AssignAdd", {"v", "i_exit", "^added"}, kFloat)
      .Add("seen", "Add", {"v", "zero", "^later"}, kFloat);
  graph.Const("size", 5).Add("ta", "TensorArrayV3", {"size"}, {{"dtype", DType::kFloat}});
  graph.Value("all", MakeVector<int32_t>({0, 1, 2, 3, 4})).Value("rows", MakeVector<float>({5, 4, 3, 2, 1}));
  graph.Add("scatter", "TensorArrayScatterV3", {"ta", "all", "rows", "ta:1"}, kFloat);
  return graph.Add("gather", "TensorArrayGatherV3", {"ta", "all", "scatter"}, {{"dtype", DType::kFloat}});
}

std::vector<Tensor> Answers(const TestGraph& graph, Driver& driver, const std::vector<std::string>& fetches) {
  TestSession session(graph);
  EXPECT_TRUE(session.extended.ok()) << session.extended.ToString();
  const StepRequest request{{}, fetches, {}};
  const Together together = session.session.RunTogether({&request, 1}, driver);
  EXPECT_TRUE(together.outcomes[0].status.ok()) << together.outcomes[0].status.ToString();
  std::vector<Tensor> tensors;
  for (const Value& value : together.outcomes[0].values) tensors.push_back(value.tensor);
  return tensors;
}

TEST(SeededDriver, GraphsWithoutRacesGiveOneAnswer) {
  for (const int parallel : {1, 2, 10}) {
    const TestGraph graph = WithoutRaces(parallel);
    const std::vector<std::string> fetches = {"i_exit", "sum_exit", "seen", "gather"};
    FirstDriver first;
    const std::vector<Tensor> expected = Answers(graph, first, fetches);
    for (uint64_t seed = 0; seed < 100; ++seed) {
      SeededDriver driver(seed);
      const std::vector<Tensor> actual = Answers(graph, driver, fetches);
      ASSERT_EQ(actual.size(), expected.size());
      for (size_t i = 0; i < actual.size(); ++i) {
        EXPECT_TRUE(actual[i].BitwiseEquals(expected[i])) << fetches[i] << ", seed " << seed;
      }
    }
  }
}

TEST(SeededDriver, FindsWhatARaceMayAnswer) {
  TestGraph graph;
  graph.Const<float>("one", 1).Const<float>("two", 2);
  graph.Add("v", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kFloat}});
  graph.Add("to_one", "Assign", {"v", "one"}, kFloat).Add("to_two", "Assign", {"v", "two"}, kFloat);
  graph.Add("last", "Identity", {"v", "^to_one", "^to_two"}, kFloat);
  std::set<float> seen;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    SeededDriver driver(seed), again(seed);
    const float answer = Answers(graph, driver, {"last"})[0].scalar<float>();
    EXPECT_EQ(Answers(graph, again, {"last"})[0].scalar<float>(), answer) << "the same seed, the same walk";
    seen.insert(answer);
  }
  EXPECT_EQ(seen, (std::set<float>{1, 2}));
}

// A read that nothing holds back, beside a long chain that ends in an update.
TEST(SeededDriver, LeavesAnEventForLastThatCouldBeTheFirst) {
  TestGraph graph;
  graph.Const<float>("one", 1);
  graph.Add("v", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kFloat}});
  graph.Add("init", "Assign", {"v", "one"}, kFloat).Add("alias", "Identity", {"v"}, kFloat);
  std::string last = "one";
  for (int i = 0; i < 40; ++i) {
    graph.Add(Str("link", i), "Neg", {last}, kFloat);
    last = Str("link", i);
  }
  graph.Add("update", "AssignAdd", {"v", last}, kFloat).Add("read", "Square", {"alias"}, kFloat);
  std::set<float> seen;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    TestSession session(graph);
    ASSERT_TRUE(session.Run({"init"}).status.ok());
    SeededDriver driver(seed);
    const StepRequest request{{}, {"read"}, {"update"}};
    const Together together = session.session.RunTogether({&request, 1}, driver);
    seen.insert(together.outcomes[0].values[0].tensor.scalar<float>());
  }
  EXPECT_EQ(seen, (std::set<float>{1, 4}));
}

}  // namespace
}  // namespace plumb::reference
