// Patterns of paths, as graphs give them to find files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/files/file_system.h"

namespace plumb {

// The paths that match, sorted: '*', '?' and '[…]' stand for any characters but '/', '\' takes the next character as
// it is. A pattern without them matches the path that it is, where something is there; "" matches nothing. What a
// pattern without a folder finds begins with "./".
std::vector<std::string> Matching(const FileSystem& files, const std::string& pattern);
// The pattern that matches this text alone.
std::string LiteralPattern(std::string_view text);
// The folder that all of them lie in, or "": what a pattern has before its first such character.
std::string FolderOfMatches(const std::string& pattern);

}  // namespace plumb
