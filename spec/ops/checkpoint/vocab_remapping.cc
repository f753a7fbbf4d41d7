#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes RemappingShapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  RequireScalar(c, 1);
  return {PartialShape{c.attr<int64_t>("num_new_vocab")}, Shape()};
}

}  // namespace

std::span<const OpRow> CheckpointVocabRemapping() {
  static const OpRow rows[] = {
      {.signature = "GenerateVocabRemapping(new_vocab_file: string, old_vocab_file: string) -> (remapping: int64, "
                    "num_present: int32) stateful",
       .attrs = "new_vocab_offset: int >= 0; num_new_vocab: int >= 0; old_vocab_size: int = -1 >= -1",
       .doc =
           "Where the words of one file, a line each, stand in another one: for num_new_vocab of them from the line "
           "new_vocab_offset on the line among the first old_vocab_size, or all (-1), of the old file, -1 where it is "
           "not there; and how many are there. What the lines of files are, and which are too few, rule L3 says: "
           "old_vocab_size is the vocab_size of the old file.",
       .shape_fn = RemappingShapes,
       .gradient = BlocksGradient(),
       .samples = {"a = WriteFile: 'a' x'610a620a630a640a650a'; b = WriteFile: 'b' x'630a610a650a780a'; "
                   "new_vocab_offset=0/1 num_new_vocab=0/3/4 old_vocab_size=-1/2: 'a' 'b'",
                   "a = WriteFile: 'a' x'610a620a'; b = WriteFile: 'b' x'620a'; "
                   "new_vocab_offset=0 num_new_vocab=2 old_vocab_size=9: 'a' 'b'"}},
  };
  return rows;
}

}  // namespace plumb::topics
