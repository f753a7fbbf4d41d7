// Functions of a graph: what is read, bound and refused (clauses FN1–FN9).
#include "spec/graph/function_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/core/status_testing.h"
#include "spec/graph/function_calls.h"
#include "spec/graph/function_testing.h"
#include "spec/graph/graph.h"
#include "spec/validate/signatures.h"

namespace plumb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

FunctionDef Twice() {
  return MakeFunction("Twice(x: T) -> (y: T)", "T: type",
                      {MakeNode("sum", "Add", {"x", "x"}, {{"T", AttrPlaceholder{"T"}}})}, {{"y", "sum:z:0"}});
}

std::shared_ptr<const FunctionLibrary> LibraryOf(std::vector<FunctionDef> functions) {
  FunctionLibraryDef def;
  def.functions = std::move(functions);
  return FunctionLibrary::Parse(SerializeFunctionLibrary(def));
}

Status Bound(std::vector<FunctionDef> functions, const FunctionRef& ref) {
  return StatusOf([&] { LibraryOf(std::move(functions))->Body(ref); });
}

// FN3, FN4.
TEST(FunctionLibrary, BindsAttributes) {
  const auto library = LibraryOf({Twice()});
  for (const DType type : {DType::kFloat, DType::kInt32}) {
    const FunctionBody& body = library->Body(Ref("Twice", {{"T", type}}));
    ASSERT_EQ(body.args.size(), 1u);
    ASSERT_EQ(body.results.size(), 1u);
    EXPECT_EQ(body.graph.TypeOf(body.results[0]), type);
    EXPECT_EQ(body.graph.node(body.results[0].node).name, "sum");
    EXPECT_EQ(&body, &library->Body(Ref("Twice", {{"T", type}}))) << "a body is made once";
  }
}

// FN3: an argument, and an output, may stand for several values.
TEST(FunctionLibrary, ResolvesListsOfValues) {
  const auto library = LibraryOf({MakeFunction(
      "Halves(x: T*N) -> (all: T, second: T)", "T: type; N: int >= 1",
      {MakeConst("axis", MakeScalar<int32_t>(0)),
       MakeNode("all", "Pack", {"x"}, {{"T", AttrPlaceholder{"T"}}, {"N", AttrPlaceholder{"N"}}}),
       MakeNode("parts", "Unpack", {"all:output:0"}, {{"T", AttrPlaceholder{"T"}}, {"num", AttrPlaceholder{"N"}}})},
      {{"all", "all:output:0"}, {"second", "parts:output:1"}})});
  const FunctionBody& body = library->Body(Ref("Halves", {{"T", DType::kFloat}, {"N", 2}}));
  EXPECT_EQ(body.args.size(), 2u);
  EXPECT_EQ(body.graph.node(body.args[1]).name, "x_1");
  EXPECT_EQ(body.graph.node(*body.graph.Find("all")).inputs.size(), 2u);
  EXPECT_EQ(body.results[1].output, 1);
}

// FN5.
TEST(FunctionLibrary, KnowsTheEffectsOfABody) {
  const auto library = LibraryOf({MakeFunction(
      "Draws() -> ()", "",
      {MakeConst("shape", MakeVector<int32_t>({2})),
       MakeNode("draw", "RandomUniform", {"shape:output:0"}, {{"T", DType::kInt32}, {"dtype", DType::kFloat}}),
       MakeNode("wait", "NoOp"), MakeNode("unused", "NoOp")},
      {}, {{"w", "wait"}})});
  const FunctionBody& body = library->Body(Ref("Draws"));
  std::vector<std::string> names;
  for (const NodeId effect : body.effects) names.push_back(body.graph.node(effect).name);
  EXPECT_THAT(names, ElementsAre("draw", "wait"));
}

// Types of inputs that nobody names take memory: they are counted as they come, before edges are looked at.
TEST(FunctionLibrary, RefusesMoreInputsThanABodyNames) {
  constexpr int64_t kNodes = 17, kInputs = 1 << 16;
  const auto refusal = [](int64_t last) {
    std::vector<NodeDef> nodes;
    for (int i = 0; i < kNodes; ++i) {
      const int64_t inputs = i == kNodes - 1 ? last : kInputs;
      nodes.push_back(MakeNode(Str("sum", i), "AddN", {"x"}, {{"T", DType::kFloat}, {"N", inputs}}));
    }
    const Status status = Bound({MakeFunction("Sums(x: float32) -> ()", "", std::move(nodes), {})}, Ref("Sums"));
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    return std::string(status.message());
  };
  const int64_t left = static_cast<int64_t>(MostOutputs(kNodes)) - (kNodes - 1) * (kInputs - 1);
  EXPECT_THAT(refusal(left + 1), testing::Not(HasSubstr("beyond those that they name"))) << "one of them is named";
  EXPECT_THAT(refusal(left + 2), HasSubstr("beyond those that they name"));
}

// FN2: a definition may come twice, two definitions may not.
TEST(FunctionLibrary, RefusesTwoDefinitionsOfOneName) {
  FunctionDef other = Twice();
  other.nodes[0].op = "Mul";
  EXPECT_TRUE(StatusOf([&] { LibraryOf({Twice(), Twice()}); }).ok());
  EXPECT_EQ(StatusOf([&] { LibraryOf({Twice(), other}); }).code(), Code::kInvalidArgument);
  FunctionDef add = Twice();
  add.signature.name = "Add";
  const Status status = StatusOf([&] { LibraryOf({add}); });
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("an op has this name"));
}

// FN2: names are any that no op has; TensorFlow traces lambdas under names that no node could have.
TEST(FunctionLibrary, TakesNamesThatNodesCouldNotHave) {
  FunctionDef lambda = Twice();
  lambda.signature.name = "__inference_<lambda>_12";
  const FunctionRef floats = Ref("__inference_<lambda>_12", {{"T", DType::kFloat}});
  EXPECT_EQ(LibraryOf({lambda})->Body(floats).args.size(), 1u);
  lambda.signature.name.clear();
  EXPECT_EQ(StatusOf([&] { LibraryOf({lambda}); }).code(), Code::kInvalidArgument);
}

// ER11: whatever is wrong with a body is a status that says where.
TEST(FunctionLibrary, RefusesBodiesThatMakeNoSense) {
  const FunctionRef floats = Ref("Twice", {{"T", DType::kFloat}});
  const auto broken = [&](const std::function<void(FunctionDef&)>& change) {
    FunctionDef function = Twice();
    change(function);
    return Bound({function}, floats);
  };
  EXPECT_EQ(Bound({}, floats).code(), Code::kNotFound);
  EXPECT_EQ(Bound({Twice()}, Ref("Twice")).code(), Code::kNotFound) << "T is not bound";
  EXPECT_EQ(Bound({Twice()}, Ref("loop:sideways", {{"cond", floats}, {"body", floats}})).code(), Code::kNotFound);
  EXPECT_EQ(broken([](FunctionDef& f) { f.nodes[0].op = "NoSuchOp"; }).code(), Code::kNotFound);
  EXPECT_EQ(broken([](FunctionDef& f) { f.results.clear(); }).code(), Code::kInvalidArgument);
  EXPECT_EQ(broken([](FunctionDef& f) { f.results["y"] = "sum"; }).code(), Code::kInvalidArgument);
  EXPECT_EQ(broken([](FunctionDef& f) { f.results["y"] = "sum:z:1"; }).code(), Code::kInvalidArgument);
  EXPECT_EQ(broken([](FunctionDef& f) { f.nodes[0].inputs = {"x"}; }).code(), Code::kInvalidArgument);
  EXPECT_EQ(broken([](FunctionDef& f) { f.nodes[0].inputs = {"x", "sum:z:0"}; }).code(), Code::kInvalidArgument);
  EXPECT_EQ(broken([](FunctionDef& f) { f.nodes[0].inputs = {"x", "x", "^lost"}; }).code(), Code::kInvalidArgument);
  EXPECT_EQ(broken([](FunctionDef& f) { f.nodes.push_back(f.nodes[0]); }).code(), Code::kInvalidArgument);
  EXPECT_EQ(broken([](FunctionDef& f) { f.nodes[0].name = "x"; }).code(), Code::kInvalidArgument);
  EXPECT_EQ(broken([](FunctionDef& f) { f.nodes[0].attrs["T"] = AttrPlaceholder{"U"}; }).code(),
            Code::kInvalidArgument);
  EXPECT_EQ(broken([](FunctionDef& f) { f.control_results["c"] = "lost"; }).code(), Code::kInvalidArgument);
  const Status status = broken([](FunctionDef& f) { f.nodes[0].inputs = {"x", "lost:z:0"}; });
  EXPECT_THAT(status.message(), HasSubstr("function 'Twice'"));
  EXPECT_THAT(status.message(), HasSubstr("lost:z:0"));
  EXPECT_EQ(StatusOf([] { FunctionLibrary::Parse("no library"); }).code(), Code::kInvalidArgument);
}

// FN8: zeros where nothing depends on the argument.
TEST(FunctionLibrary, DifferentiatesBodies) {
  const auto library =
      LibraryOf({MakeFunction("First(x: float32, y: float32) -> (z: float32)", "",
                              {MakeNode("square", "Square", {"x"}, FloatType())}, {{"z", "square:y:0"}})});
  const FunctionBody& gradient = library->Body(GradientRef(Ref("First")));
  EXPECT_EQ(gradient.args.size(), 3u);
  ASSERT_EQ(gradient.results.size(), 2u);
  EXPECT_EQ(gradient.graph.node(gradient.results[1].node).op->name, "ZerosLike");
}

TEST(FunctionLibrary, SaysWhatItCannotDifferentiate) {
  const auto library =
      LibraryOf({MakeFunction("Loops(x: float32) -> (z: float32)", "",
                              {MakeNode("next", "NextIteration", {"x"}, FloatType())}, {{"z", "next:output:0"}})});
  EXPECT_EQ(StatusOf([&] { library->Body(GradientRef(Ref("Loops"))); }).code(), Code::kUnimplemented);
}

// FN4: a node of a function's name; its types must be those of the function.
TEST(GraphLoad, ResolvesCalls) {
  const GraphDef def =
      MakeGraph({MakeConst("one", MakeScalar(1.0f)), MakeNode("call", "Twice", {"one"}, FloatType())}, {Twice()});
  const Graph graph = Graph::Load(def);
  const Node& call = graph.node(*graph.Find("call"));
  EXPECT_EQ(call.op->kind, OpKind::kCall);
  EXPECT_THAT(call.output_types, ElementsAre(DType::kFloat));
  EXPECT_EQ(Graph::Load(graph.ToDef()).size(), graph.size());
  CheckCalls(graph.functions().get(), call);
  GraphDef unknown = def;
  unknown.library.clear();
  EXPECT_EQ(StatusOf([&] { Graph::Load(unknown); }).code(), Code::kNotFound);
  const auto code = [&](DType body, const std::vector<DType>& results) {
    GraphDef called = def;
    called.nodes[1] =
        MakeNode("call", "PartitionedCall", {"one"},
                 {{"Tin", std::vector{DType::kFloat}}, {"Tout", results}, {"f", Ref("Twice", {{"T", body}})}});
    const Graph loaded = Graph::Load(called);
    return StatusOf([&] { CheckCalls(loaded.functions().get(), loaded.node(*loaded.Find("call"))); }).code();
  };
  EXPECT_EQ(code(DType::kFloat, {DType::kFloat}), Code::kOk);
  EXPECT_EQ(code(DType::kInt32, {DType::kFloat}), Code::kInvalidArgument);
  EXPECT_EQ(code(DType::kFloat, {DType::kFloat, DType::kFloat}), Code::kInvalidArgument);
  EXPECT_EQ(code(DType::kFloat, {DType::kInt32}), Code::kInternal);
}

// FN6: no node of a graph can have such a name.
TEST(FunctionCalls, NameNodesByTheirPath) {
  const auto library = LibraryOf({Twice()});
  const FunctionBody& body = library->Body(Ref("Twice", {{"T", DType::kFloat}}));
  Node call;
  call.name = "a/b";
  call.op = library->Find("Twice");
  EXPECT_EQ(InCall(body.graph.node(body.results[0].node), PathInto("a/b", ""), call).name, "a/b:sum");
  EXPECT_EQ(PathInto("loop", "body"), "loop:body");
}

// FN9: the function itself is one of those that are counted.
TEST(FunctionLibrary, RefusesAttributesThatNameTooManyFunctions) {
  constexpr size_t kTooMany = 1 << 16;
  const auto library =
      LibraryOf({MakeFunction("f(x: float32) -> (y: float32)", "g: list(func)",
                              {MakeNode("i", "Identity", {"x"}, FloatType())}, {{"y", "i:output:0"}})});
  const auto code_of = [&](size_t named) {
    const std::vector<FunctionRef> all(named, Ref("h"));
    return StatusOf([&] { library->Body(Ref("f", {{"g", all}})); }).code();
  };
  EXPECT_EQ(code_of(kTooMany - 2), Code::kOk);
  EXPECT_EQ(code_of(kTooMany - 1), Code::kResourceExhausted);
}

// FN9: each level names twice as many functions as the one before, though it takes no more memory.
TEST(FunctionLibrary, RefusesAttributesThatDouble) {
  const FunctionRef both = Ref("h", {{"a", AttrPlaceholder{"g"}}, {"b", AttrPlaceholder{"g"}}});
  const auto library = LibraryOf({MakeFunction("f(x: float32) -> (y: float32)", "g: func",
                                               {MakeNode("call", "f", {"x"}, {{"g", both}})}, {{"y", "call:y:0"}})});
  FunctionRef doubled = Ref("h");
  for (int level = 0; level < 40; ++level) doubled = Ref("h", {{"a", doubled}, {"b", doubled}});
  EXPECT_EQ(StatusOf([&] { library->Body(Ref("f", {{"g", doubled}})); }).code(), Code::kResourceExhausted);
}

}  // namespace
}  // namespace plumb
