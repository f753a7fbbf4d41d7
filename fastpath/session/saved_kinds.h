// The resources that outlive a step, for saved sessions (S10).
#pragma once

#include <span>

#include "fastpath/device/resources.h"

namespace plumb::fast {

std::span<const ResourceKind> SavedKinds();

// Where they, and what stateful kernels keep, stand in the state of a session.
inline constexpr std::string_view kResourcesPath = "resources/", kKernelsPath = "kernels/";
// The entries below a path, by what is left of their names.
SavedState StateBelow(const SavedState& state, std::string_view path);

}  // namespace plumb::fast
