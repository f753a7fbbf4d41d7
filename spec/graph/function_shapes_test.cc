// Shapes of calls, through the bodies of functions (clause FN10).
#include "spec/graph/function_shapes.h"

#include <gtest/gtest.h>

#include "spec/graph/function_testing.h"
#include "spec/graph/graph.h"
#include "spec/ops/known_values.h"
#include "spec/validate/shapes.h"

namespace plumb {
namespace {

constexpr DType kFloat = DType::kFloat;
const PartialShape kUnknown = PartialShape::Unknown();

NodeDef Input(const std::string& name, PartialShape shape) {
  return MakeNode(name, "Placeholder", {}, {{"dtype", kFloat}, {"shape", std::move(shape)}});
}
AttrMap Types(size_t in, size_t out) {
  return {{"Tin", std::vector<DType>(in, kFloat)}, {"Tout", std::vector<DType>(out, kFloat)}};
}
AttrMap With(AttrMap attrs, const std::string& name, AttrValue value) {
  attrs.insert_or_assign(name, std::move(value));
  return attrs;
}
NodeDef Conditional(std::vector<std::string> inputs, const std::string& then_branch, const std::string& else_branch) {
  AttrMap attrs = With(Types(inputs.size() - 1, 1), "Tcond", DType::kBool);
  attrs = With(With(std::move(attrs), "then_branch", Ref(then_branch)), "else_branch", Ref(else_branch));
  return MakeNode("call", "If", std::move(inputs), std::move(attrs));
}
NodeDef Loop(const std::vector<std::string>& inputs, const std::string& body) {
  return MakeNode("call", "While", inputs,
                  {{"T", std::vector<DType>(inputs.size(), kFloat)}, {"cond", Ref("Never")}, {"body", Ref(body)}});
}

// x·y, of matrices.
FunctionDef Product() {
  return MakeFunction("Product(x: float32, y: float32) -> (z: float32)", "",
                      {MakeNode("op", "MatMul", {"x", "y"}, FloatType())}, {{"z", "op:product:0"}});
}
// x and x joined along the axis.
FunctionDef Doubled(const char* signature, int32_t axis) {
  return MakeFunction(
      signature, "",
      {MakeConst("axis", MakeScalar(axis)),
       MakeNode("op", "ConcatV2", {"x", "x", "axis:output:0"}, {{"T", kFloat}, {"N", 2}, {"Tidx", DType::kInt32}})},
      {{"y", "op:output:0"}});
}

std::vector<PartialShape> ShapesOfCall(std::vector<NodeDef> nodes, std::vector<FunctionDef> functions) {
  const Graph graph = Graph::Load(MakeGraph(std::move(nodes), std::move(functions)));
  return InferGraphShapes(graph)[Index(*graph.Find("call"))];
}
using Shapes = std::vector<PartialShape>;

TEST(CallShapes, FollowTheBody) {
  const std::vector<NodeDef> inputs = {Input("a", {2, -1}), Input("b", {-1, 5})};
  const auto of = [&](NodeDef call) {
    std::vector<NodeDef> nodes = inputs;
    nodes.push_back(std::move(call));
    return ShapesOfCall(nodes, {Product()});
  };
  EXPECT_EQ(of(MakeNode("call", "Product", {"a", "b"})), Shapes({{2, 5}}));
  EXPECT_EQ(of(MakeNode("call", "PartitionedCall", {"a", "b"}, With(Types(2, 1), "f", Ref("Product")))),
            Shapes({{2, 5}}));
}

TEST(CallShapes, GoThroughCallsInCalls) {
  const FunctionDef outer =
      MakeFunction("Outer(x: float32) -> (z: float32)", "", {MakeNode("in", "Product", {"x", "x"})}, {{"z", "in:z:0"}});
  EXPECT_EQ(ShapesOfCall({Input("a", {3, 3}), MakeNode("call", "Outer", {"a"})}, {Product(), outer}), Shapes({{3, 3}}));
}

// Constants decide shapes in bodies as they do outside, and so do variables behind handles.
TEST(CallShapes, KnowWhatArgumentsAre) {
  const FunctionDef reshape = MakeFunction(
      "As(x: float32, dims: int32) -> (y: float32)", "",
      {MakeNode("op", "Reshape", {"x", "dims"}, {{"T", kFloat}, {"Tshape", DType::kInt32}})}, {{"y", "op:output:0"}});
  EXPECT_EQ(ShapesOfCall({Input("a", kUnknown), MakeConst("dims", MakeVector<int32_t>({2, -1})),
                          MakeNode("call", "As", {"a", "dims"})},
                         {reshape}),
            Shapes({{2, -1}}));
  const FunctionDef read =
      MakeFunction("Read(v: resource) -> (y: float32) stateful", "",
                   {MakeNode("op", "ReadVariableOp", {"v"}, {{"dtype", kFloat}})}, {{"y", "op:value:0"}});
  EXPECT_EQ(ShapesOfCall({MakeNode("v", "VarHandleOp", {}, {{"dtype", kFloat}, {"shape", PartialShape({4})}}),
                          MakeNode("call", "Read", {"v"})},
                         {read}),
            Shapes({{4}}));
}

// What both branches give.
TEST(CallShapes, AreWhatAllBranchesAgreeOn) {
  const std::vector<FunctionDef> functions = {Doubled("Wider(x: float32) -> (y: float32)", 1),
                                              Doubled("Taller(x: float32) -> (y: float32)", 0),
                                              MakeFunction("Same(x: float32) -> (y: float32)", "", {}, {{"y", "x"}})};
  const std::vector<NodeDef> nodes = {MakeConst("yes", MakeScalar(true)), Input("a", {2, 3})};
  const auto of = [&](const std::string& then_branch, const std::string& else_branch) {
    std::vector<NodeDef> all = nodes;
    all.push_back(Conditional({"yes", "a"}, then_branch, else_branch));
    return ShapesOfCall(all, functions);
  };
  EXPECT_EQ(of("Wider", "Wider"), Shapes({{2, 6}}));
  EXPECT_EQ(of("Wider", "Same"), Shapes({{2, -1}}));
  EXPECT_EQ(of("Wider", "Taller"), Shapes({{-1, -1}}));
}

FunctionDef Never(const char* signature) {
  return MakeFunction(signature, "", {MakeConst("no", MakeScalar(false))}, {{"b", "no:output:0"}});
}

// A dimension that a turn changes is unknown, and so is what later turns make of it.
TEST(CallShapes, OfLoopsHoldInAllTurns) {
  const FunctionDef body = MakeFunction(
      "Turn(x: float32, y: float32, z: float32) -> (x1: float32, y1: float32, z1: float32)", "",
      {MakeConst("axis", MakeScalar<int32_t>(0)),
       MakeNode("op", "ConcatV2", {"x", "x", "axis:output:0"}, {{"T", kFloat}, {"N", 2}, {"Tidx", DType::kInt32}})},
      {{"x1", "op:output:0"}, {"y1", "x"}, {"z1", "y"}});
  const FunctionDef never = Never("Never(x: float32, y: float32, z: float32) -> (b: bool)");
  EXPECT_EQ(ShapesOfCall({Input("a", {1, 3}), Loop({"a", "a", "a"}, "Turn")}, {body, never}),
            Shapes({{-1, 3}, {-1, 3}, {-1, 3}}));
}

// No turn at all gives what came in, whatever the body would have made of it.
TEST(CallShapes, OfLoopsHoldAfterNoTurn) {
  const FunctionDef body = MakeFunction("Turn(x: float32) -> (y: float32)", "",
                                        {MakeConst("two", MakeVector<float>({1, 2}))}, {{"y", "two:output:0"}});
  const FunctionDef never = Never("Never(x: float32) -> (b: bool)");
  EXPECT_EQ(ShapesOfCall({Input("a", kUnknown), Loop({"a"}, "Turn")}, {body, never}), Shapes({kUnknown}));
  EXPECT_EQ(ShapesOfCall({Input("a", {2}), Loop({"a"}, "Turn")}, {body, never}), Shapes({{2}}));
}

// What a node promises counts where the bodies say nothing else.
TEST(CallShapes, JoinWhatIsPromised) {
  const std::vector<FunctionDef> functions = {Never("Never(x: float32) -> (b: bool)"),
                                              MakeFunction("Same(x: float32) -> (y: float32)", "", {}, {{"y", "x"}})};
  const auto promised = [](PartialShape shape) {
    NodeDef loop = Loop({"a"}, "Same");
    loop.attrs["output_shapes"] = std::vector<PartialShape>{std::move(shape)};
    return loop;
  };
  EXPECT_EQ(ShapesOfCall({Input("a", {2, -1}), promised({-1, 3})}, functions), Shapes({{2, 3}}));
  EXPECT_EQ(ShapesOfCall({Input("a", {2, -1}), promised({7, 3})}, functions), Shapes({{2, -1}}));
}

TEST(CallShapes, ArePromisedOfAllOutputsOrOfNone) {
  const FunctionDef same =
      MakeFunction("Same(x: float32, y: float32) -> (x1: float32, y1: float32)", "", {}, {{"x1", "x"}, {"y1", "y"}});
  const std::vector<FunctionDef> functions = {Never("Never(x: float32, y: float32) -> (b: bool)"), same};
  for (const size_t promised : {0, 1, 2, 3}) {
    NodeDef loop = Loop({"a", "a"}, "Same");
    loop.attrs["output_shapes"] = std::vector<PartialShape>(promised);
    const std::vector<NodeDef> nodes = {Input("a", {2}), loop};
    if (promised == 0 || promised == 2) {
      EXPECT_EQ(ShapesOfCall(nodes, functions), Shapes({{2}, {2}}));
    } else {
      EXPECT_THROW(ShapesOfCall(nodes, functions), Error) << promised;
    }
  }
}

// FN9: what calls itself has no end, and what unfolds to more than can be followed stays unknown.
TEST(CallShapes, AreBounded) {
  const FunctionDef endless = MakeFunction("Endless(x: float32) -> (y: float32)", "",
                                           {MakeNode("again", "Endless", {"x"})}, {{"y", "again:y:0"}});
  EXPECT_EQ(ShapesOfCall({Input("a", {2}), MakeNode("call", "Endless", {"a"})}, {endless}), Shapes({kUnknown}));
  FunctionDef growing = Doubled("Growing(x: float32) -> (y: float32)", 0);
  growing.nodes.push_back(MakeNode("again", "Growing", {"op:output:0"}));
  growing.results["y"] = "again:y:0";
  EXPECT_EQ(ShapesOfCall({Input("a", {2}), MakeNode("call", "Growing", {"a"})}, {growing}), Shapes({kUnknown}));
  std::vector<FunctionDef> many = {Doubled("F0(x: float32) -> (y: float32)", 0)};
  for (int i = 1; i < 30; ++i) {
    const std::string below = Str("F", i - 1), signature = Str("F", i, "(x: float32) -> (y: float32)");
    many.push_back(MakeFunction(signature.c_str(), "",
                                {MakeNode("a", below, {"x"}), MakeNode("b", below, {"x"}),
                                 MakeNode("op", "Add", {"a:y:0", "b:y:0"}, FloatType())},
                                {{"y", "op:z:0"}}));
  }
  EXPECT_EQ(ShapesOfCall({Input("a", {2}), MakeNode("call", "F29", {"a"})}, many), Shapes({{4}}));
}

// Body1 calls Body0, Body2 calls Body1, and so on.
std::vector<FunctionDef> Chain(FunctionDef f0, int last) {
  std::vector<FunctionDef> chain = {std::move(f0)};
  for (int i = 1; i <= last; ++i) {
    const std::string signature = Str("Body", i, "(x: float32) -> (y: float32)");
    chain.push_back(
        MakeFunction(signature.c_str(), "", {MakeNode("in", Str("Body", i - 1), {"x"})}, {{"y", "in:y:0"}}));
  }
  return chain;
}

TEST(CallShapes, FollowBodiesThatLieSoDeep) {
  constexpr int kDeepest = 32;  // FN10
  const std::vector<FunctionDef> chain = Chain(Doubled("Body0(x: float32) -> (y: float32)", 0), kDeepest);
  const auto of = [&](int bodies) {
    return ShapesOfCall({Input("a", {2}), MakeNode("call", Str("Body", bodies - 1), {"a"})}, chain);
  };
  EXPECT_EQ(of(kDeepest), Shapes({{4}}));
  EXPECT_EQ(of(kDeepest + 1), Shapes({kUnknown}));
}

// FN10: bodies that lie too deep are counted, though nobody looks at their nodes: Body0 calls a large one for many
// shapes.
TEST(CallShapes, FollowSoManyNodes) {
  constexpr int kMostNodes = 1 << 20, kDeepest = 32, kNodes = 1 << 10, kCalls = kNodes - 5;
  const auto padded = [](FunctionDef function, int nodes) {
    for (int i = 0; i < nodes; ++i) function.nodes.push_back(MakeNode(Str("more", i), "NoOp"));
    return function;
  };
  const FunctionDef large = padded(MakeFunction("Large(x: float32) -> (y: float32)", "", {}, {{"y", "x"}}), kNodes - 1);
  FunctionDef f0 = MakeFunction("Body0(x: float32) -> (y: float32)", "", {}, {{"y", "x"}});
  for (int i = 0; i < kCalls; ++i) {
    f0.nodes.push_back(MakeConst(Str("rows", i), Zeros(kFloat, {i, 0})));
    f0.nodes.push_back(MakeNode(Str("call", i), "Large", {Str("rows", i, ":output:0")}));
  }
  const FunctionDef last = Doubled("Last(x: float32) -> (y: float32)", 0);
  std::vector<FunctionDef> functions = Chain(std::move(f0), kDeepest - 1);
  int counted = kCalls * kNodes;
  for (const FunctionDef& function : functions) counted += static_cast<int>(function.nodes.size()) + 1;  // its argument
  const int left = kMostNodes - counted - static_cast<int>(last.nodes.size()) - 1;
  ASSERT_GT(left, 0);
  const auto of = [&](int more) {
    std::vector<FunctionDef> all = functions;
    all.insert(all.end(), {large, padded(last, more)});
    return ShapesOfCall(
        {Input("a", {2}), MakeNode("deep", Str("Body", kDeepest - 1), {"a"}), MakeNode("call", "Last", {"a", "^deep"})},
        all);
  };
  EXPECT_EQ(of(left), Shapes({{4}}));
  EXPECT_EQ(of(left + 1), Shapes({kUnknown}));
}

// A longer argument is any to a body.
TEST(CallShapes, KnowArgumentsOfSoManyElements) {
  const auto parts_of = [](int64_t count) {
    const AttrMap attrs = {{"T", kFloat}, {"Tlen", DType::kInt32}, {"num_split", count}};
    const FunctionDef split = MakeFunction(
        "Parts(x: float32, sizes: int32) -> (y: float32)", "",
        {MakeConst("axis", MakeScalar<int32_t>(0)), MakeNode("op", "SplitV", {"x", "sizes", "axis:output:0"}, attrs)},
        {{"y", "op:output:0"}});
    return ShapesOfCall({Input("a", {-1}), MakeConst("sizes", Zeros(DType::kInt32, {count})),
                         MakeNode("call", "Parts", {"a", "sizes"})},
                        {split});
  };
  EXPECT_EQ(parts_of(kMaxKnownElements), Shapes({{0}}));
  EXPECT_EQ(parts_of(kMaxKnownElements + 1), Shapes({{-1}}));
}

// What makes no sense is refused when it is called, not where its shape is asked for.
TEST(CallShapes, AreUnknownOfWhatMakesNoSense) {
  EXPECT_EQ(ShapesOfCall({Input("a", {2, 3}), MakeNode("call", "Product", {"a", "a"})}, {Product()}),
            Shapes({kUnknown}));
  EXPECT_EQ(ShapesOfCall({Input("a", {2}), Loop({"a"}, "Lost")}, {Product()}), Shapes({kUnknown}));
}

}  // namespace
}  // namespace plumb
