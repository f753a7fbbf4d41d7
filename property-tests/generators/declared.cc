#include "property-tests/generators/declared.h"

namespace plumb::property {
namespace {

std::string Joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += Str(text.empty() ? "" : ", ", word);
  return text;
}

}  // namespace

bool Takes(const Declares& declares, std::string_view op, const AttrMap& attrs) {
  if (!declares) return true;
  AttrMap types;
  for (const auto& [name, value] : attrs) {
    if (value.Get<DType>() != nullptr) types.emplace(name, value);
  }
  return declares(op, types);
}

std::set<std::string> Undeclared(const Declares& declares, const GraphDef& graph) {
  std::set<std::string> undeclared;
  for (const NodeDef& node : graph.nodes) {
    if (Takes(declares, node.op, node.attrs)) continue;
    std::set<std::string> types;
    for (const auto& [name, value] : node.attrs) {
      if (const DType* type = value.Get<DType>()) types.insert(Str(name, "=", DTypeName(*type)));
    }
    undeclared.insert(types.empty() ? node.op : Str(node.op, " (", Joined(types), ")"));
  }
  return undeclared;
}

NothingToCompare::NothingToCompare(std::string_view whose, const std::set<std::string>& lacking)
    : std::runtime_error(Str("of ", whose, ", the backend does not declare ", Joined(lacking))) {}

}  // namespace plumb::property
