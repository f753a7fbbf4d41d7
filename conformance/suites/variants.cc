#include "conformance/suites/variants.h"

#include <fnmatch.h>

#include <algorithm>

#include "backends/backends.h"
#include "conformance/report/result.h"
#include "spec/files/file_pattern.h"
#include "spec/samples/sample.h"

namespace plumb::conformance {
namespace {

bool Contains(const std::vector<DType>& types, DType type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// Of an attribute that lists none: numbers, bool and strings, and codes where the row declares them.
std::vector<DType> DrawnTypes(const OpDef& op, const AttrDef& attr) {
  if (!attr.allowed_types.empty()) return attr.allowed_types;
  std::vector<DType> types;
#define PLUMB_ADD(name, type) types.push_back(DType::name);
  PLUMB_FOR_EACH_NUMBER_TYPE(PLUMB_ADD)
#undef PLUMB_ADD
  types.push_back(DType::kString);
  for (const DType type : op.CpuTypes(attr)) {
    if (IsQuantized(type)) types.push_back(type);
  }
  return types;
}

// Whether the op's row declares these types, of attributes of its own.
bool DeclaresAll(const OpDef& op, const AttrMap& types) {
  return std::all_of(types.begin(), types.end(), [&](const auto& entry) {
    return Contains(DeclaredTypes(op, *op.FindAttr(entry.first)), *entry.second.template Get<DType>());
  });
}

Variant With(const Variant& variant, const AttrDef& attr, DType type) {
  Variant with = variant;
  with.name += Str(variant.name.empty() ? "" : " ", attr.name, "=", DTypeName(type));
  with.types.insert_or_assign(attr.name, type);
  return with;
}

// Every combination with each of the attribute's types.
std::vector<Variant> Combined(const OpDef& op, const std::vector<Variant>& variants, const AttrDef& attr) {
  std::vector<Variant> combined;
  for (const Variant& variant : variants) {
    for (const DType type : DrawnTypes(op, attr)) combined.push_back(With(variant, attr, type));
  }
  return combined;
}

// Of `variants` that the row declares, the first that a sample takes together with that type, or else the first.
Variant TakenWith(const OpDef& op, const std::vector<Variant>& variants, const AttrDef& attr, DType type) {
  const Variant* first = nullptr;
  for (const Variant& variant : variants) {
    if (!DeclaresAll(op, variant.types)) continue;
    Variant with = With(variant, attr, type);
    if (!CanSample(op) || !SampleInputs(op, with.types, 1).empty()) return with;
    if (first == nullptr) first = &variant;
  }
  return With(first == nullptr ? variants.front() : *first, attr, type);
}

}  // namespace

std::vector<DType> DeclaredTypes(const OpDef& op, const AttrDef& attr) {
  const std::vector<DType>& taken = op.CpuTypes(attr);
  std::vector<DType> declared = DrawnTypes(op, attr);
  if (!taken.empty()) std::erase_if(declared, [&](DType type) { return !Contains(taken, type); });
  return declared;
}

std::vector<Variant> VariantsOf(const OpDef& op) {
  std::vector<Variant> variants = {{}};
  const auto for_each_type = [&](bool with_default, const auto& visit) {
    for (const AttrDef& attr : op.attrs) {
      if (attr.kind == AttrKind::kType && !attr.is_list && attr.default_value.has_value() == with_default) visit(attr);
    }
  };
  for_each_type(false, [&](const AttrDef& attr) { variants = Combined(op, variants, attr); });
  const std::vector<Variant> needed = variants;
  for_each_type(true, [&](const AttrDef& attr) {
    for (const DType type : DrawnTypes(op, attr)) variants.push_back(TakenWith(op, needed, attr, type));
  });
  return variants;
}

std::vector<Variant> ChosenVariants(const OpDef& op, const std::string& filter) {
  std::vector<Variant> chosen;
  for (Variant& variant : VariantsOf(op)) {
    const std::string name = op.name + "/" + variant.name;
    if (filter.empty() || fnmatch(filter.c_str(), name.c_str(), 0) == 0 ||
        fnmatch(filter.c_str(), op.name.c_str(), 0) == 0) {
      chosen.push_back(std::move(variant));
    }
  }
  return chosen;
}

bool IsDeclared(const OpDef& op, const AttrMap& types, const Backend& backend) {
  if (backend.declares) return backend.declares(op.name, types);
  const auto ours = BackendNames();
  const bool is_ours =
      backend.name.starts_with("gpu") || std::find(ours.begin(), ours.end(), backend.name) != ours.end();
  return is_ours && DeclaresAll(op, types);
}

std::string OpsCommand(const Backend& backend, const OpDef& op, const Variant& variant, uint64_t seed, int rounds) {
  const std::string name = op.name + (variant.name.empty() ? "" : "/" + variant.name);
  return CommandLine({"conformance", "ops", "--backend", backend.name, "--filter", LiteralPattern(name), "--seed",
                      Str(seed), "--rounds", Str(rounds)});
}

}  // namespace plumb::conformance
