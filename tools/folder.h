// Folders that a command writes into.
#pragma once

#include <string>

namespace plumb::tools {

// Makes the folder that the user named by `option`, and those that it lies in. Throws where that cannot be, as for a
// path below a file; the message says why, and names the option.
void MakeFolderFor(const std::string& option, const std::string& path);

}  // namespace plumb::tools
