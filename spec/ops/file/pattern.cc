#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes MatchingShapes(const ShapeContext& c) {
  WithRankAtMost(c, 0, 1);
  return {PartialShape({-1})};
}

}  // namespace

std::span<const OpRow> FilePattern() {
  static const OpRow rows[] = {
      {.signature = "MatchingFiles(pattern: string) -> (filenames: string) stateful",
       .doc = "The sorted paths of all files that match one of the patterns: '*', '?' and '[a-z]' stand for characters "
              "but '/'.",
       .shape_fn = MatchingShapes,
       .samples = {"v = WriteFile: 'b2' ''; w = WriteFile: 'b10' ''; x = WriteFile: 'a' ''; 'b*'",
                   "v = WriteFile: 'b2' ''; w = WriteFile: 'b10' ''; x = WriteFile: 'a' ''; {'b?', 'a', 'c'}",
                   "v = WriteFile: 'd/b' ''; w = WriteFile: 'd/c' ''; x = WriteFile: 'd/z' ''; 'd/[a-c]'"}},
  };
  return rows;
}

}  // namespace plumb::topics
