// An op with an attribute that no int32 holds: what is made of it when the graph is imported, and when it runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/suites/single_node.h"
#include "spec/samples/sample.h"

namespace plumb::conformance {

inline constexpr int64_t kBeyondInt32 = int64_t{1} << 31;

// The first sample of the op that stands alone and has the attribute, with that value in it; none where there is none.
inline std::optional<SingleNode> NodeBeyondInt32(const OpDef& op, const std::string& attr) {
  for (SampledCase& sample : SampleInputs(op, {}, 1)) {
    const auto found = sample.attrs.find(attr);
    if (!sample.StandsAlone() || found == sample.attrs.end()) continue;
    if (auto* const list = std::get_if<std::vector<int64_t>>(&found->second)) {
      if (list->empty()) continue;
      list->front() = kBeyondInt32;
    } else {
      found->second = kBeyondInt32;
    }
    return MakeSingleNode(op, sample);
  }
  return std::nullopt;
}

}  // namespace plumb::conformance
