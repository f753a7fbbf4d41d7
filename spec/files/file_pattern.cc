#include "spec/files/file_pattern.h"

#include <fnmatch.h>

#include <algorithm>

#include "spec/core/status.h"

namespace plumb {
namespace {

constexpr std::string_view kWildcards = "*?[\\";

std::string Join(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.back() == '/' ? folder + name : folder + "/" + name;
}

// What is in a folder; nothing where it cannot be listed, for a pattern asks only for what can be found.
std::vector<std::string> NamesIn(const FileSystem& files, const std::string& folder) {
  return files.IsFolder(folder) ? files.List(folder) : std::vector<std::string>();
}

}  // namespace

std::vector<std::string> Matching(const FileSystem& files, const std::string& pattern) {
  if (std::vector<std::string> known = files.KnownMatches(pattern); !known.empty()) return known;
  const size_t first = pattern.find_first_of(kWildcards);
  if (first == std::string::npos) {
    return !pattern.empty() && files.Exists(pattern) ? std::vector<std::string>{pattern} : std::vector<std::string>{};
  }
  const size_t fixed = pattern.substr(0, first).rfind('/');
  const std::string folder = FolderOfMatches(pattern);
  std::vector<std::string> found = {folder.empty() ? "." : folder};
  // Level by level, folders only where more follows.
  for (size_t begin = fixed == std::string::npos ? 0 : fixed + 1; begin < pattern.size();) {
    const size_t end = std::min(pattern.find('/', begin), pattern.size());
    const std::string part = pattern.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty()) continue;
    std::vector<std::string> next;
    for (const std::string& above : found) {
      for (const std::string& name : NamesIn(files, above)) {
        if (fnmatch(part.c_str(), name.c_str(), 0) == 0) next.push_back(Join(above, name));
      }
    }
    found = std::move(next);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string LiteralPattern(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (kWildcards.find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::string FolderOfMatches(const std::string& pattern) {
  return FolderOf(pattern.substr(0, pattern.find_first_of(kWildcards)));
}

}  // namespace plumb
