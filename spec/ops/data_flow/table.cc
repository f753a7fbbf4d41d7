#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The shape of what is found is the table's affair.
Shapes FindShapes(const ShapeContext& c) {
  RequirePair(c, 0);
  WithRankAtMost(c, 2, 1);
  return {PartialShape::Unknown()};
}

// A key is a scalar or a vector, and deleted_key one like it.
Shapes DenseTableShapes(const ShapeContext& c) {
  WithRankAtMost(c, 0, 1);
  return {Shape()};
}

}  // namespace

std::span<const OpRow> DataFlowTable() {
  static const OpRow rows[] = {
      {.signature = "HashTableV2() -> (table_handle: resource<Table>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; use_node_name_sharing: bool = false; "
                "key_dtype: type; value_dtype: type",
       .doc = "A handle to a table that is filled once (rule L1).",
       .cpu = "key_dtype in [int32, int64, string]; value_dtype in [bool, float32, float64, int32, int64, string]",
       .shape = "-> []",
       .gradient = BlocksGradient(),
       .samples = {"key_dtype in [int32, int64, string] "
                   "value_dtype in [bool, float32, float64, int32, int64, string]: ; "
                   "i = InitializeTableV2 Tkey=$key_dtype Tval=$value_dtype: this [3] sorted in 0..5 [3]; "
                   "f = LookupTableFindV2 Tin=$key_dtype Tout=$value_dtype: this [4] in 0..5 []"}},
      {.signature = "InitializeTableV2(table_handle: resource<Table>, keys: Tkey, values: Tval) -> () stateful",
       .attrs = "Tkey: type; Tval: type",
       .doc = "Fills the table with a value for each key (rule L2).",
       .shape = "[] [n] [n] ->",
       .gradient = BlocksGradient(),
       .samples = {"t = HashTableV2 key_dtype=$Tkey value_dtype=$Tval: ; "
                   "Tkey in [int32, int64, string] Tval in [bool, float32, float64, int32, int64, string]: "
                   "t [3] sorted in 0..5 [3]; "
                   "f = LookupTableFindV2 Tin=$Tkey Tout=$Tval: t [4] in 0..5 []"}},
      {.signature = "LookupTableFindV2(table_handle: resource<Table>, keys: Tin, default_value: Tout) -> "
                    "(values: Tout) stateful",
       .attrs = "Tin: type; Tout: type",
       .doc = "The value of each key, default_value where the table has none (rule L4).",
       .shape = "[] ? ? -> ?",
       .gradient = BlocksGradient(),
       .samples = {"t = HashTableV2 key_dtype=$Tin value_dtype=$Tout: ; "
                   "i = InitializeTableV2 Tkey=$Tin Tval=$Tout: t [3] sorted in 0..5 [3]; "
                   "Tin in [int32, int64, string] Tout in [bool, float32, float64, int32, int64, string]: "
                   "t [d...] in 0..5 []"}},
      {.signature = "LookupTableSizeV2(table_handle: resource<Table>) -> (size: int64) stateful",
       .doc = "How many keys the table has; none while it is not initialised.",
       .shape = "[] -> []",
       .gradient = BlocksGradient(),
       .samples = {"t = HashTableV2 key_dtype=int64 value_dtype=float32: ; "
                   "i = InitializeTableV2 Tkey=int64 Tval=float32: t [3] sorted in 0..5 [3]; "
                   "t",
                   "t = HashTableV2 key_dtype=string value_dtype=int32: ; t"}},
      {.signature = "LookupTableImportV2(table_handle: resource<Table>, keys: Tin, values: Tout) -> () stateful",
       .attrs = "Tin: type; Tout: type",
       .doc = "Fills a table that is filled once, as InitializeTable does; replaces all that another one has "
              "(rules L2, L5).",
       .shape = "[] [n] [n v...] ->",
       .strictness = Strictness::kStricterThanKernel,  // of other tables than those of scalars
       .samples = {"t = HashTableV2 key_dtype=$Tin value_dtype=$Tout: ; "
                   "Tin in [int32, int64, string] Tout in [bool, float32, float64, int32, int64, string]: "
                   "t [3] sorted in 0..5 [3]; "
                   "f = LookupTableFindV2 Tin=$Tin Tout=$Tout: t [4] in 0..5 []",
                   "t = MutableHashTableV2 key_dtype=$Tin value_dtype=$Tout: ; "
                   "a = LookupTableInsertV2 Tin=$Tin Tout=$Tout: t [4] in 0..5 [4]; "
                   "Tin in [int32, int64, string] Tout in [bool, float32, float64, int32, int64, string]: "
                   "t [n] in 0..5 [n]; "
                   "n = LookupTableSizeV2: t; "
                   "e = LookupTableExportV2 Tkeys=$Tin Tvalues=$Tout: t"}},
      {.signature = "LookupTableExportV2(table_handle: resource<Table>) -> (keys: Tkeys<rows_in_any_order>, values: "
                    "Tvalues<rows_in_same_order>) stateful",
       .attrs = "Tkeys: type; Tvalues: type",
       .doc = "All keys of the table, and their values, in any order (rule L7).",
       .shape = "[] -> ? ?",
       .samples = {"t = HashTableV2 key_dtype=$Tkeys value_dtype=$Tvalues: ; "
                   "i = InitializeTableV2 Tkey=$Tkeys Tval=$Tvalues: t [3] sorted in 0..5 [3]; "
                   "Tkeys in [int32, int64, string] Tvalues in [bool, float32, float64, int32, int64, string]: "
                   "t"}},
      {.signature = "MutableHashTableV2() -> (table_handle: resource<Table>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; use_node_name_sharing: bool = false; "
                "key_dtype: type; value_dtype: type",
       .doc = "A handle to a table of which any key may change at any time (rule L5).",
       .cpu = "key_dtype in [int32, int64, string]; value_dtype in [bool, float32, float64, int32, int64, "
              "string, variant]",
       .shape = "-> []",
       .gradient = BlocksGradient(),
       .samples = {"key_dtype in [int32, int64, string] "
                   "value_dtype in [bool, float32, float64, int32, int64, string]: ; "
                   "a = LookupTableInsertV2 Tin=$key_dtype Tout=$value_dtype: this [d...] in 0..5 [d...]; "
                   "f = LookupTableFindV2 Tin=$key_dtype Tout=$value_dtype: this [4] in 0..5 []"}},
      {.signature = "MutableHashTableOfTensorsV2() -> (table_handle: resource<Table>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; use_node_name_sharing: bool = false; "
                "key_dtype: type; value_dtype: type; value_shape: shape = []",
       .doc = "A handle to a table of which any key may change at any time, and whose values are vectors of "
              "value_shape (rule L8).",
       .cpu = "key_dtype in [int32, int64, string]; value_dtype in [bool, float32, float64, int32, int64, string]",
       .shape = "-> []",
       .gradient = BlocksGradient(),
       .samples = {"value_shape=[2] key_dtype in [int32, int64, string] "
                   "value_dtype in [bool, float32, float64, int32, int64, string]: ; "
                   "a = LookupTableInsertV2 Tin=$key_dtype Tout=$value_dtype: this [d...] in 0..5 [d... 2]; "
                   "f = LookupTableFindV2 Tin=$key_dtype Tout=$value_dtype: this [4] in 0..5 [2]; "
                   "g = LookupTableFindV2 Tin=$key_dtype Tout=$value_dtype: this [4] in 0..9 [4 2]; "
                   "e = LookupTableExportV2 Tkeys=$key_dtype Tvalues=$value_dtype: this"}},
      {.signature = "MutableDenseHashTableV2(empty_key: key_dtype, deleted_key: key_dtype) -> "
                    "(table_handle: resource<Table>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; use_node_name_sharing: bool = false; "
                "key_dtype: type; value_dtype: type; value_shape: shape = []; initial_num_buckets: int = 131072; "
                "max_load_factor: float = 0.8",
       .doc = "A handle to a table of open addressing. Keys are scalars or vectors like empty_key, values scalars or "
              "vectors of value_shape; neither empty_key nor deleted_key may be a key (rule L9).",
       .cpu = "key_dtype in [int32, int64, string]; value_dtype in [bool, float32, float64, int32, int64, resource, "
              "variant]",
       .shape_fn = DenseTableShapes,
       .gradient = BlocksGradient(),
       .samples = {"initial_num_buckets=4 max_load_factor=0.7 key_dtype in [int32, int64] "
                   "value_dtype in [bool, float32, float64, int32, int64]: 100 -7; "
                   "a = LookupTableInsertV2 Tin=$key_dtype Tout=$value_dtype: this [3] in 0..9 [3]; "
                   "b = LookupTableRemoveV2 Tin=$key_dtype: this [2] in 0..9; "
                   "c = LookupTableInsertV2 Tin=$key_dtype Tout=$value_dtype: this [5] in 0..40 [5]; "
                   "f = LookupTableFindV2 Tin=$key_dtype Tout=$value_dtype: this [1400] in 0..40 []; "
                   "n = LookupTableSizeV2: this; "
                   "e = LookupTableExportV2 Tkeys=$key_dtype Tvalues=$value_dtype: this",
                   "initial_num_buckets=8 value_shape=[3] key_dtype in [string] "
                   "value_dtype in [bool, float32, float64, int32, int64]: '' '-'; "
                   "a = LookupTableInsertV2 Tin=$key_dtype Tout=$value_dtype: this {'a', 'hash', 'longer than eight'} "
                   "[3 3]; "
                   "f = LookupTableFindV2 Tin=$key_dtype Tout=$value_dtype: this {'hash', 'x'} [3]; "
                   "e = LookupTableExportV2 Tkeys=$key_dtype Tvalues=$value_dtype: this",
                   "initial_num_buckets=8 key_dtype in [int64] value_dtype in [float32]: {-1, -1} {-2, -2}; "
                   "a = LookupTableInsertV2 Tin=$key_dtype Tout=$value_dtype: this [3 2] in 0..5 [3]; "
                   "f = LookupTableFindV2 Tin=$key_dtype Tout=$value_dtype: this [4 2] in 0..5 [4]; "
                   "e = LookupTableExportV2 Tkeys=$key_dtype Tvalues=$value_dtype: this"}},
      {.signature = "LookupTableInsertV2(table_handle: resource<Table>, keys: Tin, values: Tout) -> () stateful",
       .attrs = "Tin: type; Tout: type",
       .doc = "Gives the keys these values, in their order, whether the table has them or not (rule L5).",
       .shape = "[] ? ? ->",
       .gradient = BlocksGradient(),
       .samples = {"t = MutableHashTableV2 key_dtype=$Tin value_dtype=$Tout: ; "
                   "Tin in [int32, int64, string] Tout in [bool, float32, float64, int32, int64, string]: "
                   "t [d...] in 0..5 [d...]; "
                   "e = LookupTableExportV2 Tkeys=$Tin Tvalues=$Tout: t",
                   "t = MutableHashTableV2 key_dtype=$Tin value_dtype=$Tout: ; "
                   "a = LookupTableInsertV2 Tin=$Tin Tout=$Tout: t [3] in 0..5 [3]; "
                   "Tin in [int32, int64, string] Tout in [bool, float32, float64, int32, int64, string]: "
                   "t [] in 0..5 []; "
                   "e = LookupTableExportV2 Tkeys=$Tin Tvalues=$Tout: t"}},
      {.signature = "LookupTableRemoveV2(table_handle: resource<Table>, keys: Tin) -> () stateful",
       .attrs = "Tin: type",
       .doc = "Removes the keys from the table, as far as it has them (rule L5).",
       .shape = "[] [n d...] ->",
       .strictness = Strictness::kStricterThanKernel,  // of one key as a scalar
       .samples = {"t = MutableHashTableV2 key_dtype=$Tin value_dtype=float32: ; "
                   "a = LookupTableInsertV2 Tin=$Tin Tout=float32: t [4] in 0..5 [4]; "
                   "Tin in [int32, int64, string]: t [3] in 0..5; "
                   "e = LookupTableExportV2 Tkeys=$Tin Tvalues=float32: t"}},
      {.signature = "HashTable() -> (table_handle: ref string<Table>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; use_node_name_sharing: bool = false; "
                "key_dtype: type; value_dtype: type",
       .doc = "A handle to a table that is filled once (rule L1).",
       .cpu = "key_dtype in [int32, int64, string]; value_dtype in [bool, float32, float64, int32, int64, string]",
       .shape = "-> [2]",
       .gradient = BlocksGradient(),
       .samples = {"key_dtype in [int32, int64, string] "
                   "value_dtype in [bool, float32, float64, int32, int64, string]: ; "
                   "i = InitializeTable Tkey=$key_dtype Tval=$value_dtype: this [3] sorted in 0..5 [3]; "
                   "f = LookupTableFind Tin=$key_dtype Tout=$value_dtype: this [4] in 0..5 []"}},
      {.signature = "InitializeTable(table_handle: ref string<Table>, keys: Tkey, values: Tval) -> ()",
       .attrs = "Tkey: type; Tval: type",
       .doc = "Fills the table with a value for each key (rule L2).",
       .shape = "[2] [n] [n] ->",
       .gradient = BlocksGradient(),
       .samples = {"t = HashTable key_dtype=$Tkey value_dtype=$Tval: ; "
                   "Tkey in [int32, int64, string] Tval in [bool, float32, float64, int32, int64, string]: "
                   "t [3] sorted in 0..5 [3]; "
                   "f = LookupTableFind Tin=$Tkey Tout=$Tval: t [4] in 0..5 []"}},
      {.signature = "LookupTableFind(table_handle: ref string<Table>, keys: Tin, default_value: Tout) -> "
                    "(values: Tout)",
       .attrs = "Tin: type; Tout: type",
       .doc = "The value of each key, default_value where the table has none (rule L4).",
       .shape_fn = FindShapes,
       .strictness = Strictness::kStricterThanKernel,  // of default values for each of several vectors
       .gradient = BlocksGradient(),
       .samples = {"t = HashTable key_dtype=$Tin value_dtype=$Tout: ; "
                   "i = InitializeTable Tkey=$Tin Tval=$Tout: t [3] sorted in 0..5 [3]; "
                   "Tin in [int32, int64, string] Tout in [bool, float32, float64, int32, int64, string]: "
                   "t [d...] in 0..5 []"}},
      {.signature = "LookupTableSize(table_handle: ref string<Table>) -> (size: int64)",
       .doc = "How many keys the table has; none while it is not initialised.",
       .shape = "[2] -> []",
       .gradient = BlocksGradient(),
       .samples = {"t = HashTable key_dtype=int64 value_dtype=float32: ; "
                   "i = InitializeTable Tkey=int64 Tval=float32: t [3] sorted in 0..5 [3]; "
                   "t",
                   "t = HashTable key_dtype=string value_dtype=int32: ; t"}},
      {.signature = "LookupTableImport(table_handle: ref string<Table>, keys: Tin, values: Tout) -> ()",
       .attrs = "Tin: type; Tout: type",
       .doc = "Fills a table that is filled once, as InitializeTable does; replaces all that another one has "
              "(rules L2, L5).",
       .shape = "[2] ? ? ->",
       .samples = {"t = HashTable key_dtype=$Tin value_dtype=$Tout: ; "
                   "Tin in [int32, int64, string] Tout in [bool, float32, float64, int32, int64, string]: "
                   "t [3] sorted in 0..5 [3]; "
                   "f = LookupTableFind Tin=$Tin Tout=$Tout: t [4] in 0..5 []",
                   "t = MutableHashTable key_dtype=$Tin value_dtype=$Tout: ; "
                   "a = LookupTableInsert Tin=$Tin Tout=$Tout: t [4] in 0..5 [4]; "
                   "Tin in [int32, int64, string] Tout in [bool, float32, float64, int32, int64, string]: "
                   "t [n] in 0..5 [n]; "
                   "n = LookupTableSize: t; "
                   "e = LookupTableExport Tkeys=$Tin Tvalues=$Tout: t"}},
      {.signature = "LookupTableExport(table_handle: ref string<Table>) -> (keys: Tkeys<rows_in_any_order>, values: "
                    "Tvalues<rows_in_same_order>)",
       .attrs = "Tkeys: type; Tvalues: type",
       .doc = "All keys of the table, and their values, in any order (rule L7).",
       .shape = "[2] -> ? ?",
       .samples = {"t = HashTable key_dtype=$Tkeys value_dtype=$Tvalues: ; "
                   "i = InitializeTable Tkey=$Tkeys Tval=$Tvalues: t [3] sorted in 0..5 [3]; "
                   "Tkeys in [int32, int64, string] Tvalues in [bool, float32, float64, int32, int64, string]: "
                   "t"}},
      {.signature = "MutableHashTable() -> (table_handle: ref string<Table>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; use_node_name_sharing: bool = false; "
                "key_dtype: type; value_dtype: type",
       .doc = "A handle to a table of which any key may change at any time (rule L5).",
       .cpu = "key_dtype in [int32, int64, string]; value_dtype in [bool, float32, float64, int32, int64, "
              "string, variant]",
       .shape = "-> [2]",
       .gradient = BlocksGradient(),
       .samples = {"key_dtype in [int32, int64, string] "
                   "value_dtype in [bool, float32, float64, int32, int64, string]: ; "
                   "a = LookupTableInsert Tin=$key_dtype Tout=$value_dtype: this [d...] in 0..5 [d...]; "
                   "f = LookupTableFind Tin=$key_dtype Tout=$value_dtype: this [4] in 0..5 []"}},
      {.signature = "MutableHashTableOfTensors() -> (table_handle: ref string<Table>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; use_node_name_sharing: bool = false; "
                "key_dtype: type; value_dtype: type; value_shape: shape = []",
       .doc = "A handle to a table of which any key may change at any time, and whose values are vectors of "
              "value_shape (rule L8).",
       .cpu = "key_dtype in [int32, int64, string]; value_dtype in [bool, float32, float64, int32, int64, string]",
       .shape = "-> [2]",
       .gradient = BlocksGradient(),
       .samples = {"value_shape=[2] key_dtype in [int32, int64, string] "
                   "value_dtype in [bool, float32, float64, int32, int64, string]: ; "
                   "a = LookupTableInsert Tin=$key_dtype Tout=$value_dtype: this [d...] in 0..5 [d... 2]; "
                   "f = LookupTableFind Tin=$key_dtype Tout=$value_dtype: this [4] in 0..5 [2]; "
                   "g = LookupTableFind Tin=$key_dtype Tout=$value_dtype: this [4] in 0..9 [4 2]; "
                   "e = LookupTableExport Tkeys=$key_dtype Tvalues=$value_dtype: this"}},
      {.signature = "MutableDenseHashTable(empty_key: key_dtype) -> (table_handle: ref string<Table>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; use_node_name_sharing: bool = false; "
                "key_dtype: type; value_dtype: type; value_shape: shape = []; initial_num_buckets: int = 131072; "
                "max_load_factor: float = 0.8",
       .doc = "A handle to a table that MutableDenseHashTableV2 made under this name. It makes none, INVALID_ARGUMENT, "
              "for it has no deleted_key (rule L9).",
       .cpu = "key_dtype in [int32, int64, string]; value_dtype in [bool, float32, float64, int32, int64, resource, "
              "variant]",
       .shape = "? -> [2]",
       .gradient = BlocksGradient(),
       .samples = {"m = MutableDenseHashTableV2 shared_name='table' key_dtype=$key_dtype value_dtype=$value_dtype "
                   "initial_num_buckets=4: 100 -7; "
                   "a = LookupTableInsertV2 Tin=$key_dtype Tout=$value_dtype: m [3] in 0..9 [3]; "
                   "shared_name='table' key_dtype in [int32, int64] value_dtype in [bool, float32, float64, int32, "
                   "int64]: 100; "
                   "f = LookupTableFind Tin=$key_dtype Tout=$value_dtype: this [5] in 0..9 []",
                   "m = MutableDenseHashTableV2 shared_name='table' key_dtype=$key_dtype value_dtype=$value_dtype "
                   "initial_num_buckets=8: '' '-'; "
                   "a = LookupTableInsertV2 Tin=$key_dtype Tout=$value_dtype: m {'a', 'hash'} [2]; "
                   "shared_name='table' key_dtype in [string] value_dtype in [bool, float32, float64, int32, int64]: "
                   "''; "
                   "f = LookupTableFind Tin=$key_dtype Tout=$value_dtype: this {'hash', 'x'} []"}},
      {.signature = "LookupTableInsert(table_handle: ref string<Table>, keys: Tin, values: Tout) -> ()",
       .attrs = "Tin: type; Tout: type",
       .doc = "Gives the keys these values, in their order, whether the table has them or not (rule L5).",
       .shape = "[2] ? ? ->",
       .gradient = BlocksGradient(),
       .samples = {"t = MutableHashTable key_dtype=$Tin value_dtype=$Tout: ; "
                   "Tin in [int32, int64, string] Tout in [bool, float32, float64, int32, int64, string]: "
                   "t [d...] in 0..5 [d...]; "
                   "e = LookupTableExport Tkeys=$Tin Tvalues=$Tout: t",
                   "t = MutableHashTable key_dtype=$Tin value_dtype=$Tout: ; "
                   "a = LookupTableInsert Tin=$Tin Tout=$Tout: t [3] in 0..5 [3]; "
                   "Tin in [int32, int64, string] Tout in [bool, float32, float64, int32, int64, string]: "
                   "t [] in 0..5 []; "
                   "e = LookupTableExport Tkeys=$Tin Tvalues=$Tout: t"}},
  };
  return rows;
}

}  // namespace plumb::topics
