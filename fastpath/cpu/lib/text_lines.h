// The lines of text files, as tables and vocabularies read them (rule L3).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace plumb::fast::cpu {

// Carriage returns are no part of any line.
inline std::vector<std::string> SplitLines(std::string text) {
  std::erase(text, '\r');
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace plumb::fast::cpu
