#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> ConvolutionOps() { return {}; }

}  // namespace plumb
