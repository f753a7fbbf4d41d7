#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> FileContent() {
  static const OpRow rows[] = {
      {.signature = "ReadFile(filename: string) -> (contents: string) stateful",
       .doc = "All bytes of a file.",
       .shape = "[] -> []",
       .samples = {"w = WriteFile: 'a' 'some text'; 'a'", "w = WriteFile: 'a/b' x'00ff0a'; 'a/b'"}},
      {.signature = "WriteFile(filename: string, contents: string) -> () stateful",
       .doc = "Creates a file, and the folders that it lies in, or puts it in the place of the one that is there.",
       .shape = "[] [] ->",
       .samples = {"'a' 'text'; r = ReadFile: 'a'", "'a/b/c' x'00ff0a'; m = MatchingFiles: 'a/b/*'",
                   "w = WriteFile: 'a' 'a longer text'; 'a' 'text'; r = ReadFile: 'a'"}},
  };
  return rows;
}

}  // namespace plumb::topics
