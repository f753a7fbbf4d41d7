#include "spec/files/file_pattern.h"

#include <fnmatch.h>

#include <algorithm>

#include "spec/core/status.h"

namespace plumb {
namespace {

bool HasWildcard(std::string_view text) { return text.find_first_of("*?[\\") != std::string_view::npos; }

std::string Join(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.back() == '/' ? folder + name : folder + "/" + name;
}

// What is in a folder; nothing where it cannot be listed, for a pattern asks only for what can be found.
std::vector<std::string> NamesIn(const FileSystem& files, const std::string& folder) {
  return files.IsFolder(folder) ? files.List(folder) : std::vector<std::string>();
}

}  // namespace

std::vector<std::string> Matching(const FileSystem& files, const std::string& pattern) {
  if (!HasWildcard(pattern)) {
    return !pattern.empty() && files.Exists(pattern) ? std::vector<std::string>{pattern} : std::vector<std::string>{};
  }
  const size_t fixed = pattern.substr(0, pattern.find_first_of("*?[\\")).rfind('/');
  std::vector<std::string> found = {fixed == std::string::npos ? "." : fixed == 0 ? "/" : pattern.substr(0, fixed)};
  // Level by level, folders only where more follows.
  for (size_t begin = fixed == std::string::npos ? 0 : fixed + 1; begin < pattern.size();) {
    const size_t end = std::min(pattern.find('/', begin), pattern.size());
    const std::string part = pattern.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty()) continue;
    std::vector<std::string> next;
    for (const std::string& folder : found) {
      for (const std::string& name : NamesIn(files, folder)) {
        if (fnmatch(part.c_str(), name.c_str(), 0) == 0) next.push_back(Join(folder, name));
      }
    }
    found = std::move(next);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace plumb
