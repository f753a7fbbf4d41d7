// The floor (floor.json): counts that full runs over the project's own cases reached, and may not fall below again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::conformance {

// Counts of one run, by name: {"passed": 1629}.
using Counts = std::map<std::string, int64_t>;

class Floor {
 public:
  Floor() = default;
  // {"golden cpu": {"passed": 1629}}: suite and backend, then counts. Throws kInvalidArgument for anything else.
  explicit Floor(const std::string& json);

  // One line per count of the floor that the run is below, or does not have.
  std::vector<std::string> Below(const std::string& run, const Counts& counts) const;
  // Never lowers a count. Whether anything rose.
  bool Raise(const std::string& run, const Counts& counts);
  std::string ToJson() const;

 private:
  std::map<std::string, Counts> runs_;
};

}  // namespace plumb::conformance
