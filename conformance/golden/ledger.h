// The ledger of deviations (deviations.txt): what a backend is known to do differently, and why.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/golden/judge.h"

namespace plumb::conformance {

// One line: "backend | case name, with * and ? | reason". Lines that start with # are comments.
struct Deviation {
  std::string backend;
  std::string pattern;
  std::string reason;
  bool used = false;  // whether a failing case matched
};

class Ledger {
 public:
  Ledger() = default;
  // Throws kInvalidArgument naming the line that is not of that form.
  explicit Ledger(std::string_view text);

  // Turns a failure that is in the ledger into a deviation.
  void Apply(CaseResult* result);
  // The lines that no failing case needed; among `backends` only.
  std::vector<std::string> Unused(const std::vector<std::string>& backends) const;

 private:
  std::vector<Deviation> deviations_;
};

}  // namespace plumb::conformance
