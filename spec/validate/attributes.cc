#include "spec/validate/attributes.h"

#include <algorithm>

namespace plumb {
namespace {

std::string_view KindName(AttrKind kind) {
  switch (kind) {
    case AttrKind::kString:
      return "string";
    case AttrKind::kInt:
      return "int";
    case AttrKind::kFloat:
      return "float";
    case AttrKind::kBool:
      return "bool";
    case AttrKind::kType:
      return "type";
    case AttrKind::kShape:
      return "shape";
    case AttrKind::kTensor:
      return "tensor";
    case AttrKind::kFunc:
      return "func";
  }
  throw Internal("an attribute has an unknown kind");
}

std::string KindName(const AttrDef& attr) {
  return attr.is_list ? Str("list(", KindName(attr.kind), ")") : std::string(KindName(attr.kind));
}

// Calls f(TypeTag<T>) with the C++ type of the elements.
template <class F>
auto VisitKind(AttrKind kind, F&& f) {
  switch (kind) {
    case AttrKind::kString:
      return f(TypeTag<std::string>{});
    case AttrKind::kInt:
      return f(TypeTag<int64_t>{});
    case AttrKind::kFloat:
      return f(TypeTag<float>{});
    case AttrKind::kBool:
      return f(TypeTag<bool>{});
    case AttrKind::kType:
      return f(TypeTag<DType>{});
    case AttrKind::kShape:
      return f(TypeTag<PartialShape>{});
    case AttrKind::kTensor:
      return f(TypeTag<Tensor>{});
    case AttrKind::kFunc:
      return f(TypeTag<FunctionRef>{});
  }
  throw Internal("an attribute has an unknown kind");
}

template <class T>
void CheckElement(const AttrDef& attr, const T& value) {
  if constexpr (std::is_same_v<T, DType>) {
    // A6: reference types and "no type" are no values of type attributes.
    Require(IsValid(value) && !IsRef(value), "the attribute '", attr.name, "' may not be ", DTypeName(value));
    const auto& allowed = attr.allowed_types;
    Require(allowed.empty() || std::find(allowed.begin(), allowed.end(), value) != allowed.end(), "the attribute '",
            attr.name, "' may not be ", DTypeName(value), "; allowed: ", AttrValue(allowed).ToString());
  } else if constexpr (std::is_same_v<T, std::string>) {
    const auto& allowed = attr.allowed_strings;
    Require(allowed.empty() || std::find(allowed.begin(), allowed.end(), value) != allowed.end(), "the attribute '",
            attr.name, "' may not be \"", value.substr(0, 200), "\"; allowed: ", AttrValue(allowed).ToString());
  }
}

void CheckMinimum(const AttrDef& attr, int64_t actual) {
  Require(!attr.minimum || actual >= *attr.minimum, "the attribute '", attr.name, "'",
          attr.is_list ? " has length " : " is ", actual, ", below the minimum ", attr.minimum.value_or(0));
}

template <class T>
bool CheckList(const AttrDef& attr, const AttrValue& value) {
  const auto* list = value.Get<std::vector<T>>();
  if (list == nullptr) return false;
  for (const auto& element : *list) CheckElement<T>(attr, element);
  CheckMinimum(attr, static_cast<int64_t>(list->size()));
  return true;
}

template <class T>
bool CheckSingle(const AttrDef& attr, const AttrValue& value) {
  const T* single = value.Get<T>();
  if (single == nullptr) return false;
  CheckElement<T>(attr, *single);
  if constexpr (std::is_same_v<T, int64_t>) CheckMinimum(attr, *single);
  return true;
}

// A6: an empty list, or a value without any kind, is an empty list of the declared kind.
void GiveKind(const AttrDef& attr, AttrValue& value) {
  if (!attr.is_list || (value.Get<EmptyList>() == nullptr && value.Get<std::monostate>() == nullptr)) return;
  VisitKind(attr.kind, [&](auto tag) { value = std::vector<typename decltype(tag)::Type>(); });
}

// Whether wiring a graph up needs the attribute: arguments have their types or their number from it, or it names a
// frame. Kernels ask for all others.
bool IsForWiring(const OpDef& op, const std::string& attr) {
  const auto names = [&](const ArgDef& arg) {
    return arg.type_attr == attr || arg.number_attr == attr || arg.type_list_attr == attr;
  };
  return (op.kind == OpKind::kEnter && attr == "frame_name") ||
         std::any_of(op.inputs.begin(), op.inputs.end(), names) ||
         std::any_of(op.outputs.begin(), op.outputs.end(), names);
}

}  // namespace

void CheckAttribute(const AttrDef& attr, const AttrValue& value) {
  if (value.Get<AttrPlaceholder>() != nullptr) return;
  const bool right_kind = VisitKind(attr.kind, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return attr.is_list ? CheckList<T>(attr, value) : CheckSingle<T>(attr, value);
  });
  Require(right_kind, "the attribute '", attr.name, "' must be of kind ", KindName(attr));
}

void CompleteAttributes(const OpDef& op, AttrMap& attrs) {
  for (const AttrDef& attr : op.attrs) {
    const auto found = attrs.find(attr.name);
    if (found == attrs.end()) {
      if (!attr.default_value) {
        throw Error(IsForWiring(op, attr.name) ? Code::kNotFound : Code::kInvalidArgument,
                    Str("the attribute '", attr.name, "' (", KindName(attr), ") is missing and has no default"));
      }
      attrs.emplace(attr.name, *attr.default_value);
      continue;
    }
    GiveKind(attr, found->second);
    CheckAttribute(attr, found->second);
  }
  for (const auto& [name, value] : attrs) {
    // A2: names that begin with '_' are nobody's business here.
    Require(name.starts_with('_') || op.FindAttr(name) != nullptr, "the op ", op.name, " has no attribute '",
            name.substr(0, 200), "'");
  }
}

}  // namespace plumb
