#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> CheckpointShardedName() {
  static const OpRow rows[] = {
      {.signature = "ShardedFilename(basename: string, shard: int32, num_shards: int32) -> (filename: string)",
       .doc = "The name of one of several files: basename-00003-of-00010 (rule Z51).",
       .shape = "[] [] [] -> []",
       .samples = {"'model' 3 10", "'' 123456 -7", "[] [] []"}},
      {.signature = "ShardedFilespec(basename: string, num_shards: int32) -> (filename: string)",
       .doc = "The pattern of such names: with question marks in the place of the number.",
       .shape = "[] [] -> []",
       .samples = {"'model' 10", "'' -7", "[] []"}},
  };
  return rows;
}

}  // namespace plumb::topics
