#include "spec/ops/op_def.h"

namespace plumb::topics {

// Scripts are those of ICU, which both sides call: recorded cases judge them.
std::span<const OpRow> StringScript() {
  static const OpRow rows[] = {
      {.signature = "UnicodeScript(input: int32) -> (output: int32)",
       .doc = "The script that each code point is written in, by ICU's number for it; -1 outside of Unicode.",
       .shape = "[d...] -> [d...]",
       .samples = {"[d...] in -5..66000", "{{97, 1041}, {33464, 44}, {-1, 1114111}, {1114112, 128512}}"}},
  };
  return rows;
}

}  // namespace plumb::topics
