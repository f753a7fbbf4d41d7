#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/graph/graph.h"
#include "spec/ops/op_def.h"

namespace plumb {
namespace {

using ::testing::HasSubstr;

NodeDef Def(std::string name, std::string op, std::vector<std::string> inputs = {}, AttrMap attrs = {}) {
  NodeDef def;
  def.name = std::move(name);
  def.op = std::move(op);
  def.inputs = std::move(inputs);
  def.attrs = std::move(attrs);
  return def;
}
NodeDef Source(std::string name, DType type = DType::kFloat) {
  return Def(std::move(name), "Placeholder", {}, {{"dtype", type}});
}
NodeDef Copy(std::string name, std::vector<std::string> inputs, DType type = DType::kFloat) {
  return Def(std::move(name), "Identity", std::move(inputs), {{"T", type}});
}

Status Load(std::vector<NodeDef> nodes, VersionDef versions = {}) {
  GraphDef def;
  def.nodes = std::move(nodes);
  def.versions = std::move(versions);
  try {
    Graph::Load(def);
    return OkStatus();
  } catch (const Error& error) {
    return error.status();
  }
}

void ExpectRefused(const Status& status, const std::vector<std::string>& words, Code code = Code::kInvalidArgument) {
  EXPECT_EQ(status.code(), code) << status.ToString();
  for (const std::string& word : words) EXPECT_THAT(status.message(), HasSubstr(word));
}

TEST(TensorName, IsParsedFromItsRightEnd) {
  EXPECT_EQ(ParseTensorName("a").ToString(), "a");
  EXPECT_EQ(ParseTensorName("a:0").ToString(), "a");
  EXPECT_EQ(ParseTensorName("a:12").ToString(), "a:12");
  EXPECT_EQ(ParseTensorName(std::string_view("a:123").substr(0, 4)).ToString(), "a:12") << "amid a text";
  EXPECT_EQ(ParseTensorName("a:b:1").node, "a:b");
  EXPECT_EQ(ParseTensorName("a:").node, "a:");
  EXPECT_TRUE(ParseTensorName("^a/b").control);
}

TEST(TensorName, ControlInputsHaveNoOutput) {
  for (const char* text : {"^a:0", "", "^", ":1", "a:99999999999"}) EXPECT_THROW(ParseTensorName(text), Error) << text;
}

TEST(Load, OrderOfNodesDoesNotMatter) { EXPECT_TRUE(Load({Copy("late", {"early"}), Source("early")}).ok()); }

TEST(Load, RepeatedControlInputsAreOneAndRepeatedDataInputsAreTwo) {
  GraphDef def;
  def.nodes = {Source("a"), Def("sum", "AddV2", {"a", "a:0", "^a", "^a"}, {{"T", DType::kFloat}})};
  const Graph graph = Graph::Load(def);
  const Node& sum = graph.node(*graph.Find("sum"));
  EXPECT_EQ(sum.inputs.size(), 2u);
  EXPECT_EQ(sum.control_inputs.size(), 1u);
}

TEST(Load, NamesFollowTheGrammar) {
  for (const char* name : {"", "_hidden", "a b", "-x", "a:0", "^a", "/a", ">a", "a>", "a>>b", "a>_b", "a\n"}) {
    ExpectRefused(Load({Source(name)}), {"invalid characters"});
  }
  EXPECT_TRUE(Load({Source(".9/a-b_C>d")}).ok());
}

TEST(Load, WrongReferencesAreRefused) {
  ExpectRefused(Load({Source("a"), Source("a")}), {"'a'", "twice"});
  ExpectRefused(Load({Copy("b", {"missing"})}), {"'b'", "'missing'"});
  ExpectRefused(Load({Copy("b", {"^missing"})}), {"'b'", "'missing'"});
  ExpectRefused(Load({Source("a"), Copy("b", {"a:1"})}), {"'b'", "output 1", "'a'"});
  ExpectRefused(Load({Source("a"), Copy("b", {"^a", "a"})}), {"'b'", "after a control input"});
  ExpectRefused(Load({Source("a"), Copy("b", {"a", "a"})}), {"'b'", "2 data inputs", "asks for 1"});
}

TEST(Load, UnknownOpsAreNotFoundAndTheNearestIsNamed) {
  ExpectRefused(Load({Source("a"), Def("m", "MatMull", {"a", "a"})}), {"'m'", "MatMull", "MatMul"}, Code::kNotFound);
  ExpectRefused(Load({Def("m", "")}), {"'m'"}, Code::kNotFound);
}

// A4, A8, V2: an op that is known by its signature alone is checked as the others are.
TEST(Load, OpsWithoutARowAreChecked) {
  const auto next = [](const std::vector<DType>& types, const std::string& input) {
    return Load({Source("iterator", DType::kResource), Source("a"),
                 Def("n", "IteratorGetNext", {input},
                     {{"output_types", types}, {"output_shapes", std::vector<PartialShape>(1)}}),
                 Copy("b", {"n"})});
  };
  EXPECT_TRUE(next({DType::kFloat}, "iterator").ok()) << next({DType::kFloat}, "iterator").ToString();
  ExpectRefused(next({DType::kFloat}, "a"), {"'n'", "IteratorGetNext", "resource"});
  ExpectRefused(next({DType::kFloat}, "^iterator"), {"'n'", "0 data inputs"});
  ExpectRefused(next({DType::kInt32}, "iterator"), {"'b'", "int32"});
  ExpectRefused(next({}, "iterator"), {"'n'", "'output_types'", "minimum 1"});
  ExpectRefused(Load({Def("p", "PyFunc", {}, {{"Tin", EmptyList{}}, {"Tout", EmptyList{}}})}), {"'p'", "'token'"});

  const auto old = [](int32_t producer) {
    VersionDef versions;
    versions.producer = producer;
    return Load({Source("h", DType::kString), Def("c", "TensorArrayCloseV2", {"h"})}, versions);
  };
  EXPECT_TRUE(old(25).ok()) << old(25).ToString();
  ExpectRefused(old(26), {"'c'", "TensorArrayCloseV3"}, Code::kUnimplemented);
}

TEST(Load, DefaultsAreFilledIn) {
  GraphDef def;
  def.nodes = {Source("a"), Def("m", "MatMul", {"a", "a"}, {{"T", DType::kFloat}})};
  const Graph graph = Graph::Load(def);
  EXPECT_FALSE(GetAttr<bool>(graph.node(*graph.Find("m")).attrs, "transpose_a"));
}

// GetNodeAttr looks attributes up while the graph is wired up, kernels (OpKernelConstruction) look them up later.
TEST(Load, AMissingAttributeIsNotFoundWhereWiringNeedsIt) {
  ExpectRefused(Load({Def("c", "Const", {}, {{"value", MakeScalar<float>(1)}})}), {"'c'", "'dtype'"}, Code::kNotFound);
  ExpectRefused(Load({Def("c", "Const", {}, {{"dtype", DType::kFloat}})}), {"'c'", "'value'", "missing"});
  ExpectRefused(Load({Source("a"), Def("p", "Pack", {"a"}, {{"T", DType::kFloat}})}), {"'p'", "'N'"}, Code::kNotFound);
  ExpectRefused(Load({Source("a"), Def("e", "Enter", {"a"}, {{"T", DType::kFloat}})}), {"'e'", "'frame_name'"},
                Code::kNotFound);
}

TEST(Load, AttributesMustFitTheirDeclaration) {
  const auto matmul = [](AttrMap attrs) {
    return Load({Source("a"), Def("m", "MatMul", {"a", "a"}, std::move(attrs))});
  };
  ExpectRefused(matmul({}), {"'m'", "'T'", "missing"}, Code::kNotFound);
  ExpectRefused(matmul({{"T", 1}}), {"'T'", "kind type"});
  ExpectRefused(matmul({{"T", DType::kString}}), {"'T'", "string", "allowed"});
  ExpectRefused(matmul({{"T", MakeRef(DType::kFloat)}}), {"'T'"});
  ExpectRefused(matmul({{"T", DType::kInvalid}}), {"'T'"});
  ExpectRefused(matmul({{"T", DType::kFloat}, {"shape", 3}}), {"'shape'", "MatMul"});
  EXPECT_TRUE(matmul({{"T", DType::kFloat}, {"_anything", 3}}).ok());
  ExpectRefused(Load({Source("a"), Def("p", "Pack", {}, {{"T", DType::kFloat}, {"N", 0}})}), {"'N'", "minimum 1"});
  ExpectRefused(Load({Source("a"), Def("p", "Pack", {"a"}, {{"T", DType::kFloat}, {"N", int64_t{1} << 60}})}), {"'N'"});
}

TEST(Load, AnEmptyListTakesTheDeclaredKind) {
  GraphDef def;
  def.nodes = {Source("a"), Def("s", "Squeeze", {"a"}, {{"T", DType::kFloat}, {"squeeze_dims", EmptyList{}}})};
  const Graph graph = Graph::Load(def);
  EXPECT_NE(graph.node(*graph.Find("s")).attrs.at("squeeze_dims").Get<std::vector<int64_t>>(), nullptr);
}

TEST(Load, ARefMayBeReadAsAValueButNotTheOtherWayRound) {
  const auto variable = Def("v", "VariableV2", {}, {{"shape", PartialShape({2})}, {"dtype", DType::kFloat}});
  const auto assign = [](const std::string& to) { return Def("set", "Assign", {to, "a"}, {{"T", DType::kFloat}}); };
  EXPECT_TRUE(Load({variable, Source("a"), Copy("read", {"v"}), assign("v")}).ok());
  ExpectRefused(Load({variable, Source("a"), assign("a")}), {"'set'", "input 0", "float32", "float32_ref"});
  ExpectRefused(Load({Source("i", DType::kInt32), Copy("c", {"i"})}), {"'c'", "int32", "float32"});
}

TEST(Load, VersionsAreChecked) {
  VersionDef versions;
  versions.min_consumer = kGraphVersion + 1;
  ExpectRefused(Load({}, versions), {"version"});
  versions.min_consumer = 0;
  versions.bad_consumers = {kGraphVersion};
  ExpectRefused(Load({}, versions), {"bad_consumers"});
  versions.bad_consumers = {3};
  versions.producer = 1000;
  EXPECT_TRUE(Load({}, versions).ok());
}

TEST(Load, ADeprecatedOpIsLeftToOlderGraphs) {  // rule V2; TileGrad went at version 3
  VersionDef versions;
  const auto status = [&](int producer) {
    versions.producer = producer;
    return Load({Source("a"), Source("n", DType::kInt32), Def("t", "TileGrad", {"a", "n"}, {{"T", DType::kFloat}})},
                versions);
  };
  EXPECT_TRUE(status(0).ok());
  EXPECT_TRUE(status(2).ok());
  for (const int producer : {3, kGraphVersion}) {
    EXPECT_EQ(status(producer).code(), Code::kUnimplemented);
    EXPECT_NE(status(producer).message().find("has been removed in version 3"), std::string::npos);
  }
}

TEST(Load, MalformedDevicesAreRefused) {
  NodeDef node = Source("a");
  node.device = "/device";
  ExpectRefused(Load({node}), {"'a'", "/device"});
  node.device = "/";
  EXPECT_TRUE(Load({node}).ok());
}

std::vector<NodeDef> Loop(std::string back_edge_op) {
  const AttrMap type = {{"T", DType::kFloat}};
  return {Source("a"), Def("enter", "Enter", {"a"}, {{"T", DType::kFloat}, {"frame_name", "f"}}),
          Def("merge", "Merge", {"enter", "next"}, {{"T", DType::kFloat}, {"N", 2}}),
          Def("next", std::move(back_edge_op), {"merge"}, type)};
}

TEST(Load, CyclesGoThroughNextIterationToMerge) {
  EXPECT_TRUE(Load(Loop("NextIteration")).ok());
  ExpectRefused(Load(Loop("Identity")), {"cycle", "'next'", "'merge'"});
  ExpectRefused(Load({Copy("a", {"b"}), Copy("b", {"a"})}), {"cycle", "'a'", "'b'"});
  ExpectRefused(Load({Copy("a", {"a"})}), {"cycle", "'a'"});
  ExpectRefused(Load({Source("a"), Copy("b", {"a", "^b"})}), {"cycle", "'b'"});
  ExpectRefused(Load({Def("n", "NextIteration", {"i"}, {{"T", DType::kFloat}}), Copy("i", {"n"})}),
                {"only Merge nodes can have back edges", "'i'"});
  ExpectRefused(Load({Def("n", "NextIteration", {"i"}, {{"T", DType::kFloat}}), Copy("m", {"n"}), Copy("i", {"m"})}),
                {"node 'm' (Identity) has a back edge from 'n'"});
}

TEST(Load, ALoopNeedsAnEntry) {
  ExpectRefused(Load({Def("merge", "Merge", {"next"}, {{"T", DType::kFloat}, {"N", 1}}),
                      Def("next", "NextIteration", {"merge"}, {{"T", DType::kFloat}})}),
                {"cycle", "'merge'"});
}

TEST(Load, DeepGraphsNeedNoDeepStack) {
  constexpr int kNodes = 100'000;
  GraphDef def;
  def.nodes.push_back(Source("n0"));
  for (int i = 1; i < kNodes; ++i) def.nodes.push_back(Copy(Str("n", i), {Str("n", i - 1)}));
  const Graph graph = Graph::Load(def);
  EXPECT_EQ(TopologicalOrder(graph).size(), static_cast<size_t>(kNodes));
  const NodeId last = NodeId(kNodes - 1);
  const auto reached = ReachableBackwards(graph, std::span(&last, 1));
  EXPECT_EQ(std::count(reached.begin(), reached.end(), true), kNodes);
}

TEST(Graph, WritingDownAndLoadingGivesTheSameGraph) {
  GraphDef def;
  def.nodes = Loop("NextIteration");
  def.nodes[3].device = "/device:CPU:1";
  def.library =
      "\x0A\x05\x0A\x03\x0A\x01"
      "f";  // one function, of which only the name is said
  def.versions.producer = 21;
  const GraphDef once = Graph::Load(def).ToDef();
  const GraphDef twice = Graph::Load(once).ToDef();
  ASSERT_EQ(once.nodes.size(), twice.nodes.size());
  for (size_t i = 0; i < once.nodes.size(); ++i) {
    EXPECT_EQ(once.nodes[i].name, def.nodes[i].name);
    EXPECT_EQ(once.nodes[i].inputs, def.nodes[i].inputs);
    EXPECT_EQ(once.nodes[i].device, def.nodes[i].device);
    EXPECT_EQ(once.nodes[i].attrs, twice.nodes[i].attrs);
  }
  EXPECT_EQ(once.library, def.library);
  EXPECT_EQ(once.versions, def.versions);
}

TEST(Graph, TopologicalOrderKeepsTheOrderOfUnrelatedNodes) {
  GraphDef def;
  def.nodes = {Copy("c", {"b"}), Source("a"), Source("b"), Copy("d", {"a", "^c"})};
  std::vector<std::string> names;
  const Graph graph = Graph::Load(def);
  for (const NodeId id : TopologicalOrder(graph)) names.push_back(graph.node(id).name);
  EXPECT_THAT(names, ::testing::ElementsAre("a", "b", "c", "d"));
}

}  // namespace
}  // namespace plumb
