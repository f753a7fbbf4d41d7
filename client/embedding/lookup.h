// Rows of tables, by ids, as tf.nn.embedding_lookup of TensorFlow 1.15 finds them. Their gradients are slices. A table
// is the value of a variable, the handle of a resource variable, or any other value; rows are picked where it lies, so
// that ids and rows travel between devices, and the table does not.
#pragma once

#include <optional>
#include <vector>

#include "client/scope.h"

namespace plumb {

// In which part of a table an id's row is, and where there: of n parts, kMod has it in part id mod n at id / n; kDiv
// keeps neighbours together, as a partitioned variable does: the first parts are one row longer where it does not come
// out even.
enum class PartitionStrategy { kMod, kDiv };

struct LookupOptions {
  PartitionStrategy strategy = PartitionStrategy::kMod;
  std::optional<double> max_norm = {};  // rows that are longer are scaled down to it
};

// One row for each id, int32 or int64: shape ids + [size…] of tables [rows, size…]. kInvalidArgument for no table; a
// step ends so for an id that no table has.
Output EmbeddingLookup(Scope& scope, const std::vector<Output>& tables, Output ids, const LookupOptions& options = {});

// A sparse tensor's parts.
struct SparseParts {
  Output indices;      // [n, rank] of int64, in order
  Output values;       // [n]
  Output dense_shape;  // [rank] of int64
};

enum class Combiner {
  kSum,
  kMean,   // Σ w · row / Σ w
  kSqrtN,  // Σ w · row / √(Σ w²)
};
// The rows of each line's ids combined, [lines, size…]: lines are those of the first axis up to the last that has an
// id. `weights` are the values of a sparse tensor with the same indices; without them each id counts once. A line
// without ids is 0.
Output EmbeddingLookupSparse(Scope& scope, const std::vector<Output>& tables, const SparseParts& ids,
                             const std::optional<Output>& weights, Combiner combiner = Combiner::kMean,
                             const LookupOptions& options = {});

}  // namespace plumb
