// Attribute types and defaults as C++ text.
#include <cmath>
#include <cstdio>
#include <set>

#include "client/generate/op_function.h"

namespace plumb {
namespace {

std::string Literal(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '\t' || c == '\n') {
      text += c == '\t' ? "\\t" : "\\n";
      continue;
    }
    if (c == '"' || c == '\\') text += '\\';
    if (static_cast<unsigned char>(c) < 0x20) throw Internal("a default holds a control character");
    text += c;
  }
  return text + '"';
}

std::string Literal(int64_t value) { return Str(value); }
std::string Literal(bool value) { return value ? "true" : "false"; }

std::string Literal(float value) {
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  std::string literal = text;
  if (literal.find_first_of(".e") == std::string::npos) literal += ".0";
  return literal + "f";
}

std::string Literal(DType value) {
  switch (value) {
#define PLUMB_CASE(name, cpp) \
  case DType::name:           \
    return "DType::" #name;
    PLUMB_FOR_EACH_TYPE(PLUMB_CASE)
#undef PLUMB_CASE
    default:
      return "DType::kInvalid";
  }
}

std::string Literal(const PartialShape& value) {
  if (!value.has_rank()) return "PartialShape::Unknown()";
  std::string text = "PartialShape({";
  for (const int64_t dim : value.dims()) text += Str(dim) + ", ";
  return text + "})";
}

// Of bytes: no other default is a tensor.
std::string Literal(const Tensor& value) {
  std::string text = "MakeVector<uint8_t>({";
  for (const uint8_t byte : value.data<uint8_t>()) text += Str(int{byte}) + ", ";
  return text + "})";
}

template <class T>
requires requires(const T& value) { Literal(value); }
std::string Literal(const std::vector<T>& values) {
  std::string text = "{";
  for (size_t i = 0; i < values.size(); ++i) text += (i > 0 ? ", " : "") + Literal(T(values[i]));
  return text + "}";
}

std::string ElementType(AttrKind kind) {
  switch (kind) {
    case AttrKind::kString:
      return "std::string";
    case AttrKind::kInt:
      return "int64_t";
    case AttrKind::kFloat:
      return "float";
    case AttrKind::kBool:
      return "bool";
    case AttrKind::kType:
      return "DType";
    case AttrKind::kShape:
      return "PartialShape";
    case AttrKind::kTensor:
      return "Tensor";
    case AttrKind::kFunc:
      return "FunctionRef";
  }
  throw Internal("an attribute has an unknown kind");
}

}  // namespace

std::string CppTypeOfAttr(const AttrDef& attr) {
  const std::string element = ElementType(attr.kind);
  return attr.is_list ? "std::vector<" + element + ">" : element;
}

std::string CppDefaultOf(const AttrDef& attr) {
  return std::visit(
      [](const auto& value) -> std::string {
        if constexpr (requires { Literal(value); }) {
          return Literal(value);
        } else {
          return "{}";
        }
      },
      static_cast<const AttrValue::variant&>(*attr.default_value));
}

std::string CppName(const std::string& name) {
  static const std::set<std::string> taken = {
      "scope",    "attrs",  "inputs",  "node",    "default",   "delete",   "new",      "switch",   "case",     "class",
      "const",    "int",    "float",   "double",  "bool",      "char",     "auto",     "for",      "while",    "if",
      "else",     "do",     "return",  "this",    "union",     "struct",   "enum",     "operator", "signed",   "short",
      "long",     "and",    "or",      "not",     "namespace", "template", "typename", "using",    "unsigned", "void",
      "volatile", "friend", "private", "public",  "protected", "register", "static",   "virtual",  "explicit", "export",
      "extern",   "goto",   "inline",  "mutable", "throw",     "try",      "catch",    "typedef",  "typeid",   "true",
      "false",    "sizeof", "xor",     "break",   "continue"};
  return taken.contains(name) ? name + "_" : name;
}

}  // namespace plumb
