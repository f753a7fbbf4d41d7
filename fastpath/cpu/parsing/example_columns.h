// What the ops that parse Examples are asked for: one column of the result for each key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

enum class ColumnKind : uint8_t { kSparse, kFixed, kVariable, kRagged };

struct ExampleColumn {
  ColumnKind kind = ColumnKind::kSparse;
  DType type = DType::kInvalid;
  DType splits_type = DType::kInvalid;  // of a ragged column
  Shape entry = {};                     // of a dense one: all of it, or what lies behind a first dimension that varies
  int64_t size = 1;                     // elements of an entry
};

// Columns as a node's attributes declare them: first the sparse ones, then the dense and the ragged ones.
struct ExampleColumns {
  ExampleColumns(const Node& node, bool has_ragged);
  // Refuses numbers of keys that are not those of the columns.
  void CheckKeys(size_t sparse_keys, size_t dense_keys, size_t ragged_keys) const;
  // Refuses defaults, the inputs from `first_default` on, that do not fit.
  void CheckDefaults(const KernelContext& context, int first_default) const;

  std::string node;
  std::vector<ExampleColumn> columns;
  size_t sparse = 0, dense = 0, ragged = 0;
};

}  // namespace plumb::fast::cpu
