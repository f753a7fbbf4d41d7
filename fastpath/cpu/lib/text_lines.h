// The lines of text files, as tables and vocabularies read them (rule L3).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "spec/files/file_system.h"

namespace plumb::fast::cpu {

// One carriage return belongs to the end of its line. A last line without a line feed counts unless it is empty then.
inline std::vector<std::string> SplitLines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    const size_t stop = end > begin && text[end - 1] == '\r' ? end - 1 : end;
    if (end < text.size() || stop > begin) lines.push_back(text.substr(begin, stop - begin));
  }
  return lines;
}

// Of a file of which the first `wanted` lines are to be read, or all (-1). Throws kOutOfRange where that means none.
inline std::vector<std::string> SplitFile(const std::string& path, int64_t wanted) {
  std::vector<std::string> lines = SplitLines(Files().Read(path));
  if (wanted == 0) throw OutOfRange("of the file ", path, " no lines are wanted");
  if (wanted < 0 && lines.empty()) throw OutOfRange("the file ", path, " is empty");
  return lines;
}

}  // namespace plumb::fast::cpu
