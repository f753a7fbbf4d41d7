#include "fastpath/device/host_values.h"

#include <algorithm>
#include <optional>

#include "fastpath/device/variant_transfer.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

// The types of an argument's values; nothing where the node does not say them, or where they are references.
std::optional<std::vector<DType>> TypesOf(const ArgDef& arg, const AttrMap& attrs) {
  if (arg.is_ref) return std::nullopt;
  if (arg.type != DType::kInvalid) return std::vector<DType>{arg.type};
  const auto value = attrs.find(arg.type_attr.empty() ? arg.type_list_attr : arg.type_attr);
  if (value == attrs.end()) return std::nullopt;
  if (const auto* const type = value->second.Get<DType>()) return std::vector<DType>{*type};
  if (const auto* const types = value->second.Get<std::vector<DType>>()) return *types;
  return std::nullopt;
}

// Adds the types of the arguments; whether all are those of host values.
bool AddHostTypes(const std::vector<ArgDef>& args, const AttrMap& attrs, std::vector<DType>& types) {
  return std::all_of(args.begin(), args.end(), [&](const ArgDef& arg) {
    const auto own = TypesOf(arg, attrs);
    if (!own || !std::all_of(own->begin(), own->end(), IsOfHostValues)) return false;
    types.insert(types.end(), own->begin(), own->end());
    return true;
  });
}

// Follows shape arithmetic, or adds up nothing.
bool IsSmallWork(const OpDef& op) {
  return op.fold.from_values != nullptr || op.accuracy.kind != AccuracyClass::kSummation;
}

// Of nodes that have to do with lists: those whose elements are int32, and those that take elements of any type, which
// GPUs have kernels for.
bool MayHandleListsOnHost(const Node& node) {
  const auto type = node.attrs.find("element_dtype");
  if (type == node.attrs.end()) return HasDeclaredTypes(node) && HasDeclaredGpuTypes(node);
  return *type->second.Get<DType>() == DType::kInt32 && HasDeclaredTypes(node);
}

}  // namespace

bool IsOfHostValues(DType type) { return type == DType::kInt32 || type == DType::kBool; }

bool MayComputeOnHost(const Node& node) {
  const OpDef& op = *node.op;
  if (op.kind != OpKind::kKernel || op.is_stateful || op.inputs.empty() || op.outputs.empty()) return false;
  if (HandlesVariants(node)) return MayHandleListsOnHost(node);
  const auto calls = [](const AttrDef& attr) { return attr.kind == AttrKind::kFunc; };
  if (std::any_of(op.attrs.begin(), op.attrs.end(), calls) || !IsSmallWork(op)) return false;
  std::vector<DType> types;
  return AddHostTypes(op.inputs, node.attrs, types) && AddHostTypes(op.outputs, node.attrs, types) &&
         std::find(types.begin(), types.end(), DType::kInt32) != types.end() && HasDeclaredTypes(node);
}

bool ComputesOnHost(const Node& node) {
  return MayComputeOnHost(node) && (!HasDeclaredGpuTypes(node) || GetAttrOr<bool>(node.attrs, kStaysOnHost, false));
}

}  // namespace plumb::fast
