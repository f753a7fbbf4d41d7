// The resources that outlive a step, for saved sessions (S10).
#pragma once

#include <span>

#include "fastpath/device/resources.h"

namespace plumb::fast {

std::span<const ResourceKind> SavedKinds();

}  // namespace plumb::fast
