#include "client/training/restore_graph.h"

#include <algorithm>
#include <set>

#include "spec/checkpoint/listing.h"
#include "spec/core/status.h"
#include "spec/ops/catalogue.h"

namespace plumb {
namespace {

enum class VariableKind { kNone, kReference, kResource };

// A variable is what gives one out of nothing: a reference to its value, or a handle.
VariableKind KindOf(const NodeDef& node) {
  const OpDef* const op = FindOp(node.op);
  if (op == nullptr || !op->inputs.empty() || op->outputs.size() != 1) return VariableKind::kNone;
  if (op->outputs[0].handle == "Variable") return VariableKind::kResource;
  const bool is_reference = op->outputs[0].is_ref && op->outputs[0].type_attr == "dtype" && op->FindAttr("shape");
  return is_reference ? VariableKind::kReference : VariableKind::kNone;
}

NodeDef MakeNode(std::string name, std::string op, std::vector<std::string> inputs = {}, AttrMap attrs = {}) {
  NodeDef node;
  node.name = std::move(name);
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  node.attrs = std::move(attrs);
  return node;
}
NodeDef ConstantNode(std::string name, Tensor value) {
  const DType dtype = value.dtype();
  return MakeNode(std::move(name), "Const", {}, {{"dtype", dtype}, {"value", std::move(value)}});
}

Tensor Texts(const std::vector<std::string>& texts) {
  Tensor tensor(DType::kString, Shape{static_cast<int64_t>(texts.size())});
  std::copy(texts.begin(), texts.end(), tensor.mutable_data<std::string>().begin());
  return tensor;
}

std::string UnusedScope(const GraphDef& graph) {
  std::string scope = "restore";
  const auto begins = [&](const NodeDef& node) { return node.name.starts_with(scope); };
  while (std::any_of(graph.nodes.begin(), graph.nodes.end(), begins)) scope += "_";
  return scope + "/";
}

}  // namespace

RestoringGraph NodesToRestore(const FileSystem& files, const GraphDef& graph, const std::string& prefix) {
  std::set<std::string> stored;
  for (const StoredTensor& tensor : ListCheckpoint(files, prefix)) stored.insert(tensor.name);
  const std::string scope = UnusedScope(graph);
  RestoringGraph restoring;
  restoring.nodes.versions = graph.versions;
  restoring.target = scope + "all";
  std::vector<std::string> names;
  std::vector<DType> types;
  NodeDef all = MakeNode(restoring.target, "NoOp");
  for (const NodeDef& variable : graph.nodes) {
    const VariableKind kind = KindOf(variable);
    if (kind == VariableKind::kNone) continue;
    const std::string shared = GetAttrOr<std::string>(variable.attrs, "shared_name", "");
    const std::string& name = stored.contains(variable.name) ? variable.name : shared;
    if (!stored.contains(name)) {
      restoring.missing.push_back(variable.name);
      continue;
    }
    const DType dtype = GetAttr<DType>(variable.attrs, "dtype");
    const bool is_resource = kind == VariableKind::kResource;
    NodeDef assign =
        MakeNode(Str(scope, "assign_", names.size()), is_resource ? "AssignVariableOp" : "Assign",
                 {variable.name, Str(scope, "tensors:", names.size())}, {{is_resource ? "dtype" : "T", dtype}});
    assign.device = variable.device;
    restoring.nodes.nodes.push_back(std::move(assign));
    all.inputs.push_back("^" + restoring.nodes.nodes.back().name);
    names.push_back(name);
    types.push_back(dtype);
  }
  if (names.empty()) throw NotFound("the checkpoint '", prefix, "' has no variable of the graph");
  auto& nodes = restoring.nodes.nodes;
  nodes.push_back(ConstantNode(scope + "prefix", MakeScalar(prefix)));
  nodes.push_back(ConstantNode(scope + "names", Texts(names)));
  nodes.push_back(ConstantNode(scope + "slices", Texts(std::vector<std::string>(names.size()))));
  nodes.push_back(MakeNode(scope + "tensors", "RestoreV2", {scope + "prefix", scope + "names", scope + "slices"},
                           {{"dtypes", types}}));
  nodes.push_back(std::move(all));
  return restoring;
}

}  // namespace plumb
