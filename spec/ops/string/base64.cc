#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> StringBase64() {
  static const OpRow rows[] = {
      {.signature = "EncodeBase64(input: string) -> (output: string)",
       .attrs = "pad: bool = false",
       .doc = "Each string in base64 with the alphabet for URLs ('-' and '_'), filled up with '=' if pad.",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient(),
       .samples = {"pad=true/false: [d...]", "pad=true/false: {x'fbeffe', x'ff', x'00ff'}"}},
      {.signature = "DecodeBase64(input: string) -> (output: string)",
       .doc = "What EncodeBase64 made of it, with or without '='.",
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient(),
       .samples = {"{'--_-', '_w', '_w==', '', 'YWJj', 'YWI=', 'YWI'}", "e = EncodeBase64: [n]; e"}},
  };
  return rows;
}

}  // namespace plumb::topics
