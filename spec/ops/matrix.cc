#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> MatrixOps() { return {}; }

}  // namespace plumb
