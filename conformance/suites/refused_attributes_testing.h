// An op with known inputs and one attribute of another value: what a rule makes of it when the graph is imported.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "conformance/suites/attributes.h"
#include "conformance/suites/single_node.h"
#include "spec/ops/catalogue.h"
#include "spec/samples/sample.h"

namespace plumb::conformance {

// Values that few ops have a use for, by the words of refused_attributes.txt.
inline std::map<std::string, AttrValue> OddValues(const AttrDef& attr, const AttrValue& usual) {
  std::map<std::string, AttrValue> odd;
  if (attr.kind == AttrKind::kInt && !attr.is_list) {
    for (const int64_t value : {-2, -1, 0, 1, 2, 7}) odd[std::to_string(value)] = value;
  } else if (attr.kind == AttrKind::kFloat && !attr.is_list) {
    for (const int value : {-1, 0, 2}) odd[std::to_string(value)] = static_cast<float>(value);
    odd["nan"] = std::numeric_limits<float>::quiet_NaN();
  } else if (attr.kind == AttrKind::kString && !attr.is_list && attr.allowed_strings.empty()) {
    odd["?"] = std::string("?");
  } else if (const auto* const list = usual.Get<std::vector<int64_t>>(); list != nullptr) {
    std::vector<int64_t> longer = *list;
    longer.push_back(1);
    odd["longer"] = longer;
    odd["none"] = std::vector<int64_t>();
    if (list->empty()) return odd;
    odd["shorter"] = std::vector<int64_t>(list->begin(), list->end() - 1);
    for (const int64_t value : {-1, 0, 2}) {
      std::vector<int64_t> first = *list, last = *list;
      first.front() = last.back() = value;
      odd["first:" + std::to_string(value)] = first;
      odd["last:" + std::to_string(value)] = last;
    }
  }
  return odd;
}

// The first sample of the op that stands alone and has the attribute, by each odd value of that; fed values are
// constants. Empty: there is none.
inline std::map<std::string, GraphDef> OddGraphs(const OpDef& op, const AttrDef& attr) {
  std::map<std::string, GraphDef> graphs;
  if (CountsArguments(op, attr) || attr.name == "container" || attr.name == "shared_name") return graphs;
  for (SampledCase& sample : SampleInputs(op, {}, 1)) {
    const auto found = sample.attrs.find(attr.name);
    if (!sample.StandsAlone() || found == sample.attrs.end()) continue;
    for (const auto& [word, value] : OddValues(attr, found->second)) {
      SampledCase odd = sample;
      odd.attrs[attr.name] = value;
      SingleNode single = MakeSingleNode(op, odd);
      for (const auto& [name, tensor] : single.run.feeds) {
        for (NodeDef& node : single.graph.nodes) {
          if (node.name + ":0" != name && node.name != name) continue;
          node.op = "Const";
          node.attrs = {{"dtype", tensor.dtype()}, {"value", tensor}};
        }
      }
      graphs[word] = std::move(single.graph);
    }
    return graphs;
  }
  return graphs;
}

}  // namespace plumb::conformance
