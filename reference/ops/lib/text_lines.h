// The lines of text files, as tables and vocabularies read them (rule L3).
#pragma once

#include <string>
#include <vector>

#include "spec/files/file_system.h"

namespace plumb::reference {

inline std::string WithoutReturn(std::string line) {
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

// Without their ends, to which one carriage return belongs. What follows the last line feed is a line if it is not
// empty then.
inline std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::string line;
  for (const char c : text) {
    if (c != '\n') {
      line += c;
      continue;
    }
    lines.push_back(WithoutReturn(line));
    line.clear();
  }
  line = WithoutReturn(line);
  if (!line.empty()) lines.push_back(line);
  return lines;
}

// The lines of a file of which the first `wanted` are to be read, or all (-1); kOutOfRange where that means none.
inline std::vector<std::string> LinesToRead(const std::string& path, int64_t wanted) {
  std::vector<std::string> lines = LinesOf(Files().Read(path));
  if (wanted == 0) throw OutOfRange("no line of the file ", path, " is to be read");
  if (wanted < 0 && lines.empty()) throw OutOfRange("the file ", path, " is empty");
  return lines;
}

}  // namespace plumb::reference
