#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> DataFlowTableTextFile() {
  static const OpRow rows[] = {
      {.signature = "InitializeTableFromTextFileV2(table_handle: resource<Table>, filename: string) -> () stateful",
       .attrs = "key_index: int >= -2; value_index: int >= -2; vocab_size: int = -1 >= -1; delimiter: string = '\\t'; "
                "offset: int = 0",
       .doc = "Fills the table from the lines of a file: key and value are a column, the whole line (-2) or its number "
              "plus offset (-1), which is added to int32 of the file too. Reads vocab_size lines, or all (rule L3).",
       .shape = "[] [] ->",
       .gradient = BlocksGradient(),
       .samples = {"w = WriteFile: 'a' x'610a62620a'; "
                   "t = HashTableV2 key_dtype=string value_dtype=int64: ; "
                   "key_index=-2 value_index=-1 vocab_size=-1/2 offset=0/5: t 'a'; "
                   "f = LookupTableFindV2 Tin=string Tout=int64: t {'bb', 'c', 'a'} -1; n = LookupTableSizeV2: t",
                   "w = WriteFile: 'a' 'x,1.5'; "
                   "t = HashTableV2 key_dtype=string value_dtype=float32: ; "
                   "key_index=0 value_index=1 delimiter=',': t 'a'; "
                   "f = LookupTableFindV2 Tin=string Tout=float32: t {'x', 'y'} 0.25; n = LookupTableSizeV2: t",
                   "w = WriteFile: 'a' x'6109350a6209370a'; "
                   "t = HashTableV2 key_dtype=int64 value_dtype=string: ; "
                   "key_index=1 value_index=0: t 'a'; "
                   "f = LookupTableFindV2 Tin=int64 Tout=string: t {7, 5, 6} 'none'; n = LookupTableSizeV2: t"}},
      {.signature = "InitializeTableFromTextFile(table_handle: ref string<Table>, filename: string) -> ()",
       .attrs = "key_index: int >= -2; value_index: int >= -2; vocab_size: int = -1 >= -1; delimiter: string = '\\t'; "
                "offset: int = 0",
       .doc = "Fills the table from the lines of a file: key and value are a column, the whole line (-2) or its number "
              "plus offset (-1), which is added to int32 of the file too. Reads vocab_size lines, or all (rule L3).",
       .shape = "[2] [] ->",
       .gradient = BlocksGradient(),
       .samples = {"w = WriteFile: 'a' x'610a62620a'; "
                   "t = HashTable key_dtype=string value_dtype=int64: ; "
                   "key_index=-2 value_index=-1 vocab_size=-1/2 offset=0/5: t 'a'; "
                   "f = LookupTableFind Tin=string Tout=int64: t {'bb', 'c', 'a'} -1; n = LookupTableSize: t",
                   "w = WriteFile: 'a' 'x,1.5'; "
                   "t = HashTable key_dtype=string value_dtype=float32: ; "
                   "key_index=0 value_index=1 delimiter=',': t 'a'; "
                   "f = LookupTableFind Tin=string Tout=float32: t {'x', 'y'} 0.25; n = LookupTableSize: t",
                   "w = WriteFile: 'a' x'6109350a6209370a'; "
                   "t = HashTable key_dtype=int64 value_dtype=string: ; "
                   "key_index=1 value_index=0: t 'a'; "
                   "f = LookupTableFind Tin=int64 Tout=string: t {7, 5, 6} 'none'; n = LookupTableSize: t"}},
  };
  return rows;
}

}  // namespace plumb::topics
