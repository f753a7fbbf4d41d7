#include "conformance/report/result.h"

#include <nlohmann/json.hpp>

namespace plumb::conformance {
namespace {

using Json = nlohmann::json;

Json ToJson(const CaseResult& result) {
  Json json = {{"name", result.name},
               {"backend", result.backend},
               {"outcome", OutcomeName(result.outcome)},
               {"gate", result.gate},
               {"detail", result.detail}};
  if (!result.reproduce.empty()) json["reproduce"] = result.reproduce;
  if (result.seconds > 0) json["seconds"] = result.seconds;
  if (!result.aliases.empty()) json["aliases"] = result.aliases;
  return json;
}

Json ToJson(const Totals& totals) {
  return {{"passed", totals.passed},         {"failed", totals.failed},       {"unsupported", totals.unsupported},
          {"deviations", totals.deviations}, {"elsewhere", totals.elsewhere}, {"compared", totals.compared}};
}

}  // namespace

std::string_view OutcomeName(Outcome outcome) {
  constexpr std::string_view kNames[] = {"passed", "failed", "unsupported", "deviation", "elsewhere"};
  return kNames[static_cast<int>(outcome)];
}

void Totals::Count(const CaseResult& result) {
  int64_t* const counts[] = {&passed, &failed, &unsupported, &deviations, &elsewhere};
  ++*counts[static_cast<int>(result.outcome)];
  const bool is_judged = result.outcome != Outcome::kDeviation && result.outcome != Outcome::kElsewhere;
  if (!is_judged) return;
  compared += result.compared;
  by_chance += result.by_chance;
}

Totals TotalsOf(const std::vector<FileResults>& files) {
  Totals totals;
  for (const FileResults& file : files) {
    for (const CaseResult& result : file.cases) totals.Count(result);
  }
  return totals;
}

Totals TotalsOf(const std::vector<FileResults>& files, std::string_view backend) {
  std::vector<FileResults> of_backend;
  for (const FileResults& file : files) {
    if (file.backend == backend) of_backend.push_back(file);
  }
  return TotalsOf(of_backend);
}

std::string ReportJson(const std::vector<FileResults>& files, const CoverageByKind& coverage) {
  Json cases = Json::array(), covered = Json::object();
  for (const FileResults& file : files) {
    for (const CaseResult& result : file.cases) cases.push_back(ToJson(result));
  }
  for (const auto& [kind, of_kind] : coverage) {
    covered[kind] = {{"covered", of_kind.covered}, {"missing", of_kind.missing}, {"refused", of_kind.refused}};
  }
  Json report = {{"totals", ToJson(TotalsOf(files))}, {"cases", std::move(cases)}};
  if (!coverage.empty()) report["coverage"] = std::move(covered);
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string CommandLine(const std::vector<std::string>& words) {
  std::string line = "plumb";
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_-+=:,./") == std::string::npos;
    line += ' ';
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace plumb::conformance
