// What a checkpoint holds beside variables. Its names begin as no name of a node can, so readers that ask for variables
// never meet it.
#pragma once

#include <string>
#include <string_view>

#include "spec/checkpoint/bundle.h"
#include "spec/session/saved_state.h"

namespace plumb {

inline constexpr std::string_view kReserved = "_plumb/";
inline bool IsReserved(std::string_view name) { return name.starts_with(kReserved); }

// Adds all entries, their names below "_plumb/" and `path`.
void AddReserved(BundleWriter& bundle, std::string_view path, const SavedState& state);
// Those below `path`; none for a checkpoint of the first format. Throws as BundleReader does.
SavedState ReadReserved(const FileSystem& files, const std::string& prefix, std::string_view path);

}  // namespace plumb
