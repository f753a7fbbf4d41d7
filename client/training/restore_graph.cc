#include "client/training/restore_graph.h"

#include <algorithm>
#include <array>
#include <map>

#include "client/training/part_slices.h"
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

using Stored = std::map<std::string, StoredTensor>;

// What a variable takes of a checkpoint, as RestoreV2 asks for it.
struct Source {
  std::string name, slice;
};
using Sources = std::map<const NodeDef*, Source>;

// The variables that are parts of one tensor, by number.
using Parts = std::multimap<int64_t, const NodeDef*>;

// Whether they are all parts of the tensor, so that each has its slice.
bool AddSlices(const Parts& parts, const StoredTensor& whole, Sources* sources) {
  std::vector<PartialShape> shapes;
  for (const auto& [number, variable] : parts) {
    if (number != static_cast<int64_t>(shapes.size())) return false;
    shapes.push_back(GetAttrOr(variable->attrs, "shape", PartialShape::Unknown()));
  }
  const std::vector<std::string> slices = SlicesOf(shapes, whole.shape);
  if (slices.empty()) return false;
  for (const auto& [number, variable] : parts) sources->emplace(variable, Source{whole.name, slices[number]});
  return true;
}

// A variable of a name of its own in the checkpoint comes from there, one that is a part of a name there is a slice.
Sources SourcesFor(const GraphDef& graph, const Stored& stored, RestoringGraph* restoring) {
  Sources sources;
  std::map<std::string, Parts> partitioned;  // by the name of the whole
  const auto is_stored = [&](const std::string& name) { return stored.contains(name); };
  const auto is_part = [&](const std::string& name) {
    const auto part = ParsePartName(name);
    return part && stored.contains(part->whole);
  };
  for (const NodeDef& variable : graph.nodes) {
    if (KindOf(variable) == VariableKind::kNone) continue;
    const std::array names = {variable.name, GetAttrOr<std::string>(variable.attrs, "shared_name", "")};
    const auto own = std::find_if(names.begin(), names.end(), is_stored);
    const auto of_part = std::find_if(names.begin(), names.end(), is_part);
    if (own != names.end()) {
      sources[&variable] = {*own, ""};
    } else if (of_part != names.end()) {
      const PartName part = *ParsePartName(*of_part);
      partitioned[part.whole].emplace(part.number, &variable);
    } else {
      restoring->missing.push_back(variable.name);
    }
  }
  for (const auto& [name, parts] : partitioned) {
    const StoredTensor& whole = stored.at(name);
    if (AddSlices(parts, whole, &sources)) continue;
    restoring->misfits.push_back(Str("the checkpoint has '", name, "' in ", whole.parts,
                                     whole.parts == 1 ? " part" : " parts", ", whose shape ", whole.shape.ToString(),
                                     " the graph's own parts do not make up; these variables are left as they are"));
  }
  return sources;
}

std::string UnusedScope(const GraphDef& graph) {
  std::string scope = "restore";
  const auto begins = [&](const NodeDef& node) { return node.name.starts_with(scope); };
  while (std::any_of(graph.nodes.begin(), graph.nodes.end(), begins)) scope += "_";
  return scope + "/";
}

}  // namespace

RestoringGraph NodesToRestore(const FileSystem& files, const GraphDef& graph, const std::string& prefix) {
  Stored stored;
  for (const StoredTensor& tensor : ListCheckpoint(files, prefix)) stored.emplace(tensor.name, tensor);
  const std::string scope = UnusedScope(graph);
  RestoringGraph restoring;
  const Sources sources = SourcesFor(graph, stored, &restoring);
  if (sources.empty()) {
    throw NotFound("the checkpoint '", prefix, "' has no variable of the graph",
                   restoring.misfits.empty() ? "" : ": " + restoring.misfits[0]);
  }
  restoring.nodes.versions = graph.versions;
  restoring.target = scope + "all";
  std::vector<std::string> names, slices;
  std::vector<DType> types;
  NodeDef all = MakeNode(restoring.target, "NoOp");
  for (const NodeDef& variable : graph.nodes) {
    const auto source = sources.find(&variable);
    if (source == sources.end()) continue;
    const DType dtype = GetAttr<DType>(variable.attrs, "dtype");
    const bool is_resource = KindOf(variable) == VariableKind::kResource;
    NodeDef assign =
        MakeNode(Str(scope, "assign_", names.size()), is_resource ? "AssignVariableOp" : "Assign",
                 {variable.name, Str(scope, "tensors:", names.size())}, {{is_resource ? "dtype" : "T", dtype}});
    assign.device = variable.device;
    restoring.nodes.nodes.push_back(std::move(assign));
    all.inputs.push_back("^" + restoring.nodes.nodes.back().name);
    names.push_back(source->second.name);
    slices.push_back(source->second.slice);
    types.push_back(dtype);
  }
  auto& nodes = restoring.nodes.nodes;
  nodes.push_back(ConstantNode(scope + "prefix", MakeScalar(prefix)));
  nodes.push_back(ConstantNode(scope + "names", Texts(names)));
  nodes.push_back(ConstantNode(scope + "slices", Texts(slices)));
  nodes.push_back(MakeNode(scope + "tensors", "RestoreV2", {scope + "prefix", scope + "names", scope + "slices"},
                           {{"dtypes", types}}));
  nodes.push_back(std::move(all));
  return restoring;
}

}  // namespace plumb
