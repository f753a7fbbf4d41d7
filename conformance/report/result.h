// How single cases ended, and what they come to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb::conformance {

// Elsewhere: all is well, but on another device than the one that was to be tried.
enum class Outcome { kPassed, kFailed, kUnsupported, kDeviation, kElsewhere };
std::string_view OutcomeName(Outcome outcome);

struct CaseResult {
  std::string name;
  std::string backend;
  Outcome outcome = Outcome::kPassed;
  std::string gate;            // that failed; of a passed case: what judged it
  std::string detail;          // of a failure: step, node, expected and actual; of an unsupported case: what is missing
  int64_t compared = 0;        // elements and status codes that were held against expected ones
  std::string reproduce = {};  // of a failure: the command line that shows it again
  double seconds = 0;          // that it took; 0 where nobody looked
  // Fetches whose values were aliases of variables, read when their step was over (rule F28), where the reference took
  // the steps: for itself, or for its bounds.
  std::vector<std::string> aliases = {};
  // Of `compared`: what another run may not compare. That is all of a case that draws random numbers without a seed;
  // numbers without a bound, which count where they are equal; and what is looked at twice, since it was not equal or
  // because there is a bound.
  int64_t by_chance = 0;
};

// The results of one file of cases, or of one suite, on one backend.
struct FileResults {
  std::string file;
  std::string backend;
  std::vector<CaseResult> cases;
};

struct Totals {
  int64_t passed = 0;
  int64_t failed = 0;
  int64_t unsupported = 0;
  int64_t deviations = 0;
  int64_t elsewhere = 0;
  int64_t compared = 0;  // not in deviations, which end where they differ, nor elsewhere
  int64_t by_chance = 0;
  void Count(const CaseResult& result);
  int64_t cases() const { return passed + failed + unsupported + deviations + elsewhere; }
};
Totals TotalsOf(const std::vector<FileResults>& files);
// Of one backend alone.
Totals TotalsOf(const std::vector<FileResults>& files, std::string_view backend);

// What was chosen, declared or drawn, and what was not: names of things to cover, in the order in which they are told.
struct Coverage {
  std::vector<std::string> covered;
  std::vector<std::string> missing;
  std::vector<std::string> refused = {};  // tried, and refused by both sides with the same code whenever it was
};
using CoverageByKind = std::vector<std::pair<std::string, Coverage>>;  // "attributes", …

// {"totals": {"passed", "failed", "unsupported", "deviations", "elsewhere", "compared"}, "cases": [{"name", "backend",
// "outcome", "gate", "detail", "reproduce", "seconds", "aliases": [fetch]}], "coverage": {kind: {"covered", "missing",
// "refused": [name]}}}. What is empty, or 0 seconds, is left out of the last three.
std::string ReportJson(const std::vector<FileResults>& files, const CoverageByKind& coverage = {});

// A command line of the program `plumb`, for people to paste: words that a shell would take apart are quoted.
std::string CommandLine(const std::vector<std::string>& words);

}  // namespace plumb::conformance
