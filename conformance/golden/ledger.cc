#include "conformance/golden/ledger.h"

#include <fnmatch.h>

#include <algorithm>

namespace plumb::conformance {
namespace {

std::string Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

Deviation ParseLine(std::string_view line, int number) {
  const size_t first = line.find('|');
  const size_t second = first == std::string_view::npos ? first : line.find('|', first + 1);
  Require(second != std::string_view::npos, "deviations, line ", number, ": expected 'backend | case | reason'");
  Deviation deviation{Trim(line.substr(0, first)), Trim(line.substr(first + 1, second - first - 1)),
                      Trim(line.substr(second + 1))};
  Require(!deviation.backend.empty() && !deviation.pattern.empty() && !deviation.reason.empty(), "deviations, line ",
          number, ": backend, case and reason are all needed");
  return deviation;
}

}  // namespace

Ledger::Ledger(std::string_view text) {
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!Trim(line).empty() && Trim(line)[0] != '#') deviations_.push_back(ParseLine(line, number));
  }
}

void Ledger::Apply(CaseResult* result) {
  if (result->outcome != Outcome::kFailed) return;
  for (Deviation& deviation : deviations_) {
    if (deviation.backend != result->backend || fnmatch(deviation.pattern.c_str(), result->name.c_str(), 0) != 0) {
      continue;
    }
    deviation.used = true;
    result->outcome = Outcome::kDeviation;
    result->detail = deviation.reason + " [" + result->detail + "]";
    return;
  }
}

std::vector<std::string> Ledger::Unused(const std::vector<std::string>& backends) const {
  std::vector<std::string> unused;
  for (const Deviation& deviation : deviations_) {
    const bool asked = std::find(backends.begin(), backends.end(), deviation.backend) != backends.end();
    if (asked && !deviation.used) unused.push_back(deviation.backend + " | " + deviation.pattern);
  }
  return unused;
}

}  // namespace plumb::conformance
