// The floor (floor.json): what full runs over the project's own cases reached, and may not fall below again.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::conformance {

// Of one run, by kind: how many, {"sharp": 1629}, and, where one may not take the place of another, which:
// {"attributes": {"Conv2D padding=SAME", …}}, or how many of which: {"passed": {"Conv2D": 8, "Neg": 12}}.
using Counts = std::map<std::string, int64_t>;
using Names = std::map<std::string, std::set<std::string>>;
using CountsByName = std::map<std::string, Counts>;
struct Reached {
  Counts counts;
  Names names = {};
  CountsByName by_name = {};
};

class Floor {
 public:
  Floor() = default;
  // {"ops cpu": {"passed": {"Conv2D": 8, …}, "attributes": ["Conv2D padding=SAME", …]}}: suite and backend, then kinds.
  // Throws kInvalidArgument for anything else.
  explicit Floor(const std::string& json);

  // The run whose floor this one is held to: its own, or, of a run with another number of seeds that has none ("ops cpu
  // --rounds 1"), that of the run with all seeds ("ops cpu"), or else with one; values of attributes and sides of
  // choice points are sought with seeds of their own until they are reached. Empty: there is none.
  std::string HeldTo(const std::string& run) const;
  // One line per kind of which the run reached less than the one it is held to: the count, or the names that fell out
  // or of which there are fewer. More of one name does not make up for fewer of another.
  std::vector<std::string> Below(const std::string& run, const Reached& reached) const;
  // Never lowers a count, nor takes a name away; a count that has become names, or one for each name, gives way to
  // them. A run with fewer seeds raises the floor that it is held to, one with more has one of its own. Whether
  // anything rose.
  bool Raise(const std::string& run, const Reached& reached);
  std::string ToJson() const;

 private:
  std::map<std::string, Reached> runs_;
};

}  // namespace plumb::conformance
