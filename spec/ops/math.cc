#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> MathOps() { return {}; }

}  // namespace plumb
