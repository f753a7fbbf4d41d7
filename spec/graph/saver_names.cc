#include "spec/graph/saver_names.h"

#include <algorithm>

namespace plumb {

std::optional<SaverNodes> SaverOf(const MetaGraph& meta) {
  const auto has = [&](const std::string& tensor) {
    const std::string name = tensor.substr(0, tensor.find(':'));
    const auto& nodes = meta.graph.nodes;
    return std::any_of(nodes.begin(), nodes.end(), [&](const NodeDef& node) { return node.name == name; });
  };
  const SaverNodes usual = {"save/Const:0", "save/control_dependency:0", "save/restore_all"};
  for (const SaverNodes& saver : {meta.saver, usual}) {
    if (has(saver.filename) && has(saver.restore)) return saver;
  }
  return std::nullopt;
}

}  // namespace plumb
