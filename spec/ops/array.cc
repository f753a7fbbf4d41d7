#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> ArrayOps() { return {}; }

}  // namespace plumb
