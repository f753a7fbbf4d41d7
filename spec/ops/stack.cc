#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> StackOps() { return {}; }

}  // namespace plumb
