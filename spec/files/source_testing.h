// Files of the project that tests read.
#pragma once

#include <cstdlib>
#include <string>

namespace plumb {

// `path` in the project's folder, which PLUMB_SOURCE_DIR names; else in the working folder.
inline std::string SourcePath(const std::string& path) {
  const char* root = std::getenv("PLUMB_SOURCE_DIR");
  return std::string(root == nullptr ? "." : root) + "/" + path;
}

}  // namespace plumb
