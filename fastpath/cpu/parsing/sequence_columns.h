// What the ops that parse SequenceExamples are asked for, and how the features that were found become tensors.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <string>
#include <string_view>
#include <vector>

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

// Features of the context, or lists: the sparse ones, the dense ones, the ragged ones.
struct SequenceGroup {
  SequenceGroup(const Node& node, const std::string& prefix, const std::string& dense_types, bool has_ragged);

  std::vector<DType> sparse, dense, ragged, splits;
  std::vector<Shape> shapes;  // of dense features, or of a row of a dense list
  size_t keys() const { return sparse.size() + dense.size() + ragged.size(); }
};

struct SequenceColumns {
  SequenceColumns(const Node& node, bool has_ragged, bool has_lengths);

  std::string node;
  SequenceGroup context, lists;
  bool has_lengths;
};

// The bytes of the features, or lists, of a group in all messages, which must outlive it.
class FoundFeatures {
 public:
  // `keys`: as many as the group has columns, in their order. A key may occur again.
  FoundFeatures(const std::vector<std::string_view>& keys, int64_t messages);
  // Takes note of a feature, unless nobody asked for it. A later one takes the place of an earlier one.
  void Put(int64_t message, std::string_view key, std::string_view bytes);

  std::string_view Key(size_t column) const { return keys_[column]; }
  bool IsPresent(int64_t message, size_t column) const { return At(message, column).is_present; }
  std::string_view Bytes(int64_t message, size_t column) const { return At(message, column).bytes; }

 private:
  struct Feature {
    std::string_view bytes;
    bool is_present = false;
  };
  const Feature& At(int64_t message, size_t column) const {
    return features_[static_cast<size_t>(message) * slots_.size() + slot_of_column_[column]];
  }

  const std::vector<std::string_view> keys_;
  absl::flat_hash_map<std::string_view, size_t> slots_;
  std::vector<size_t> slot_of_column_;
  std::vector<Feature> features_;  // by message and slot
};

// Where the messages of one call are, and what else they depend on.
struct SequenceInputs {
  int64_t messages = 0;
  bool is_batch = false;
  int first_default = 0;
  std::vector<char> may_miss;  // by dense list
};

// Sets all outputs.
void OutputSequences(KernelContext& context, const SequenceColumns& columns, const SequenceInputs& inputs,
                     const FoundFeatures& features, const FoundFeatures& lists);

}  // namespace plumb::fast::cpu
