// The features of an Example (rule 9.16).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/ops/parsing/feature_values.h"

namespace plumb::reference {

struct ExampleEntry {
  std::string key;
  std::string_view feature;  // in the bytes of the message
};

// In the order in which they were written.
std::vector<ExampleEntry> ReadExample(std::string_view bytes);

// The values under a key, the last ones where it occurs again; nothing where it is missing or empty. An empty feature
// hides those before it, unless it is skipped.
std::optional<Tensor> FindFeature(const std::vector<ExampleEntry>& entries, const std::string& key, DType type,
                                  bool skips_empty);

}  // namespace plumb::reference
