#include "client/embedding/table_parts.h"

#include "client/dimensions.h"
#include "spec/graph/variable_type.h"

namespace plumb {
namespace {

bool IsHandle(Output table) { return table.dtype() == DType::kResource; }

VariableType TypeOfHandle(Output table) {
  const auto type = FindVariableType(table.builder->graph(), table);
  Require(type.has_value(), "the table '", table.name(), "' is a handle of no variable that is known here");
  return *type;
}

Output NumberLike(Scope& scope, Output like, int64_t number) {
  return Constant(scope, ScalarTensor(static_cast<double>(number), like.dtype()));
}

// For each of a vector of ids.
struct Place {
  Output part, row;
};

Place PlaceByMod(Scope& scope, Output ids, int64_t parts) {
  const Output n = NumberLike(scope, ids, parts);
  return {scope.Call("FloorMod", {ids, n}), scope.Call("FloorDiv", {ids, n})};
}

Output RowCountOf(Scope& scope, Output table) {
  if (!IsHandle(table)) return DimensionOf(scope, table, 0);
  const PartialShape shape = ShapeOf(table);
  Require(shape.rank() > 0 && shape.dim(0) >= 0 && shape.dim(0) <= INT32_MAX, "the table '", table.name(),
          "' needs a known number of rows, as the parts of the others are counted by it");
  return Constant(scope, static_cast<int32_t>(shape.dim(0)));
}

// All but the first `extras` parts have `least` rows, these have one more.
Place PlaceByDiv(Scope& scope, const std::vector<Output>& tables, Output ids) {
  std::vector<Output> sizes;
  for (const Output& table : tables) sizes.push_back(AsType(RowCountOf(scope, table), ids.dtype()));
  const Output all = scope.Call("AddN", sizes, {{"N", static_cast<int64_t>(sizes.size())}});
  const Output n = NumberLike(scope, ids, static_cast<int64_t>(tables.size()));
  const Output least = scope.Call("FloorDiv", {all, n}), extras = scope.Call("FloorMod", {all, n});
  const Output most = least + 1, rest = ids - extras;
  const Output part =
      scope.Call("Maximum", {scope.Call("FloorDiv", {ids, most}), scope.Call("FloorDiv", {rest, least})});
  const Output row = scope.Call(
      "SelectV2", {part < extras, scope.Call("FloorMod", {ids, most}), scope.Call("FloorMod", {rest, least})});
  return {part, row};
}

std::vector<Output> Partition(Scope& scope, Output data, Output parts, int64_t count) {
  const NodeId node = scope.Add("DynamicPartition", {data, parts}, {{"num_partitions", count}});
  std::vector<Output> pieces;
  for (int i = 0; i < count; ++i) pieces.push_back({&scope.builder(), {node, i}});
  return pieces;
}

}  // namespace

DType ElementsOf(Output table) { return IsHandle(table) ? TypeOfHandle(table).dtype : table.dtype(); }

PartialShape ShapeOf(Output table) { return IsHandle(table) ? TypeOfHandle(table).shape : table.shape(); }

Output ShapeInStep(Scope& scope, Output table) {
  const Beside beside(scope, table);
  return scope.Call(IsHandle(table) ? "VariableShape" : "Shape", {table});
}

Output ValuesOf(Scope& scope, Output table) {
  if (!IsHandle(table)) return table;
  const Beside beside(scope, table);
  return scope.Call("ReadVariableOp", {table}, {{"dtype", ElementsOf(table)}});
}

Output RowsOf(Scope& scope, Output table, Output ids) {
  const Beside beside(scope, table);
  if (IsHandle(table)) return scope.Call("ResourceGather", {table, ids}, {{"dtype", ElementsOf(table)}});
  return scope.Call("GatherV2", {table, ids, Constant(scope, int32_t{0})});
}

std::vector<IdsOfPart> CutIds(Scope& scope, const std::vector<Output>& tables, Output ids, PartitionStrategy strategy) {
  const auto count = static_cast<int64_t>(tables.size());
  const Place place =
      strategy == PartitionStrategy::kMod ? PlaceByMod(scope, ids, count) : PlaceByDiv(scope, tables, ids);
  const Output part = AsType(place.part, DType::kInt32);
  const Output all =
      scope.Call("Range", {Constant(scope, int32_t{0}), scope.Call("Size", {ids}), Constant(scope, int32_t{1})});
  const std::vector<Output> positions = Partition(scope, all, part, count);
  const std::vector<Output> rows = Partition(scope, place.row, part, count);
  std::vector<IdsOfPart> cut;
  for (size_t i = 0; i < tables.size(); ++i) cut.push_back({positions[i], rows[i]});
  return cut;
}

}  // namespace plumb
