#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ArrayGuaranteeConst() {
  static const OpRow rows[] = {
      {.signature = "GuaranteeConst(input: T) -> (output: T) stateful hands_on",
       .attrs = "T: type",
       .doc = "Gives its input, which the user promises not to change. A handle is refused.",
       .shape = "[d...] -> [d...]"},
  };
  return rows;
}

}  // namespace plumb::topics
