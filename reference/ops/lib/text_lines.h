// The lines of text files, as tables and vocabularies read them (rule L3).
#pragma once

#include <string>
#include <vector>

namespace plumb::reference {

// Without their ends. Carriage returns are no part of any line.
inline std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  bool is_open = false;
  for (const char c : text) {
    if (!is_open) lines.emplace_back();
    is_open = c != '\n';
    if (is_open && c != '\r') lines.back() += c;
  }
  return lines;
}

}  // namespace plumb::reference
