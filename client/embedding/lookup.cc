#include "client/embedding/lookup.h"

#include "client/clip.h"
#include "client/dimensions.h"
#include "client/embedding/table_parts.h"

namespace plumb {
namespace {

Output Zero(Scope& scope) { return Constant(scope, int32_t{0}); }

// Rows for ids of this rank, each no longer than the norm.
Output Clipped(Scope& scope, Output rows, int ids_rank, const LookupOptions& options) {
  if (!options.max_norm) return rows;
  Require(rows.shape().has_rank() && ids_rank >= 0, "rows are kept short only where ids and tables have known ranks");
  std::vector<int32_t> axes;
  for (int axis = ids_rank; axis < rows.shape().rank(); ++axis) axes.push_back(axis);
  return ClipByNorm(scope, rows, *options.max_norm, axes);
}

// Each part looks its own ids up; then all rows are put where their ids were.
Output LookupInParts(Scope& scope, const std::vector<Output>& tables, Output ids, const LookupOptions& options) {
  const std::vector<IdsOfPart> cut = CutIds(scope, tables, Flat(scope, ids), options.strategy);
  std::vector<Output> inputs;
  for (const IdsOfPart& part : cut) inputs.push_back(part.positions);
  for (size_t i = 0; i < tables.size(); ++i) {
    inputs.push_back(Clipped(scope, RowsOf(scope, tables[i], cut[i].rows), 1, options));
  }
  const Output stitched = scope.Call("ParallelDynamicStitch", inputs, {{"N", static_cast<int64_t>(tables.size())}});
  // One row for each id, whatever shape these have.
  const Output row_shape = scope.Call("StridedSlice",
                                      {ShapeInStep(scope, tables[0]), Constant<int32_t>(scope, {1}),
                                       Constant<int32_t>(scope, {0}), Constant<int32_t>(scope, {1})},
                                      {{"end_mask", int64_t{1}}});
  const Output shape =
      scope.Call("ConcatV2", {scope.Call("Shape", {ids}), row_shape, Zero(scope)}, {{"N", int64_t{2}}});
  return scope.Call("Reshape", {stitched, shape});
}

Output Segmented(Scope& scope, Output values, Output segments) { return scope.Call("SegmentSum", {values, segments}); }

// Each row times its weight, summed by line, then divided as the combiner says.
Output CombineWeighted(Scope& scope, Output rows, Output weights, Output lines, Combiner combiner) {
  weights = AsType(weights, rows.dtype());
  Require(rows.shape().has_rank(), "weights need tables of known rank");
  std::vector<int32_t> shape(static_cast<size_t>(rows.shape().rank()), 1);
  shape[0] = -1;
  const Output column = scope.Call(
      "Reshape", {weights, Constant(scope, MakeTensor<int32_t>({static_cast<int64_t>(shape.size())}, shape))});
  const Output sum = Segmented(scope, rows * column, lines);
  switch (combiner) {
    case Combiner::kSum:
      return sum;
    case Combiner::kMean:
      return scope.Call("DivNoNan", {sum, Segmented(scope, column, lines)});
    case Combiner::kSqrtN:
      return scope.Call("DivNoNan", {sum, scope.Call("Sqrt", {Segmented(scope, column * column, lines)})});
  }
  throw Internal("a combiner that does not exist");
}

// The rows that `row_of` names, combined by line.
Output Combine(Scope& scope, Output rows, Output row_of, Output lines, Combiner combiner) {
  switch (combiner) {
    case Combiner::kSum:
      return scope.Call("SparseSegmentSum", {rows, row_of, lines});
    case Combiner::kMean:
      return scope.Call("SparseSegmentMean", {rows, row_of, lines});
    case Combiner::kSqrtN:
      return scope.Call("SparseSegmentSqrtN", {rows, row_of, lines});
  }
  throw Internal("a combiner that does not exist");
}

}  // namespace

Output EmbeddingLookup(Scope& scope, const std::vector<Output>& tables, Output ids, const LookupOptions& options) {
  Require(!tables.empty(), "there is no table to look ids up in");
  const auto named = scope.Sub("embedding_lookup");
  if (tables.size() > 1) return LookupInParts(scope, tables, ids, options);
  return Clipped(scope, RowsOf(scope, tables[0], ids), ids.shape().rank(), options);
}

Output EmbeddingLookupSparse(Scope& scope, const std::vector<Output>& tables, const SparseParts& ids,
                             const std::optional<Output>& weights, Combiner combiner, const LookupOptions& options) {
  const auto named = scope.Sub("embedding_lookup_sparse");
  const Output first_axis =
      scope.Call("StridedSlice",
                 {ids.indices, Constant<int32_t>(scope, {0, 0}), Constant<int32_t>(scope, {0, 1}),
                  Constant<int32_t>(scope, {1, 1})},
                 {{"begin_mask", int64_t{1}}, {"end_mask", int64_t{1}}, {"shrink_axis_mask", int64_t{2}}});
  const Output lines = AsType(first_axis, DType::kInt32);
  // Each id is looked up once.
  const NodeId unique = scope.Add("Unique", {ids.values});
  const Output different{&scope.builder(), {unique, 0}}, row_of{&scope.builder(), {unique, 1}};
  const Output rows = EmbeddingLookup(scope, tables, different, options);
  if (weights) {
    const Output of_ids = scope.Call("GatherV2", {rows, row_of, Zero(scope)});
    return CombineWeighted(scope, of_ids, *weights, lines, combiner);
  }
  return Combine(scope, rows, row_of, lines, combiner);
}

}  // namespace plumb
