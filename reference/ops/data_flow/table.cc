// Tables that are filled once, and tables that change (rules L1–L9).

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/table_handle.h"

namespace plumb::reference {
namespace {

// ---- The table -----------------------------------------------------------------------------------------------------

ResourceName TableName(const OpContext& c) {
  ResourceName name = NameOf(c.node);
  if (c.attr<bool>("use_node_name_sharing") && c.attr<std::string>("shared_name").empty()) name.name = c.node.name;
  return name;
}

// The table of this node's name; it is described if it is new (L6).
LookupTable& Described(OpContext& c, bool is_mutable, const Shape& value_shape = {}) {
  const ResourceName name = TableName(c);
  LookupTable& table = c.resources.FindOrCreate<LookupTable>(name);
  const DType key_type = c.attr<DType>("key_dtype"), value_type = c.attr<DType>("value_dtype");
  if (table.key_type == DType::kInvalid) {
    table.key_type = key_type;
    table.value_type = value_type;
    table.value_shape = value_shape;
    table.is_mutable = is_mutable;
  }
  Require(table.key_type == key_type && table.value_type == value_type, "the shared table '", name.name, "' is from ",
          DTypeName(table.key_type), " to ", DTypeName(table.value_type), ", not from ", DTypeName(key_type), " to ",
          DTypeName(value_type));  // L6
  OutputHandle(c, name, kTableType);
  return table;
}
void HashTable(OpContext& c) { Described(c, /*is_mutable=*/false); }

void MutableHashTable(OpContext& c) { Described(c, /*is_mutable=*/true); }

// L8.
Shape RowShape(const Node& node) { return GetAttr<PartialShape>(node.attrs, "value_shape").ToShape(); }
void TableOfTensors(OpContext& c) { Described(c, /*is_mutable=*/true, RowShape(c.node)); }
void CheckTableOfTensors(const Node& node) {
  Require(RowShape(node).rank() == 1, "node ", node.name, ": value_shape must be that of a vector, not ",
          RowShape(node).ToString());
}

// L9.
void CheckDenseHashTable(const Node& node) {
  Require(RowShape(node).rank() <= 1, "node ", node.name, ": value_shape must be that of a scalar or vector, not ",
          RowShape(node).ToString());
}

DenseTable NewDenseTable(const OpContext& c) {
  DenseTableType type;
  type.key_type = c.attr<DType>("key_dtype");
  type.value_type = c.attr<DType>("value_dtype");
  type.key_shape = c.tensor(0).shape();
  type.value_shape = RowShape(c.node);
  type.max_load_factor = c.attr<float>("max_load_factor");
  type.empty_key = c.tensor(0);
  type.deleted_key = c.tensor(1);
  Require(type.key_shape.rank() <= 1, "the empty key must be a scalar or vector, not of shape ",
          type.key_shape.ToString());
  Require(type.deleted_key.shape() == type.key_shape, "the empty and the deleted key must have one shape, not ",
          type.key_shape.ToString(), " and ", type.deleted_key.shape().ToString());
  return {type, c.attr<int64_t>("initial_num_buckets")};
}

void DenseHashTable(OpContext& c) {
  std::optional<DenseTable> dense;
  if (c.resources.Find<LookupTable>(TableName(c)) == nullptr) dense = NewDenseTable(c);
  LookupTable& table = Described(c, /*is_mutable=*/true, RowShape(c.node));
  if (dense.has_value()) table.dense = std::move(dense);
}

// Without a deleted key no table is made, but one of this name may be there.
void OlderDenseHashTable(OpContext& c) {
  Require(c.resources.Find<LookupTable>(TableName(c)) != nullptr,
          "there is no deleted_key, which a new table needs: ", "MutableDenseHashTableV2 has one");
  Described(c, /*is_mutable=*/true, RowShape(c.node));
}

// ---- Filling it ----------------------------------------------------------------------------------------------------

void CheckTypes(const LookupTable& table, DType key_type, DType value_type) {
  Require(table.key_type == key_type && table.value_type == value_type, "the table is from ", DTypeName(table.key_type),
          " to ", DTypeName(table.value_type), ", not from ", DTypeName(key_type), " to ", DTypeName(value_type));
}

// L9: the shape in which the keys of input 1 stand.
Shape ShapeOfKeys(const OpContext& c, const LookupTable& table) {
  const Shape& shape = c.tensor(1).shape();
  if (!table.dense.has_value()) return shape;
  const Shape& each = table.dense->type().key_shape;
  const int outer = shape.rank() - each.rank();
  Require(outer >= 0 && Subshape(shape, outer, shape.rank()) == each, "the keys are of shape ", each.ToString(),
          " each, but there are those of shape ", shape.ToString());
  const int64_t rows = shape.rank() == 0 ? 1 : shape.dim(0);
  Require(shape.elements() == rows * each.elements(), "there must be one row of keys, not shape ", shape.ToString());
  return Subshape(shape, 0, outer);
}

// Inputs 1 and 2: as many values as keys.
void CheckPairs(const OpContext& c, const LookupTable& table) {
  CheckTypes(table, c.tensor(1).dtype(), c.tensor(2).dtype());
  const Shape expected = Concatenated(ShapeOfKeys(c, table), table.value_shape);
  Require(c.tensor(2).shape() == expected, "the values of keys of shape ", c.tensor(1).shape().ToString(),
          " have the shape ", expected.ToString(), ", not ", c.tensor(2).shape().ToString());
}

// L2.
void Initialize(OpContext& c) {
  LookupTable& table = TableOf(c);
  const Tensor& keys = c.tensor(1);
  Require(!table.is_mutable, "only a table that is filled once is initialised");
  CheckPairs(c, table);
  Require(keys.rank() == 1 && keys.elements() > 0, "keys must be a vector that is not empty, not of shape ",
          keys.shape().ToString());
  if (!table.Begin(keys.elements())) return;
  for (int64_t i = 0; i < keys.elements(); ++i) table.Add(KeyAt(keys, i), RowAt(c.input(2), i));
  table.End();
}

// L1.
void RequireMutable(const LookupTable& table) {
  if (!table.is_mutable) throw Unimplemented("a table that is filled once does not change");
}

void Insert(OpContext& c) {
  LookupTable& table = TableOf(c);
  CheckPairs(c, table);
  RequireMutable(table);
  if (table.dense.has_value()) return table.dense->Insert(c.tensor(1), c.input(2));
  for (int64_t i = 0; i < c.tensor(1).elements(); ++i) {
    table.Insert(KeyAt(c.tensor(1), i), RowAt(c.input(2), i, table.value_shape));
  }
}

// L9: a row for each bucket.
Value Matrix(const Value& value, int64_t rows, int64_t width) { return Reshaped(value, Shape({rows, width})); }

void ImportBuckets(const OpContext& c, LookupTable& table) {
  const Tensor &keys = c.tensor(1), &values = c.tensor(2);
  CheckTypes(table, keys.dtype(), values.dtype());
  const int64_t rows = keys.rank() == 0 ? 0 : keys.dim(0);
  const bool fits = keys.rank() == 2 && values.rank() == 2 && values.dim(0) == rows &&
                    Integer(keys.elements()) == Integer(rows) * table.dense->type().key_shape.elements() &&
                    Integer(values.elements()) == Integer(rows) * table.value_shape.elements();
  Require(fits, "there must be a key and a value for each bucket, not keys of shape ", keys.shape().ToString(),
          " and values of shape ", values.shape().ToString());
  table.dense->Import(keys, c.input(2));
}

void Import(OpContext& c) {
  LookupTable& table = TableOf(c);
  if (!table.is_mutable) return Initialize(c);
  if (table.dense.has_value()) return ImportBuckets(c, table);
  CheckPairs(c, table);
  table.Clear();
  Insert(c);
}

void Remove(OpContext& c) {
  LookupTable& table = TableOf(c);
  CheckTypes(table, c.tensor(1).dtype(), table.value_type);
  ShapeOfKeys(c, table);
  RequireMutable(table);
  if (table.dense.has_value()) return table.dense->Remove(c.tensor(1));
  for (int64_t i = 0; i < c.tensor(1).elements(); ++i) table.Remove(KeyAt(c.tensor(1), i));
}

// ---- Reading it ----------------------------------------------------------------------------------------------------

void Find(OpContext& c) {
  const LookupTable& table = TableOf(c);
  const Tensor& keys = c.tensor(1);
  CheckTypes(table, keys.dtype(), c.tensor(2).dtype());
  const Shape shape = Concatenated(ShapeOfKeys(c, table), table.value_shape);
  const Shape& given = c.tensor(2).shape();
  Require(given == shape || given == table.value_shape, "default_value must be of shape ", table.value_shape.ToString(),
          " or ", shape.ToString(), ", not of shape ", given.ToString());
  const bool has_all = table.is_mutable && given == shape;
  if (!table.IsInitialized()) throw FailedPrecondition("Table not initialized");  // L1
  CheckResultSize(shape);
  if (table.dense.has_value()) return c.Output(0, table.dense->Find(keys, c.input(2)));
  Assembly values(table.value_type, shape);
  const int64_t width = table.value_shape.elements();
  for (int64_t i = 0; i < keys.elements() && width > 0; ++i) {
    const Value* const found = table.Find(KeyAt(keys, i));
    const int64_t own = has_all ? i * width : 0;
    values.Copy(i * width, found != nullptr ? *found : c.input(2), found != nullptr ? 0 : own, width);
  }
  c.Output(0, values.Take());
}

void Size(OpContext& c) { c.Output(0, MakeScalar(TableOf(c).size())); }

// L7.
void Export(OpContext& c) {
  const LookupTable& table = TableOf(c);
  CheckTypes(table, c.output_type(0), c.output_type(1));
  if (!table.IsInitialized()) throw Error(Code::kAborted, "the table is not initialized");  // L1
  const Value keys = table.Keys(), values = table.Values();
  const bool is_dense = table.dense.has_value();
  const int64_t rows = keys.tensor.dim(0);
  c.Output(0, is_dense ? Matrix(keys, rows, table.dense->type().key_shape.elements()) : keys);
  c.Output(1, is_dense ? Matrix(values, rows, table.value_shape.elements()) : values);
}

constexpr KernelRow kRows[] = {
    {"HashTable", HashTable},
    {"HashTableV2", HashTable},
    {"MutableHashTable", MutableHashTable},
    {"MutableHashTableV2", MutableHashTable},
    {"MutableHashTableOfTensors", TableOfTensors, CheckTableOfTensors},
    {"MutableHashTableOfTensorsV2", TableOfTensors, CheckTableOfTensors},
    {"MutableDenseHashTable", OlderDenseHashTable, CheckDenseHashTable},
    {"MutableDenseHashTableV2", DenseHashTable, CheckDenseHashTable},
    {"InitializeTable", Initialize},
    {"InitializeTableV2", Initialize},
    {"LookupTableInsert", Insert},
    {"LookupTableInsertV2", Insert},
    {"LookupTableRemoveV2", Remove},
    {"LookupTableImport", Import},
    {"LookupTableImportV2", Import},
    {"LookupTableExport", Export},
    {"LookupTableExportV2", Export},
    {"LookupTableFind", Find},
    {"LookupTableFindV2", Find},
    {"LookupTableSize", Size},
    {"LookupTableSizeV2", Size},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowTable() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
