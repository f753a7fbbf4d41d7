#include "conformance/suites/variants.h"

#include <fnmatch.h>

#include <algorithm>

#include "backends/backends.h"
#include "conformance/report/result.h"

namespace plumb::conformance {
namespace {

std::vector<DType> AllowedTypes(const AttrDef& attr) {
  if (!attr.allowed_types.empty()) return attr.allowed_types;
  std::vector<DType> types;
#define PLUMB_ADD(name, type) types.push_back(DType::name);
  PLUMB_FOR_EACH_NUMBER_TYPE(PLUMB_ADD)
#undef PLUMB_ADD
  types.push_back(DType::kString);
  return types;
}

// Every combination with each of the attribute's types.
std::vector<Variant> Combined(const std::vector<Variant>& variants, const AttrDef& attr) {
  std::vector<Variant> combined;
  for (const Variant& variant : variants) {
    for (const DType type : AllowedTypes(attr)) {
      combined.push_back(variant);
      combined.back().name += Str(variant.name.empty() ? "" : " ", attr.name, "=", DTypeName(type));
      combined.back().types.insert_or_assign(attr.name, type);
    }
  }
  return combined;
}

}  // namespace

std::vector<Variant> VariantsOf(const OpDef& op) {
  std::vector<Variant> variants = {{}};
  const auto for_each_type = [&](bool with_default, const auto& visit) {
    for (const AttrDef& attr : op.attrs) {
      if (attr.kind == AttrKind::kType && !attr.is_list && attr.default_value.has_value() == with_default) visit(attr);
    }
  };
  for_each_type(false, [&](const AttrDef& attr) { variants = Combined(variants, attr); });
  const std::vector<Variant> first = {variants.front()};
  for_each_type(true, [&](const AttrDef& attr) {
    for (Variant& variant : Combined(first, attr)) variants.push_back(std::move(variant));
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

std::vector<DType> DeclaredTypes(const OpDef& op, const AttrDef& attr) {
  const std::vector<DType>& taken = op.CpuTypes(attr);
  if (taken.empty()) return AllowedTypes(attr);
  std::vector<DType> declared = AllowedTypes(attr);
  std::erase_if(declared, [&](DType type) { return std::find(taken.begin(), taken.end(), type) == taken.end(); });
  return declared;
}

bool IsDeclared(const OpDef& op, const AttrMap& types, const Backend& backend) {
  if (backend.declares) return backend.declares(op.name, types);
  const auto ours = BackendNames();
  if (std::find(ours.begin(), ours.end(), backend.name) == ours.end()) return false;
  return std::all_of(types.begin(), types.end(), [&](const auto& entry) {
    const std::vector<DType> declared = DeclaredTypes(op, *op.FindAttr(entry.first));
    return std::find(declared.begin(), declared.end(), *entry.second.template Get<DType>()) != declared.end();
  });
}

std::string OpsCommand(const Backend& backend, const OpDef& op, const Variant& variant, uint64_t seed, int rounds) {
  const std::string name = op.name + (variant.name.empty() ? "" : "/" + variant.name);
  return CommandLine({"conformance", "ops", "--backend", backend.name, "--filter", FilterFor(name), "--seed", Str(seed),
                      "--rounds", Str(rounds)});
}

}  // namespace plumb::conformance
