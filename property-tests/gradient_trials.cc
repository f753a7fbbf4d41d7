#include "property-tests/gradient_trials.h"

#include <sstream>

#include "spec/files/file.h"
#include "spec/files/source_testing.h"

namespace plumb::property {

std::multimap<std::string, std::string> GradientTrials() {
  std::istringstream lines(ReadFile(SourcePath("property-tests/testdata/gradient_trials.txt")));
  std::multimap<std::string, std::string> trials;
  std::string op, test;
  while (lines >> op >> test) trials.emplace(op, test);
  return trials;
}

std::set<std::string> TriedBy(const std::string& test) {
  std::set<std::string> ops;
  for (const auto& [op, trial] : GradientTrials()) {
    if (trial == test) ops.insert(op);
  }
  return ops;
}

}  // namespace plumb::property
