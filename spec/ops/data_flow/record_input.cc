#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> DataFlowRecordInput() {
  static const OpRow rows[] = {
      {.signature = "RecordInput() -> (records: string) stateful",
       .attrs = "file_pattern: string; file_random_seed: int = 301; file_shuffle_shift_ratio: float = 0; "
                "file_buffer_size: int = 10000; file_parallelism: int = 16; batch_size: int = 32; compression_type: "
                "string = ''",
       .doc = "The next batch_size records of the record files whose paths match the pattern, again and again (rule "
              "Q60).",
       .shape = "-> [n]",
       .samples = {"w = WriteFile: 'r1' x'020000000000000078270b3461621cb0f0f401000000000000000175de4163ae2c110a'; "
                   "file_pattern='r*' batch_size=2/3 file_parallelism=1: ",
                   "file_pattern='r*' batch_size=2: "}},
  };
  return rows;
}

}  // namespace plumb::topics
