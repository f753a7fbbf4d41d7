// The two parts of a session's state, and parts of it in general.
#pragma once

#include <string_view>

#include "spec/session/saved_state.h"

namespace plumb {

// Where the resources that outlive a step stand, and what stateful kernels keep.
inline constexpr std::string_view kResourcesPath = "resources/", kKernelsPath = "kernels/";

// The entries below a path, by what is left of their names.
inline SavedState StateBelow(const SavedState& state, std::string_view path) {
  SavedState below;
  for (auto entry = state.lower_bound(path); entry != state.end() && entry->first.starts_with(path); ++entry) {
    below.emplace_hint(below.end(), entry->first.substr(path.size()), entry->second);
  }
  return below;
}

}  // namespace plumb
