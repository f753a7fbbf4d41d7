// Tables that are filled once, and tables that change (rules L1–L7).
#include <algorithm>
#include <array>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/table_handle.h"

namespace plumb::reference {
namespace {

// ---- The table -----------------------------------------------------------------------------------------------------

constexpr std::array kKeyTypes = {DType::kInt32, DType::kInt64, DType::kString};
constexpr std::array kValueTypes = {DType::kBool,  DType::kFloat, DType::kDouble,
                                    DType::kInt32, DType::kInt64, DType::kString};

// A7.
template <size_t n>
void CheckType(const Node& node, std::string_view attr, const std::array<DType, n>& types, bool or_variant = false) {
  const DType type = GetAttr<DType>(node.attrs, attr);
  if (std::find(types.begin(), types.end(), type) != types.end() || (or_variant && type == DType::kVariant)) return;
  throw NoKernel(Code::kInvalidArgument, "no kernel of ", node.op->name, " is registered for a ", attr, " of ",
                 DTypeName(type));
}
void CheckHashTable(const Node& node) {
  CheckType(node, "key_dtype", kKeyTypes);
  CheckType(node, "value_dtype", kValueTypes);
}
void CheckMutableHashTable(const Node& node) {
  CheckType(node, "key_dtype", kKeyTypes);
  CheckType(node, "value_dtype", kValueTypes, /*or_variant=*/true);
}

void MakeTable(OpContext& c, bool is_mutable) {
  ResourceName name = NameOf(c.node);
  if (c.attr<bool>("use_node_name_sharing") && c.attr<std::string>("shared_name").empty()) name.name = c.node.name;
  LookupTable& table = c.resources.FindOrCreate<LookupTable>(name);
  const DType key_type = c.attr<DType>("key_dtype"), value_type = c.attr<DType>("value_dtype");
  if (table.key_type == DType::kInvalid) {
    table.key_type = key_type;
    table.value_type = value_type;
    table.is_mutable = is_mutable;
  }
  Require(table.key_type == key_type && table.value_type == value_type && table.is_mutable == is_mutable,
          "the shared table '", name.name, "' is from ", DTypeName(table.key_type), " to ", DTypeName(table.value_type),
          ", or of another kind");  // L6
  OutputHandle(c, name, kTableType);
}
void HashTable(OpContext& c) { MakeTable(c, /*is_mutable=*/false); }
void MutableHashTable(OpContext& c) { MakeTable(c, /*is_mutable=*/true); }

// ---- Filling it ----------------------------------------------------------------------------------------------------

void CheckTypes(const LookupTable& table, DType key_type, DType value_type) {
  Require(table.key_type == key_type && table.value_type == value_type, "the table is from ", DTypeName(table.key_type),
          " to ", DTypeName(table.value_type), ", not from ", DTypeName(key_type), " to ", DTypeName(value_type));
}

// Inputs 1 and 2: as many values as keys.
void CheckPairs(const OpContext& c, const LookupTable& table) {
  CheckTypes(table, c.tensor(1).dtype(), c.tensor(2).dtype());
  Require(c.tensor(1).shape() == c.tensor(2).shape(), "keys and values must have one shape, not ",
          c.tensor(1).shape().ToString(), " and ", c.tensor(2).shape().ToString());
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
  for (int64_t i = 0; i < keys.elements(); ++i) table.Add(KeyAt(keys, i), ElementAt(c.input(2), i));
  table.End();
}

LookupTable& MutableTableOf(const OpContext& c) {
  LookupTable& table = TableOf(c);
  if (!table.is_mutable) throw Unimplemented("a table that is filled once does not change");  // L1
  return table;
}

void Insert(OpContext& c) {
  LookupTable& table = MutableTableOf(c);
  CheckPairs(c, table);
  for (int64_t i = 0; i < c.tensor(1).elements(); ++i) table.Insert(KeyAt(c.tensor(1), i), ElementAt(c.input(2), i));
}

void Import(OpContext& c) {
  LookupTable& table = TableOf(c);
  if (!table.is_mutable) return Initialize(c);
  CheckPairs(c, table);
  table.Clear();
  Insert(c);
}

void Remove(OpContext& c) {
  LookupTable& table = MutableTableOf(c);
  CheckTypes(table, c.tensor(1).dtype(), table.value_type);
  for (int64_t i = 0; i < c.tensor(1).elements(); ++i) table.Remove(KeyAt(c.tensor(1), i));
}

// ---- Reading it ----------------------------------------------------------------------------------------------------

void Find(OpContext& c) {
  const LookupTable& table = TableOf(c);
  const Tensor& keys = c.tensor(1);
  CheckTypes(table, keys.dtype(), c.tensor(2).dtype());
  Require(c.tensor(2).rank() == 0, "default_value must be a scalar, not of shape ", c.tensor(2).shape().ToString());
  if (!table.IsInitialized()) throw FailedPrecondition("Table not initialized");  // L1
  Assembly values(table.value_type, keys.shape());
  for (int64_t i = 0; i < keys.elements(); ++i) {
    const Value* const found = table.Find(KeyAt(keys, i));
    values.Copy(i, found != nullptr ? *found : c.input(2), 0);
  }
  c.Output(0, values.Take());
}

void Size(OpContext& c) { c.Output(0, MakeScalar(TableOf(c).size())); }

// L7.
void Export(OpContext& c) {
  const LookupTable& table = TableOf(c);
  CheckTypes(table, c.output_type(0), c.output_type(1));
  if (!table.IsInitialized()) throw Error(Code::kAborted, "the table is not initialized");  // L1
  c.Output(0, table.Keys());
  c.Output(1, table.Values());
}

constexpr KernelRow kRows[] = {
    {"HashTable", HashTable, CheckHashTable},
    {"HashTableV2", HashTable, CheckHashTable},
    {"MutableHashTableV2", MutableHashTable, CheckMutableHashTable},
    {"InitializeTable", Initialize},
    {"InitializeTableV2", Initialize},
    {"LookupTableInsertV2", Insert},
    {"LookupTableRemoveV2", Remove},
    {"LookupTableImportV2", Import},
    {"LookupTableExportV2", Export},
    {"LookupTableFind", Find},
    {"LookupTableFindV2", Find},
    {"LookupTableSizeV2", Size},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowTable() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
