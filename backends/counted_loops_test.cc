// Laws of loops that count their turns, which every backend keeps (clause FN7).
#include <limits>

#include "backends/backends_testing.h"
#include "backends/functions_testing.h"

namespace plumb {
namespace {

class CountedLoops : public Functions {};
INSTANTIATE_TEST_SUITE_P(All, CountedLoops, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

NodeDef For(const std::string& name, const std::string& count, const FunctionRef& body, const std::string& variable) {
  return MakeNode(name, "For", {count + "_start", count + "_limit", count + "_delta", variable},
                  {{"T", std::vector{kFloat}}, {"body", body}});
}
std::vector<NodeDef> Count(const std::string& name, int32_t start, int32_t limit, int32_t delta) {
  return {MakeConst(name + "_start", MakeScalar(start)), MakeConst(name + "_limit", MakeScalar(limit)),
          MakeConst(name + "_delta", MakeScalar(delta))};
}
// Adds the count of a turn.
FunctionDef AddCount(const char* signature) {
  return MakeFunction(signature, "",
                      {MakeNode("count", "Cast", {"i"}, {{"SrcT", DType::kInt32}, {"DstT", kFloat}}),
                       Binary("sum", "Add", "x", "count:y:0")},
                      {{"y", "sum:z:0"}});
}

// FN7: turns that are counted, up or down, to a limit that no turn has; without a turn nothing changes.
TEST_P(CountedLoops, CountTheirTurns) {
  std::vector<NodeDef> nested = Count("c", 1, 3, 1);
  nested.push_back(MakeNode("inner", "For", {"c_start:output:0", "c_limit:output:0", "c_delta:output:0", "x"},
                            {{"T", std::vector{kFloat}}, {"body", Ref("AddCount")}}));
  const std::vector<FunctionDef> library = {
      AddCount("AddCount(i: int32, x: float32) -> (y: float32)"),
      MakeFunction("Nested(i: int32, x: float32) -> (y: float32)", "", nested, {{"y", "inner:output:0"}})};
  struct Trial {
    int32_t start, limit, delta;
    float sum;  // of the counts
  };
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
  const Trial trials[] = {{0, 10, 3, 18}, {6, 0, -2, 12}, {0, 9, 3, 9},
                          {4, 4, 0, 0},   {4, 4, -1, 0},  {kMost - 1, kMost, 5, static_cast<float>(kMost - 1)}};
  for (const auto& [start, limit, delta, sum] : trials) {
    const std::string name = Str("loop", start, "_", limit, "_", delta + 9);  // a session of its own
    std::vector<NodeDef> nodes = Count("c", start, limit, delta);
    nodes.push_back(Float("zero", 0));
    nodes.push_back(For(name, "c", Ref("AddCount"), "zero"));
    EXPECT_EQ(Run(MakeGraph(nodes, library), {name}), std::vector<float>{sum}) << start << ": " << status_.ToString();
  }
  std::vector<NodeDef> outer = Count("c", 0, 3, 1);
  outer.push_back(Float("zero", 0));
  outer.push_back(For("outer", "c", Ref("Nested"), "zero"));
  EXPECT_EQ(Run(MakeGraph(outer, library), {"outer"}), std::vector<float>{9}) << status_.ToString();
}

// FN7: turns that change nothing take no time, however many they are; but they must lead to the limit.
TEST_P(CountedLoops, CountTurnsThatChangeNothing) {
  const auto code = [&](const std::string& name, std::vector<NodeDef> nodes) {
    nodes.push_back(MakeNode(name, "For", {"c_start", "c_limit", "c_delta"},
                             {{"T", std::vector<DType>()}, {"body", Ref("Nothing")}}));
    nodes.push_back(MakeConst("after", MakeScalar(3.0F), {"^" + name}));
    Run(MakeGraph(nodes, {MakeFunction("Nothing(i: int32) -> ()", "", {}, {})}), {"after"});
    return status_.code();
  };
  EXPECT_EQ(code("many", Count("c", std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(), 1)),
            Code::kOk);
  EXPECT_EQ(code("away", Count("c", 0, 10, -1)), Code::kInvalidArgument);
}

// FN7: a loop without a turn may be the last of a body that is run, after what the caller is waiting for.
TEST_P(CountedLoops, EndABodyWithoutATurn) {
  std::vector<NodeDef> nodes = Count("c", 4, 4, 1);
  nodes.push_back(MakeNode("same", "Identity", {"x"}, FloatType()));
  nodes.push_back(MakeNode("none", "For", {"c_start:output:0", "c_limit:output:0", "c_delta:output:0", "same:output:0"},
                           {{"T", std::vector{kFloat}}, {"body", Ref("AddCount")}}));
  const GraphDef graph = MakeGraph(
      {Float("two", 2), Call("call", Ref("Late"), {"two"}, 1, "StatefulPartitionedCall")},
      {AddCount("AddCount(i: int32, x: float32) -> (y: float32)"),
       MakeFunction("Late(x: float32) -> (y: float32)", "", nodes, {{"y", "same:output:0"}}, {{"end", "none"}})});
  EXPECT_EQ(Run(graph, {"call"}), std::vector<float>{2}) << status_.ToString();
}

// FN7: counts that do not lead to the limit, or are no scalars; a body of other arguments.
TEST_P(CountedLoops, RefuseCountsThatDoNotEnd) {
  const std::vector<FunctionDef> library = {AddCount("AddCount(i: int32, x: float32) -> (y: float32)"),
                                            Unary("Minus(x: float32) -> (y: float32)", "Neg"),
                                            MakeFunction("Lose(i: int32, x: float32) -> ()", "", {}, {})};
  const auto code = [&](const std::string& name, std::vector<NodeDef> nodes, const char* body) {
    nodes.push_back(Float("zero", 0));
    nodes.push_back(For(name, "c", Ref(body), "zero"));
    Run(MakeGraph(nodes, library), {name});
    return status_.code();
  };
  EXPECT_EQ(code("away", Count("c", 0, 10, -1), "AddCount"), Code::kInvalidArgument);
  EXPECT_EQ(code("back", Count("c", 10, 0, 1), "AddCount"), Code::kInvalidArgument);
  EXPECT_EQ(code("stays", Count("c", 0, 1, 0), "AddCount"), Code::kInvalidArgument);
  EXPECT_EQ(code("body", Count("c", 0, 1, 1), "Minus"), Code::kInvalidArgument);
  EXPECT_EQ(code("fewer", Count("c", 0, 1, 1), "Lose"), Code::kInternal);
  std::vector<NodeDef> vector = Count("c", 0, 1, 1);
  vector[0] = MakeConst("c_start", MakeVector<int32_t>({0}));
  EXPECT_EQ(code("vector", vector, "AddCount"), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb
