#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ControlFlowAbort() {
  static const OpRow rows[] = {
      {.signature = "Abort() -> ()",
       .attrs = "error_msg: string = ''; exit_without_error: bool = false",
       .doc = "Ends the process: by a signal, after error_msg was written to the standard error output, or with exit "
              "code 0 (rule X38).",
       .samples = {"-: it ends the process"}},
  };
  return rows;
}

}  // namespace plumb::topics
