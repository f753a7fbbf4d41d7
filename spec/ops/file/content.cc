#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> FileContent() {
  static const OpRow rows[] = {
      {.signature = "ReadFile(filename: string) -> (contents: string) stateful",
       .doc = "All bytes of a file.",
       .shape = "[] -> []",
       .samples = {"-: it needs files; file_test.cc writes some"}},
      {.signature = "WriteFile(filename: string, contents: string) -> () stateful",
       .doc = "Creates a file, and the folders that it lies in, or puts it in the place of the one that is there.",
       .shape = "[] [] ->",
       .samples = {"-: it writes files; file_test.cc gives it some"}},
  };
  return rows;
}

}  // namespace plumb::topics
