// What the ops that parse SequenceExamples make of the values in them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reference/kernel/op_context.h"

namespace plumb::reference {

// The features that are asked for, of the context or of the lists.
struct FeatureGroup {
  // From the attributes context_sparse_types and so on; `dense_types` is the name of one.
  FeatureGroup(const Node& node, const std::string& prefix, const std::string& dense_types, bool has_ragged);

  std::vector<std::string> sparse_keys, dense_keys, ragged_keys;
  std::vector<DType> sparse_types, dense_types, ragged_types, splits_types;
  std::vector<PartialShape> dense_shapes;
};

struct SequenceRequest {
  SequenceRequest(const Node& node, bool has_ragged);
  // Refuses numbers of keys that are not those of the types.
  void CheckKeys() const;
  // Refuses a feature that is asked for in two forms.
  void CheckForms() const;

  FeatureGroup context, lists;
  std::vector<bool> may_miss;  // by dense list
  int first_default = 0;
  bool has_lengths = true;
};

// The values under a key of one message, as vectors: of the context, and row by row of a list; nothing where it is
// missing. Values of another type are refused.
struct SequenceFeatures {
  std::function<std::optional<Tensor>(const std::string& key, DType type)> context;
  std::function<std::optional<std::vector<Tensor>>(const std::string& key, DType type)> list;
};

// Sets all outputs. `is_batch`: there may be several messages, and results have a dimension for them.
void OutputSequences(OpContext& c, const SequenceRequest& request, const std::vector<SequenceFeatures>& messages,
                     bool is_batch);

}  // namespace plumb::reference
