#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> TransferOps() { return {}; }

}  // namespace plumb
