#include "spec/validate/signatures.h"

#include <algorithm>

#include "spec/graph/function_library.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/attributes.h"

namespace plumb {
namespace {

// More outputs than this on one node cannot come from a graph that means something; it bounds what a length attribute
// of a hostile graph can make us allocate.
constexpr int64_t kMaxArguments = 1 << 16;

void AppendTypes(const ArgDef& arg, const AttrMap& attrs, std::vector<DType>& types) {
  const size_t first = types.size();
  if (!arg.type_list_attr.empty()) {
    const auto& list = GetAttr<std::vector<DType>>(attrs, arg.type_list_attr);
    types.insert(types.end(), list.begin(), list.end());
  } else {
    const DType type = arg.type_attr.empty() ? arg.type : GetAttr<DType>(attrs, arg.type_attr);
    const int64_t count = arg.number_attr.empty() ? 1 : GetAttr<int64_t>(attrs, arg.number_attr);
    Require(count >= 0, "the attribute '", arg.number_attr, "' is a length and may not be ", count);
    Require(count <= kMaxArguments, "the attribute '", arg.number_attr, "' asks for ", count, " tensors, more than ",
            kMaxArguments);
    types.insert(types.end(), static_cast<size_t>(count), type);
  }
  if (!arg.is_ref) return;
  std::transform(types.begin() + first, types.end(), types.begin() + first, MakeRef);
}

// T1, T2.
std::vector<DType> ExpandTypes(const std::vector<ArgDef>& args, const AttrMap& attrs) {
  std::vector<DType> types;
  for (const ArgDef& arg : args) AppendTypes(arg, attrs, types);
  return types;
}

const OpDef& OpOf(const NodeDef& def, const FunctionLibrary* functions) {
  const OpDef* function = functions == nullptr ? nullptr : functions->Find(def.op);
  return function != nullptr ? *function : GetOp(def.op);
}

}  // namespace

std::vector<DType> ExpandTypes(const ArgDef& arg, const AttrMap& attrs) {
  std::vector<DType> types;
  AppendTypes(arg, attrs, types);
  return types;
}

Node ResolveNode(const NodeDef& def, const FunctionLibrary* functions) {
  if (def.op.empty()) throw NotFound("node '", def.name, "' names no op");
  Node node;
  node.name = def.name;
  node.device = def.device;
  node.attrs = def.attrs;
  try {
    node.op = &OpOf(def, functions);
    CompleteAttributes(*node.op, node.attrs);
    node.input_types = ExpandTypes(node.op->inputs, node.attrs);
    node.output_types = ExpandTypes(node.op->outputs, node.attrs);
  } catch (const Error& error) {
    throw Error(error.status().code(), Str("node '", def.name, "' (", def.op, "): ", error.what()));
  }
  return node;
}

void CheckDeprecation(const Node& node, int producer) {
  const Deprecation& deprecated = node.op->deprecated;
  if (deprecated.version == 0 || producer < deprecated.version) return;
  throw Error(Code::kUnimplemented,
              Str("node '", node.name, "': op ", node.op->name, " is not available in graphs of version ", producer,
                  ". It has been removed in version ", deprecated.version, ". ", deprecated.explanation));
}

void CheckEdges(const Graph& graph, const Node& node) {
  Require(node.inputs.size() == node.input_types.size(), "node '", node.name, "' (", node.op->name, ") has ",
          node.inputs.size(), " data inputs, but its signature asks for ", node.input_types.size());
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Endpoint input = node.inputs[i];
    const Node& producer = graph.node(input.node);
    Require(input.output >= 0 && static_cast<size_t>(input.output) < producer.output_types.size(), "node '", node.name,
            "': input ", i, " is output ", input.output, " of '", producer.name, "' (", producer.op->name,
            "), which has ", producer.output_types.size(), " outputs");
    const DType actual = producer.output_types[input.output];
    Require(MayFlow(actual, node.input_types[i]), "node '", node.name, "' (", node.op->name, "): input ", i,
            " was passed ", DTypeName(actual), " from '", graph.NameOf(input), "', incompatible with expected ",
            DTypeName(node.input_types[i]));
  }
}

}  // namespace plumb
