// A graph for each op on tables of ten thousand keys. Tables that are filled once are so before the first step.
#include "bench/graphs/named.h"

namespace plumb::bench {
namespace {

constexpr char kTables[] = "data_flow";
constexpr int64_t kKeys = 10'000, kVector = 16;

AttrMap TableOf(DType key, DType value) { return {{"key_dtype", key}, {"value_dtype", value}}; }
AttrMap InOut(DType key, DType value) { return {{"Tin", key}, {"Tout", value}}; }

int64_t Scrambled(int64_t i) { return i * 7919 % kKeys; }

Output TextKeys(Scope& scope) {
  return Values<std::string>(scope, kKeys, [](int64_t i) { return Str("a word, number ", Scrambled(i)); });
}
Output NumberKeys(Scope& scope) {
  return Values<int64_t>(scope, kKeys, [](int64_t i) { return Scrambled(i) * 1'000'003; });
}
Output Numbers(Scope& scope) {
  return Values<int64_t>(scope, kKeys, [](int64_t i) { return i; });
}

NodeId Insert(Scope& scope, const Output& table, const Output& keys, const Output& values) {
  return scope.Add("LookupTableInsertV2", {table, keys, values}, InOut(keys.dtype(), values.dtype()));
}
NodeId Find(Scope& scope, const Output& table, const Output& keys, const Output& standard) {
  return scope.Add("LookupTableFindV2", {table, keys, standard}, InOut(keys.dtype(), standard.dtype()));
}

BenchGraph Initialised(BenchGraph bench, const Scope& scope, NodeId init) {
  bench.inits = {scope.NameOf(init)};
  return bench;
}

BenchGraph Finding(const std::string& name, bool by_text) {
  Scope scope;
  const Output keys = by_text ? TextKeys(scope) : NumberKeys(scope),
               values = by_text ? Numbers(scope) : TextKeys(scope);
  const Output standard = by_text ? Constant<int64_t>(scope, -1) : Text(scope, "none");
  const Output table = scope.Call("HashTableV2", {}, TableOf(keys.dtype(), values.dtype()));
  const NodeId init =
      scope.Add("InitializeTableV2", {table, keys, values}, {{"Tkey", keys.dtype()}, {"Tval", values.dtype()}});
  return Initialised(Named(name, kTables, scope, Find(scope, table, keys, standard), kKeys), scope, init);
}

Output MutableTable(Scope& scope) {
  return scope.Call("MutableHashTableV2", {}, TableOf(DType::kString, DType::kInt64));
}

// Keys that the table has from the first step on.
BenchGraph Inserting() {
  Scope scope;
  const NodeId insert = Insert(scope, MutableTable(scope), TextKeys(scope), Numbers(scope));
  return Named("LookupTableInsertV2", kTables, scope, insert, kKeys);
}

BenchGraph Removing() {
  Scope scope;
  const Output table = MutableTable(scope), keys = TextKeys(scope);
  const auto behind = scope.After({Insert(scope, table, keys, Numbers(scope))});
  const NodeId remove = scope.Add("LookupTableRemoveV2", {table, keys}, {{"Tin", DType::kString}});
  return Named("LookupTableRemoveV2", kTables, scope, remove, kKeys);
}

BenchGraph Importing() {
  Scope scope;
  const NodeId import = scope.Add("LookupTableImportV2", {MutableTable(scope), TextKeys(scope), Numbers(scope)},
                                  InOut(DType::kString, DType::kInt64));
  return Named("LookupTableImportV2", kTables, scope, import, kKeys);
}

BenchGraph Exporting() {
  Scope scope;
  const Output table = MutableTable(scope);
  const NodeId init = Insert(scope, table, TextKeys(scope), Numbers(scope));
  const NodeId exported =
      scope.Add("LookupTableExportV2", {table}, {{"Tkeys", DType::kString}, {"Tvalues", DType::kInt64}});
  return Initialised(Named("LookupTableExportV2", kTables, scope, exported, kKeys), scope, init);
}

BenchGraph Counting() {
  Scope scope;
  const Output table = MutableTable(scope);
  const NodeId init = Insert(scope, table, TextKeys(scope), Numbers(scope));
  return Beside("LookupTableSizeV2", kTables, scope, {table}, {}, {init});
}

// Keys are put into a table of numbers, found, and taken out again.
BenchGraph Using(const std::string& op, const Output& table, const Output& values, const Output& standard,
                 Scope& scope) {
  const Output keys = NumberKeys(scope);
  const NodeId insert = Insert(scope, table, keys, values);
  const auto found = scope.After({insert});
  const NodeId find = Find(scope, table, keys, standard);
  const auto removed = scope.After({find});
  const NodeId remove = scope.Add("LookupTableRemoveV2", {table, keys}, {{"Tin", DType::kInt64}});
  return Named(op, kTables, scope, remove, kKeys);
}

BenchGraph OfNumbers() {
  Scope scope;
  const Output table = scope.Call("MutableHashTableV2", {}, TableOf(DType::kInt64, DType::kFloat));
  return Using("MutableHashTableV2", table, Floats(scope, {kKeys}), Constant(scope, 0.0f), scope);
}

AttrMap VectorsOf() {
  AttrMap attrs = TableOf(DType::kInt64, DType::kFloat);
  attrs["value_shape"] = PartialShape({kVector});
  return attrs;
}

BenchGraph OfVectors() {
  Scope scope;
  const Output table = scope.Call("MutableHashTableOfTensorsV2", {}, VectorsOf());
  return Using("MutableHashTableOfTensorsV2", table, Floats(scope, {kKeys, kVector}), Floats(scope, {kVector}), scope);
}

BenchGraph Dense() {
  Scope scope;
  const Output empty = Constant<int64_t>(scope, -1), deleted = Constant<int64_t>(scope, -2);
  const Output table = scope.Call("MutableDenseHashTableV2", {empty, deleted}, VectorsOf());
  return Using("MutableDenseHashTableV2", table, Floats(scope, {kKeys, kVector}), Floats(scope, {kVector}), scope);
}

}  // namespace

std::vector<BenchGraph> TableGraphs() {
  return {Finding("LookupTableFindV2", true),
          Finding("HashTableV2", false),
          Inserting(),
          Removing(),
          Importing(),
          Exporting(),
          Counting(),
          OfNumbers(),
          OfVectors(),
          Dense()};
}

}  // namespace plumb::bench
