#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> StateOps() { return {}; }

}  // namespace plumb
