// Rule A7: types that an op's row does not declare are refused by whoever runs it, wherever the node stands: in the
// graph, when that is loaded; in the body of a function, before a step that may call it; and on a GPU that lacks them,
// where the node asks for one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/some_node_testing.h"

namespace plumb::conformance {
namespace {

using testing::HasSubstr;

// ---- Types ---------------------------------------------------------------------------------------------------------

bool Contains(const std::vector<DType>& types, DType type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// Those that an attribute may have; of one that lists none, some of each kind.
std::vector<DType> Allowed(const AttrDef& attr) {
  if (!attr.allowed_types.empty()) return attr.allowed_types;
  return {DType::kFloat,     DType::kHalf,  DType::kInt32,  DType::kUint64,   DType::kBool,
          DType::kComplex64, DType::kQint8, DType::kString, DType::kResource, DType::kVariant};
}

// Of one row and one of its attributes.
struct Refused {
  std::string attr;
  DType type;
};
using Takes = const std::vector<DType>& (OpDef::*)(const AttrDef&) const;
// The types that an op may have, and no kernel of this kind takes.
std::vector<Refused> RefusedBy(const OpDef& op, Takes takes) {
  std::vector<Refused> refused;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind != AttrKind::kType || attr.is_list) continue;
    const std::vector<DType>& taken = (op.*takes)(attr);
    for (const DType type : Allowed(attr)) {
      if (!taken.empty() && !Contains(taken, type)) refused.push_back({attr.name, type});
    }
  }
  return refused;
}

// ---- Graphs --------------------------------------------------------------------------------------------------------

// A node of these types with what it needs around it: variables behind its references, and arguments, which are fed.
struct Case {
  std::vector<NodeDef> variables;
  NodeDef node;
  std::vector<DType> arguments;
};
std::string ArgumentName(size_t i) { return Str("x", i); }

std::optional<Case> CaseOf(const OpDef& op, const AttrMap& types) {
  auto node = SomeNode(op, types);
  if (!node) return std::nullopt;
  Case made;
  for (const DType type : ResolveNode(*node).input_types) {
    if (!IsRef(type)) {
      node->inputs.push_back(ArgumentName(made.arguments.size()));
      made.arguments.push_back(type);
      continue;
    }
    node->inputs.push_back(Str("variable_", made.variables.size()));
    made.variables.push_back(
        MakeNode(node->inputs.back(), "VariableV2", {}, {{"dtype", Base(type)}, {"shape", PartialShape({1})}}));
  }
  made.node = std::move(*node);
  return made;
}

int ProducerOf(const OpDef& op) { return op.deprecated.version > 0 ? op.deprecated.version - 1 : kGraphVersion; }

std::vector<NodeDef> Arguments(const Case& made) {
  std::vector<NodeDef> nodes;
  for (const DType type : made.arguments) {
    const bool is_handle = type == DType::kResource;  // which cannot be fed
    const AttrMap attrs =
        is_handle ? AttrMap{{"dtype", DType::kFloat}, {"shape", PartialShape({1})}} : AttrMap{{"dtype", type}};
    nodes.push_back(MakeNode(ArgumentName(nodes.size()), is_handle ? "VarHandleOp" : "Placeholder", {}, attrs));
  }
  return nodes;
}
std::vector<Feed> Fed(const Case& made) {
  std::vector<Feed> feeds;
  for (size_t i = 0; i < made.arguments.size(); ++i) {
    if (made.arguments[i] == DType::kResource) continue;
    feeds.emplace_back(ArgumentName(i), Zeros(made.arguments[i], Shape({1})));
  }
  return feeds;
}

GraphDef InGraph(const OpDef& op, const Case& made) {
  std::vector<NodeDef> nodes = Arguments(made);
  nodes.insert(nodes.end(), made.variables.begin(), made.variables.end());
  nodes.push_back(made.node);
  GraphDef graph = MakeGraph(std::move(nodes));
  graph.versions.producer = ProducerOf(op);
  return graph;
}

// "call" runs the node in the body of a function.
GraphDef InFunction(const OpDef& op, const Case& made) {
  std::string arguments;
  NodeDef call = MakeNode("call", "StatefulPartitionedCall");
  for (size_t i = 0; i < made.arguments.size(); ++i) {
    arguments += Str(i == 0 ? "" : ", ", ArgumentName(i), ": ", DTypeName(made.arguments[i]));
    call.inputs.push_back(ArgumentName(i));
  }
  call.attrs = {{"Tin", made.arguments}, {"Tout", std::vector<DType>()}, {"f", Ref("Body")}};
  std::vector<NodeDef> body = made.variables;
  body.push_back(made.node);
  for (std::string& input : body.back().inputs) {
    if (input.starts_with("variable_")) input += ":ref:0";
  }
  std::vector<NodeDef> nodes = Arguments(made);
  nodes.push_back(std::move(call));
  const std::string signature = Str("Body(", arguments, ") -> ()");
  GraphDef graph =
      MakeGraph(std::move(nodes), {MakeFunction(signature.c_str(), "", std::move(body), {}, {{"done", "node"}})});
  graph.versions.producer = ProducerOf(op);
  return graph;
}

// ---- Refusals ------------------------------------------------------------------------------------------------------

Status Loaded(std::string_view backend, const GraphDef& graph) {
  return OpenSession(backend, {.threads = 1})->Extend(graph);
}

Status Ran(std::string_view backend, const GraphDef& graph, const Case& made, const std::string& target) {
  const auto session = OpenSession(backend, {.threads = 1});
  Status status = session->Extend(graph);
  const std::vector<std::string> targets = {target};
  std::vector<Tensor> outputs;
  if (status.ok()) status = session->Run(Fed(made), {}, targets, &outputs);
  return status;
}

bool IsRefusal(const Status& status) {
  return status.code() == Code::kInvalidArgument && status.reason() == Reason::kNoKernel;
}

class UndeclaredTypes : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Backends, UndeclaredTypes, testing::Values("reference", "cpu"));

TEST_P(UndeclaredTypes, AreRefusedWhenTheGraphIsLoaded) {
  int tried = 0;
  for (const OpDef* op : AllOps()) {
    for (const Refused& refused : RefusedBy(*op, &OpDef::CpuTypes)) {
      const auto made = CaseOf(*op, {{refused.attr, refused.type}});
      if (!made) continue;
      const Status status = Loaded(GetParam(), InGraph(*op, *made));
      EXPECT_TRUE(IsRefusal(status)) << op->name << " with " << refused.attr << "=" << DTypeName(refused.type) << ": "
                                     << status.ToString();
      ++tried;
    }
  }
  EXPECT_GT(tried, 1000);
}

TEST_P(UndeclaredTypes, AreRefusedInBodiesBeforeTheStep) {
  int tried = 0;
  for (const OpDef* op : AllOps()) {
    if (op->kind != OpKind::kKernel || !IsImplemented(GetParam(), op->name)) continue;
    for (const Refused& refused : RefusedBy(*op, &OpDef::CpuTypes)) {
      const auto made = CaseOf(*op, {{refused.attr, refused.type}});
      if (!made) continue;
      const Status status = Ran(GetParam(), InFunction(*op, *made), *made, "call");
      EXPECT_TRUE(IsRefusal(status)) << op->name << " with " << refused.attr << "=" << DTypeName(refused.type) << ": "
                                     << status.ToString();
      ++tried;
    }
  }
  EXPECT_GT(tried, 1000);
}

// Whether an op's values are those of shape arithmetic, or in a list of them, which the host does for a GPU.
bool IsHostWork(const Case& made) {
  const Node node = ResolveNode(made.node);
  if (GetAttrOr(node.attrs, "element_dtype", DType::kInvalid) == DType::kInt32) return true;
  const auto is_small = [](DType type) { return type == DType::kInt32 || type == DType::kBool; };
  return std::all_of(node.input_types.begin(), node.input_types.end(), is_small) &&
         std::all_of(node.output_types.begin(), node.output_types.end(), is_small);
}

// The CPU has a kernel, and it is not asked.
TEST(UndeclaredTypesOfGpus, AreRefusedWhereAGpuIsAskedFor) {
  int tried = 0;
  for (const OpDef* op : AllOps()) {
    if (op->kind != OpKind::kKernel || !op->gpu_types || !IsImplemented("cpu", op->name)) continue;
    for (const Refused& refused : RefusedBy(*op, &OpDef::GpuTypes)) {
      if (!Contains(op->CpuTypes(*op->FindAttr(refused.attr)), refused.type)) continue;
      auto made = CaseOf(*op, {{refused.attr, refused.type}});
      if (!made || IsHostWork(*made)) continue;
      made->node.device = "/device:GPU:0";
      const Status status = Ran("gpu-emulated", InGraph(*op, *made), *made, "node");
      EXPECT_EQ(status.code(), Code::kInvalidArgument)
          << op->name << " with " << refused.attr << "=" << DTypeName(refused.type) << ": " << status.ToString();
      EXPECT_THAT(status.message(), HasSubstr("Cannot assign a device")) << op->name;
      ++tried;
    }
  }
  EXPECT_GT(tried, 100);
}

// Of all type attributes of an op, each with what a kernel takes: most pairs of them have none.
std::vector<AttrMap> TypesTogether(const OpDef& op) {
  std::vector<AttrMap> all = {{}};
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind != AttrKind::kType || attr.is_list) continue;
    const std::vector<DType>& declared = op.CpuTypes(attr);
    std::vector<AttrMap> longer;
    for (const AttrMap& types : all) {
      for (const DType type : declared.empty() ? Allowed(attr) : declared) {
        longer.push_back(types);
        longer.back()[attr.name] = type;
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::string Printed(const AttrMap& types) {
  std::string all;
  for (const auto& [name, type] : types) all += Str(" ", name, "=", type.ToString());
  return all;
}

// Types of which each has kernels and no kernel has all: the reference says which these are, and with which code.
TEST(TypesThatDoNotGoTogether, AreRefusedAlike) {
  constexpr size_t kMost = 60;
  int tried = 0, refused = 0;
  for (const OpDef* op : AllOps()) {
    if (op->kind != OpKind::kKernel || !IsImplemented("cpu", op->name)) continue;
    const std::vector<AttrMap> all = TypesTogether(*op);
    const size_t taken = std::min(kMost, all.size());
    for (size_t i = 0; i < taken; ++i) {
      const AttrMap& types = all[i * all.size() / taken];
      const auto made = types.size() < 2 ? std::nullopt : CaseOf(*op, types);
      if (!made) continue;
      const GraphDef graph = InGraph(*op, *made);
      const Status expected = Ran("reference", graph, *made, "node");
      const bool has_none = expected.reason() == Reason::kNoKernel;
      if (has_none) {
        EXPECT_EQ(expected.code(), Code::kInvalidArgument) << expected.ToString();
      }
      for (const char* backend : {"cpu", "sim", "gpu-emulated"}) {
        const Status actual = Ran(backend, graph, *made, "node");
        const bool is_alike = actual.code() == expected.code() && (actual.reason() == Reason::kNoKernel) == has_none;
        EXPECT_TRUE(is_alike) << op->name << " with" << Printed(types) << "\n"
                              << backend << ": " << actual.ToString() << "\nreference: " << expected.ToString();
      }
      ++tried;
      refused += has_none;
    }
  }
  EXPECT_GT(tried, 1000);
  EXPECT_GT(refused, 50);
}

TEST(UndeclaredTypesOfRows, AreAllTried) {
  std::set<std::string> untried;
  for (const OpDef* op : AllOps()) {
    for (const Refused& refused : RefusedBy(*op, &OpDef::CpuTypes)) {
      if (!CaseOf(*op, {{refused.attr, refused.type}})) untried.insert(op->name);
    }
  }
  EXPECT_EQ(untried, std::set<std::string>()) << "SomeNode makes no node of these";
}

}  // namespace
}  // namespace plumb::conformance
