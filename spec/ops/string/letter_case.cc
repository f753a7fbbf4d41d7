#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

constexpr char kEncoding[] = "encoding: string = ''";

std::vector<const char*> Samples() {
  return {"encoding=''/'utf-8': [d...]",
          "encoding=''/'utf-8': {'Mixed CASE', x'c384c39fc3a4', x'ceb1ceb1cea3', x'4aff41c3', x'efac81c4b0'}"};
}

}  // namespace

// Letters beyond ASCII are those of ICU, which both sides call: recorded cases judge them.
std::span<const OpRow> StringLetterCase() {
  static const OpRow rows[] = {
      {.signature = "StringLower(input: string) -> (output: string)",
       .attrs = kEncoding,
       .doc = "Each string in small letters: those of ASCII, or, where encoding is 'utf-8', of Unicode.",
       .shape = "[d...] -> [d...]",
       .samples = Samples()},
      {.signature = "StringUpper(input: string) -> (output: string)",
       .attrs = kEncoding,
       .doc = "Each string in capital letters: those of ASCII, or, where encoding is 'utf-8', of Unicode.",
       .shape = "[d...] -> [d...]",
       .samples = Samples()},
  };
  return rows;
}

}  // namespace plumb::topics
