#include "spec/validate/structure.h"

#include <algorithm>
#include <unordered_set>

namespace plumb {
namespace {

bool IsAlphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

// G1.
void CheckNodeName(std::string_view name, NameOrigin origin) {
  const auto may_start = [&](char c) {
    return IsAlphanumeric(c) || c == '.' || (c == '_' && origin != NameOrigin::kUser);
  };
  const auto may_follow = [](char c) { return IsAlphanumeric(c) || c == '.' || c == '-' || c == '/' || c == '_'; };
  bool valid = !name.empty() && may_start(name[0]);
  for (size_t i = 1; i < name.size() && valid; ++i) {
    const bool begins = name[i - 1] == '>';
    valid = begins ? IsAlphanumeric(name[i]) || name[i] == '.' : may_follow(name[i]) || name[i] == '>';
  }
  valid = valid && name.back() != '>';
  Require(valid, "the node name '", name.substr(0, 200), "' contains invalid characters or is empty");
}

void CheckVersions(const VersionDef& versions) {
  Require(versions.producer >= 0, "the graph's producer version ", versions.producer, " is below the minimum 0");
  Require(versions.min_consumer <= kGraphVersion, "the graph needs a consumer of version ", versions.min_consumer,
          " or newer; this one has version ", kGraphVersion);
  const auto& bad = versions.bad_consumers;
  Require(std::find(bad.begin(), bad.end(), kGraphVersion) == bad.end(), "the graph refuses consumers of version ",
          kGraphVersion, " (bad_consumers), which this one is");
}

NamedInputs ParseInputs(const NodeDef& node) {
  NamedInputs inputs;
  for (const std::string& text : node.inputs) {
    TensorName input = ParseTensorName(text);
    if (input.control) {
      inputs.control.push_back(std::move(input.node));
      continue;
    }
    Require(inputs.control.empty(), "node '", node.name, "': the data input '", text,
            "' stands after a control input; control inputs come last");
    inputs.data.push_back(std::move(input));
  }
  return inputs;
}

void RemoveRepetitions(std::vector<NodeId>& control_inputs) {
  if (control_inputs.size() < 2) return;
  std::unordered_set<NodeId> seen;
  std::erase_if(control_inputs, [&](NodeId id) { return !seen.insert(id).second; });
}

}  // namespace plumb
