#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> ControlFlowOps() { return {}; }

}  // namespace plumb
