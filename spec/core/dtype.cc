#include "spec/core/dtype.h"

#include <array>

namespace plumb {

bool ResourceHandle::operator==(const ResourceHandle& other) const {
  return device == other.device && container == other.container && name == other.name && type_name == other.type_name &&
         hash_code == other.hash_code && dtype == other.dtype && shape_text == other.shape_text;
}
namespace {

struct TypeFacts {
  std::string_view name;
  std::string_view ref_name;
  std::string_view short_name;  // of "DT_…" in lower case, where it differs from `name`
  size_t size;
};

// Indexed by DType number (rule 9.7).
constexpr std::array<TypeFacts, 24> kFacts = {{
    {"invalid", "invalid_ref", "", 0},
    {"float32", "float32_ref", "float", 4},
    {"float64", "float64_ref", "double", 8},
    {"int32", "int32_ref", "", 4},
    {"uint8", "uint8_ref", "", 1},
    {"int16", "int16_ref", "", 2},
    {"int8", "int8_ref", "", 1},
    {"string", "string_ref", "", 0},
    {"complex64", "complex64_ref", "", 8},
    {"int64", "int64_ref", "", 8},
    {"bool", "bool_ref", "", 1},
    {"qint8", "qint8_ref", "", 1},
    {"quint8", "quint8_ref", "", 1},
    {"qint32", "qint32_ref", "", 4},
    {"bfloat16", "bfloat16_ref", "", 2},
    {"qint16", "qint16_ref", "", 2},
    {"quint16", "quint16_ref", "", 2},
    {"uint16", "uint16_ref", "", 2},
    {"complex128", "complex128_ref", "", 16},
    {"float16", "float16_ref", "half", 2},
    {"resource", "resource_ref", "", 0},
    {"variant", "variant_ref", "", 0},
    {"uint32", "uint32_ref", "", 4},
    {"uint64", "uint64_ref", "", 8},
}};

const TypeFacts& Facts(DType type) {
  const auto number = static_cast<size_t>(Base(type));
  return kFacts[number < kFacts.size() ? number : 0];
}

bool Matches(std::string_view name, const TypeFacts& facts) {
  if (name == facts.name || (!facts.short_name.empty() && name == facts.short_name)) return true;
  if (!name.starts_with("DT_")) return false;
  const std::string_view want = facts.short_name.empty() ? facts.name : facts.short_name;
  name.remove_prefix(3);
  if (name.size() != want.size()) return false;
  for (size_t i = 0; i < name.size(); ++i) {
    if (static_cast<char>(name[i] | 0x20) != (want[i] | 0x20)) return false;
  }
  return true;
}

}  // namespace

bool IsValid(DType type) {
  const auto number = static_cast<int32_t>(Base(type));
  return number >= 1 && number < static_cast<int32_t>(kFacts.size());
}

std::string_view DTypeName(DType type) { return IsRef(type) ? Facts(type).ref_name : Facts(type).name; }

std::optional<DType> ParseDType(std::string_view name) {
  const bool is_ref = name.ends_with("_ref") || (name.starts_with("DT_") && name.ends_with("_REF"));
  if (is_ref) name.remove_suffix(4);
  for (size_t number = 1; number < kFacts.size(); ++number) {
    if (!Matches(name, kFacts[number])) continue;
    const auto type = static_cast<DType>(number);
    return is_ref ? MakeRef(type) : type;
  }
  return std::nullopt;
}

size_t ElementSize(DType type) { return Facts(type).size; }

bool IsFloating(DType type) {
  return type == DType::kHalf || type == DType::kBfloat16 || type == DType::kFloat || type == DType::kDouble;
}

bool IsComplex(DType type) { return type == DType::kComplex64 || type == DType::kComplex128; }

bool IsInteger(DType type) {
  switch (type) {
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
    case DType::kUint8:
    case DType::kUint16:
    case DType::kUint32:
    case DType::kUint64:
      return true;
    default:
      return false;
  }
}

bool IsQuantized(DType type) {
  return type == DType::kQint8 || type == DType::kQuint8 || type == DType::kQint16 || type == DType::kQuint16 ||
         type == DType::kQint32;
}

}  // namespace plumb
